package sourcebuild

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// buildGo lets the go command find out what has changed since the last build: a
// file that is still right isn't linked again.
func buildGo(ctx context.Context, b *build) ([]byte, error) {
	if err := checkGo(ctx, b); err != nil {
		return nil, err
	}
	if err := checkGoSource(b.dir); err != nil {
		return nil, err
	}
	target := b.place() + ".wasm"
	unlock, err := lock(ctx, b.place()+".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	args := []string{"go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", target}
	if b.kind == Reactor {
		args = append(args, "-buildmode=c-shared")
	}
	if _, err := b.run(ctx, tool{title: "go build", command: append(args, "."), env: goEnv()}); err != nil {
		return nil, err
	}
	return os.ReadFile(target)
}

func checkGo(context.Context, *build) error {
	if lookPath("go") == "" {
		return missing(Go, "the go command isn't there", goWays)
	}
	return nil
}

// checkGoSource refuses a folder without a package, such as the root of a module whose
// guest is below it: the go command doesn't say where that may be.
func checkGoSource(dir string) error {
	f, err := openFolder(dir)
	if err != nil || slices.ContainsFunc(f.files, isGoSource) {
		return err
	}
	below, err := fs.Glob(os.DirFS(dir), "*/*.go")
	if i := slices.IndexFunc(below, isGoSource); i >= 0 {
		return fmt.Errorf("it has no Go source but tests: build the folder of the guest, such as %s", filepath.Join(dir, path.Dir(below[i])))
	}
	return errors.Join(errors.New("it has no Go source but tests"), err)
}

func isGoSource(name string) bool {
	base, isGo := strings.CutSuffix(name, ".go")
	return isGo && !strings.HasSuffix(base, "_test")
}

// goEnv makes the go command see packages as they are in a module.
func goEnv() []string { return []string{"GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0"} }

// goList has, for each package of a module that isn't Go's own, a line for its
// folder and for each file that it is made of.
const goList = `{{if not .Standard}}{{$dir := .Dir}}{{$dir}}
{{range .GoFiles}}{{$dir}}/{{.}}
{{end}}{{range .SFiles}}{{$dir}}/{{.}}
{{end}}{{range .EmbedFiles}}{{$dir}}/{{.}}
{{end}}{{with .Module}}{{.GoMod}}
{{end}}{{end}}`

func goSources(ctx context.Context, b *build) []string {
	list, err := b.ask(ctx, goEnv(), "go", "list", "-deps", "-f", goList, ".")
	if err != nil {
		return nil
	}
	return strings.Split(list, "\n")
}
