package hosttest_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A recorder is a test that somebody looks at: what it prints and whether it
// fails.
type recorder struct {
	testing.TB // what isn't below isn't used
	ctx        context.Context
	out        strings.Builder
	failed     bool
	skipped    bool
	cleanups   []func()
}

func (r *recorder) Helper()                  {}
func (r *recorder) Context() context.Context { return r.ctx }
func (r *recorder) Cleanup(f func())         { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Failed() bool             { return r.failed }
func (r *recorder) Skipped() bool            { return r.skipped }
func (r *recorder) Log(args ...any)          { fmt.Fprintln(&r.out, append([]any{"log:"}, args...)...) }
func (r *recorder) Error(args ...any) {
	r.failed = true
	fmt.Fprintln(&r.out, append([]any{"error:"}, args...)...)
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Error(fmt.Sprintf(format, args...))
	runtime.Goexit()
}
func (r *recorder) Skip(...any) {
	r.skipped = true
	runtime.Goexit()
}

// watch runs a test with its cleanups, as package testing does.
func watch(ctx context.Context, test func(t testing.TB)) *recorder {
	ctx, cancel := context.WithCancel(ctx)
	r := &recorder{ctx: ctx}
	run := func(f func()) {
		done := make(chan struct{})
		go func() { defer close(done); f() }()
		<-done
	}
	run(func() { test(r) })
	cancel()
	for _, f := range slices.Backward(r.cleanups) {
		run(f)
	}
	return r
}

var update = flag.Bool("update", false, "write the reports in testdata anew")

// places are where a Go stack says that something happened on this machine.
var places = regexp.MustCompile(`at \S*/([^/\s]+\.go):\d+`)

// wantGolden compares with a file in testdata.
func wantGolden(t *testing.T, name, got string) {
	t.Helper()
	got = places.ReplaceAllString(got, "at …/$1:N")
	file := filepath.Join("testdata", strings.NewReplacer(" ", "_", ",", "", "'", "").Replace(name)+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is different; got:\n%s\nwant:\n%s", file, got, want)
	}
}
