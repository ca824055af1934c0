package host_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// BenchmarkProgram is one call that a program of 26 kB answers: an instance, its
// run and its end.
func BenchmarkProgram(b *testing.B) {
	steps := runs(loadProgram(b, "tool"), 1)
	b.ReportAllocs()
	for b.Loop() {
		s, err := host.NewScripted(steps)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Exec(b.Context(), host.ExecRequest{Command: []string{"tool", "args"}}); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCommand is one call that a command of 31 kB answers.
func BenchmarkCommand(b *testing.B) {
	steps := []host.Step{{Method: host.MethodExec, Outcome: host.Respond(loadCommand(b).Responder(""))}}
	b.ReportAllocs()
	for b.Loop() {
		s, err := host.NewScripted(steps)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Do(b.Context(), say(`{"result": {"stdout": "x"}}`)); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
