package sourcebuild

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A Kind is what a module is built to be.
type Kind string

// The kinds. Their text is what flags call them.
const (
	Reactor Kind = "reactor" // a guest, whose handlers are called
	Command Kind = "command" // a WASI program that speaks JSON, run once a call
	Program Kind = "program" // any WASI program
)

// Kinds are all kinds. The caller owns the list.
func Kinds() []Kind { return []Kind{Reactor, Command, Program} }

// Options say how to build. The zero value builds a reactor from the language that
// the files tell.
type Options struct {
	Language Language // "": as Detect finds
	Kind     Kind     // "": Reactor
}

// A Module is a WebAssembly module that was built. The caller owns it.
type Module struct {
	Wasm     []byte
	Language Language
}

// Build builds the module in a folder of source. It has the environment of this
// process, with a folder for temporary files of its own.
//
// A language that can't be told is a *[DetectError], a compiler that isn't there a
// *[MissingToolError], source that doesn't compile an *[Error], and a build that
// doesn't make exactly one module an *[OutputError]. When the context ends, the
// compiler's process group is killed, and the error is the context's.
func Build(ctx context.Context, dir string, o Options) (*Module, error) {
	dir, err := realDir(dir)
	if err != nil {
		return nil, err
	}
	b := &build{dir: dir, language: o.Language, kind: o.Kind}
	if b.kind == "" {
		b.kind = Reactor
	}
	if b.language == "" {
		if b.language, err = Detect(dir); err != nil {
			return nil, err
		}
	}
	t := find(b.language)
	if t == nil {
		return nil, unknownLanguage(b.language)
	}
	if b.cache, err = openCache(); err != nil {
		return nil, err
	}
	defer b.cache.close()
	if b.work, err = os.MkdirTemp(os.Getenv("GOTMPDIR"), "wasmsandbox-build-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(b.work)
	wasm, err := t.build(ctx, b)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	noteSources(ctx, b, t)
	return &Module{Wasm: wasm, Language: b.language}, nil
}

// Check tells whether the tools are there to build a kind of module from a language,
// but for what a project brings itself. If not, the error is a *[MissingToolError].
func Check(ctx context.Context, language Language, kind Kind) error {
	t := find(language)
	if t == nil {
		return unknownLanguage(language)
	}
	work, err := os.MkdirTemp("", "wasmsandbox-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	return t.check(ctx, &build{dir: work, language: language, kind: kind, work: work})
}

func unknownLanguage(language Language) error {
	return fmt.Errorf("nothing is built from %q, but from %s", language, names(Languages(), "and"))
}

// realDir is a folder's absolute path without links.
func realDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		return resolved, nil
	}
	return dir, nil
}

// A build is one call of Build.
type build struct {
	dir      string // absolute
	language Language
	kind     Kind
	cache    *cache
	work     string // for temporary files
}

// A cache is the folder where builds are kept.
type cache struct {
	dir       string
	temporary bool
}

// openCache opens the folder in host.CacheDir, or makes a temporary one when there
// is none.
func openCache() (*cache, error) {
	base, named := host.CacheDir()
	if base != "" {
		dir := filepath.Join(base, "builds")
		if err := os.MkdirAll(dir, 0o700); err == nil || named {
			return &cache{dir: dir}, err
		}
	}
	dir, err := os.MkdirTemp("", "wasmsandbox-builds-")
	return &cache{dir: dir, temporary: true}, err
}

func (c *cache) close() {
	if c.temporary {
		_ = os.RemoveAll(c.dir)
	}
}

// place is the path in the cache, without an extension, for all that is built from
// the folder. What makes it unique is the digest; the rest is for people. Names of
// files can't be long.
func (b *build) place() string {
	base := filepath.Base(b.dir)
	if len(base) > 40 {
		base = strings.ToValidUTF8(base[:40], "")
	}
	sum := sha256.Sum256([]byte(b.dir))
	return filepath.Join(b.cache.dir, fmt.Sprintf("%s-%s-%s-%x", base, b.language, b.kind, sum[:16]))
}

// readOne reads the only module of those that a build made.
func (b *build) readOne(made []string, want string) ([]byte, error) {
	if len(made) != 1 {
		names := make([]string, len(made))
		for i, path := range made {
			names[i] = filepath.Base(path)
		}
		slices.Sort(names)
		return nil, &OutputError{Language: b.language, Made: names, Want: want}
	}
	return os.ReadFile(made[0])
}

// wasmFiles are the modules in and below a folder, which may be missing.
func wasmFiles(dir string) (found []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && filepath.Ext(path) == ".wasm" {
			found = append(found, path)
		}
		return err
	})
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return found, err
}
