package host_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// BenchmarkCheckpointFile writes the checkpoint of a session with one guest that was
// called, and reads it back.
func BenchmarkCheckpointFile(b *testing.B) {
	ctx := context.Background()
	for _, language := range languages {
		module, err := host.Load(ctx, language, kitchenWasm(b, language))
		if err != nil {
			b.Fatal(err)
		}
		count, err := module.Responder("count")
		if err != nil {
			b.Fatal(err)
		}
		steps := []host.Step{{Method: host.MethodExec, Outcome: host.Respond(count)}}
		s, err := host.NewScripted(steps)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Exec(ctx, host.ExecRequest{}); err != nil {
			b.Fatal(err)
		}
		c, err := s.Checkpoint(ctx)
		if err != nil {
			b.Fatal(err)
		}
		var file bytes.Buffer
		b.Run(language+"/write", func(b *testing.B) {
			for b.Loop() {
				file.Reset()
				if _, err := c.WriteTo(&file); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(file.Len()), "file-bytes")
		})
		b.Run(language+"/read", func(b *testing.B) {
			for b.Loop() {
				if _, err := host.ReadCheckpoint(ctx, bytes.NewReader(file.Bytes()), steps); err != nil {
					b.Fatal(err)
				}
			}
		})
		if err := s.Close(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
