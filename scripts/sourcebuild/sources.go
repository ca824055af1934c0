package sourcebuild

import (
	"context"
	"flag"
	"os"
)

// noteSources tells go test which files a module is built from, so that it runs a
// test again when one has changed. go test keeps results as long as all is the same
// that the test looked at; it can't see what a compiler looks at.
func noteSources(ctx context.Context, b *build, t *toolchain) {
	if log := flag.Lookup("test.testlogfile"); log == nil || log.Value.String() == "" {
		return // not a test, or one whose result isn't kept
	}
	// The build succeeded: an error here only costs a test that isn't run again.
	if t.sources == nil {
		_ = walkSources(b.dir, note)
		return
	}
	for _, path := range t.sources(ctx, b) {
		_ = note(path)
	}
}

// note makes go test see a file.
func note(path string) error {
	_, err := os.Stat(path)
	return err
}
