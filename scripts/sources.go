package scripts

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"strings"
)

// sourceList has, for each package of a guest that isn't Go's own, a line for its
// folder and for each file that it is made of.
const sourceList = `{{if not .Standard}}{{$dir := .Dir}}{{$dir}}
{{range .GoFiles}}{{$dir}}/{{.}}
{{end}}{{range .SFiles}}{{$dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}
{{end}}{{with .Module}}{{.GoMod}}
{{end}}{{end}}`

// noteSources tells go test which files a guest is built from, so that it runs a
// test again when one has changed. go test keeps results as long as all is the
// same that the test looked at; it can't see what the go command looks at.
func noteSources(ctx context.Context, dir string) {
	if log := flag.Lookup("test.testlogfile"); log == nil || log.Value.String() == "" {
		return // not a test, or one whose result isn't kept
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-f", sourceList, ".")
	cmd.Dir = dir
	cmd.Env = guestEnv(dir)
	list, err := cmd.Output()
	if err != nil {
		return // the build succeeded: this only costs a test that isn't run again
	}
	for line := range strings.Lines(string(list)) {
		_, _ = os.Stat(strings.TrimSpace(line)) // go test notes it
	}
}

// guestEnv is the environment in which the go command sees guests.
func guestEnv(dir string) []string {
	return append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "PWD="+dir)
}
