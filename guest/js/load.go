package js

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// Load loads a program, one ES module, as a guest of that name. The filename is
// what errors call the source; nothing is read from there. The options are those
// of any module, but WithStdin; WithSHA256 is about the interpreter. What is wrong
// with the program is a *host.ModuleError, of a *ProgramError if it can't be
// evaluated.
func Load(ctx context.Context, r *host.Runtime, name, filename string, source []byte, opts ...host.ModuleOption) (*host.Module, error) {
	program, err := Program(filename, source)
	if err != nil {
		return nil, &host.ModuleError{Kind: host.ModuleInvalid, Module: name, Err: err}
	}
	wasm, err := Interpreter()
	if err != nil {
		return nil, &host.ModuleError{Kind: host.ModuleInvalid, Module: name, Err: err}
	}
	all := make([]host.ModuleOption, 0, len(opts)+1)
	module, err := r.Load(ctx, name, wasm, append(append(all, opts...), host.WithStdin(program))...)
	if err != nil {
		return nil, explain(err, name)
	}
	return module, nil
}

// IsProgram reports whether a file is named as a program is: .js or .mjs.
func IsProgram(path string) bool {
	extension := strings.ToLower(filepath.Ext(path))
	return extension == ".js" || extension == ".mjs"
}

// MaxSource is the most bytes that a program may have: all of it has to fit into the
// interpreter's memory several times.
const MaxSource = 32 << 20

// ErrSource is what is wrong with a source that isn't text.
var ErrSource = errors.New("js: the source isn't text")

// Program gives what the interpreter reads from standard input: the filename and
// the source.
func Program(filename string, source []byte) ([]byte, error) {
	source = bytes.TrimPrefix(source, []byte("\ufeff"))
	if filename == "" || strings.ContainsAny(filename, "\n\x00") {
		return nil, fmt.Errorf("js: %q can't be the name of a file", filename)
	}
	if len(source) > MaxSource {
		return nil, fmt.Errorf("js: %s has %d bytes, the most is %d", filename, len(source), MaxSource)
	}
	if i := bytes.IndexByte(source, 0); i >= 0 {
		return nil, fmt.Errorf("%w: %s:%d has a NUL byte", ErrSource, filename, lineAt(source, i))
	}
	if !utf8.Valid(source) {
		return nil, fmt.Errorf("%w: %s:%d isn't UTF-8", ErrSource, filename, lineAt(source, firstInvalid(source)))
	}
	return fmt.Appendf(nil, "%s\n%s\n", moduleName(filename), source), nil // QuickJS takes no source for the name of a file
}

// moduleName is a name under which nothing else can be imported: a leading dot
// would make it relative.
func moduleName(filename string) string {
	filename = strings.TrimPrefix(filename, "./")
	if strings.HasPrefix(filename, ".") || filename == publicName || strings.HasPrefix(filename, publicName+"/") {
		return "/" + filename
	}
	return filename
}

func lineAt(source []byte, offset int) int { return 1 + bytes.Count(source[:offset], []byte("\n")) }

func firstInvalid(source []byte) int {
	for i := 0; i < len(source); {
		r, size := utf8.DecodeRune(source[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(source)
}
