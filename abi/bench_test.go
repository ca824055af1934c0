package abi_test

import (
	"fmt"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// benchmarked are messages of the usual sizes.
func benchmarked() map[string]message {
	listing := &abi.Listing{}
	for i := range 100 {
		listing.Entries = append(listing.Entries, abi.FileEntry{
			Path: fmt.Sprintf("src/file%d.go", i), Permissions: 0o644, Owner: "root", Group: "root", Size: uint64(i * 100),
		})
	}
	return map[string]message{
		"call_exec":   call(3, someTime, &abi.ExecRequest{Command: []string{"pwd"}}),
		"reply_exec":  outcome(abi.Outcome{Exec: &abi.ExecResult{Stdout: inline("/workspace\n")}}),
		"reply_60kB":  outcome(abi.Outcome{Exec: &abi.ExecResult{Stdout: abi.Content{Inline: make([]byte, 60_000)}}}),
		"reply_ls100": outcome(abi.Outcome{Listing: listing}),
		"open_values": &abi.Open{Config: everyValue(), Seed: 1, StartTimeNS: someTime},
	}
}

func BenchmarkAppend(b *testing.B) {
	for name, m := range benchmarked() {
		buf := make([]byte, 0, 1<<17)
		b.Run(name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buf = m.Append(buf[:0])
			}
		})
		official, options := toOfficial(m), proto.MarshalOptions{Deterministic: true}
		b.Run(name+"/official", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buf, _ = options.MarshalAppend(buf[:0], official)
			}
		})
	}
}

func BenchmarkUnmarshal(b *testing.B) {
	for name, m := range benchmarked() {
		data := m.Append(nil)
		official := toOfficial(m)
		b.Run(name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := m.Unmarshal(data); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/official", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := proto.Unmarshal(data, official); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
