package shell

import (
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// The names of files that only rewritten scripts open.
const (
	stagePath   = "/dev/:stage"
	capturePath = "/dev/:capture"
	sourcePath  = "\x00source/" // no path of a host can be the same
)

// maxNesting is how deep what a script consists of may be nested.
const maxNesting = 500

// rewritten parses a script and rewrites it. The name is what $0 is.
func (r *run) rewritten(script, name string, w rewriter) (*syntax.File, error) {
	if len(script) > r.limits.Script {
		return nil, r.exceeded("script", int64(r.limits.Script))
	}
	file, err := parse(script, name)
	if errors.Is(err, errNesting) {
		return nil, r.exceeded("nesting", maxNesting)
	}
	if _, internal := errors.AsType[*InternalError](err); internal {
		return nil, r.fail(err)
	}
	if err != nil {
		return nil, err
	}
	w.run = r
	if err := w.rewrite(file); err != nil {
		return nil, err
	}
	return file, nil
}

// parse parses a script.
func parse(script, name string) (file *syntax.File, err error) {
	err = parsing(func(parser *syntax.Parser) (err error) {
		file, err = parser.Parse(&scriptReader{rest: script}, name)
		return err
	})
	return file, err
}

// parsing has a parser run in a goroutine of its own, whose stack shows how deep what it
// reads is nested.
func parsing(do func(parser *syntax.Parser) error) (err error) {
	var ended sync.WaitGroup
	ended.Go(func() {
		defer func() {
			if cause := recover(); cause != nil {
				err = &InternalError{Cause: cause, Stack: debug.Stack()}
			}
		}()
		err = do(syntax.NewParser(syntax.Variant(syntax.LangBash)))
	})
	ended.Wait()
	return err
}

// arithmetic parses an expression, which is nil if there is none.
func (r *run) arithmetic(text string) (expr syntax.ArithmExpr, err error) {
	err = parsing(func(parser *syntax.Parser) (err error) {
		expr, err = parser.Arithmetic(&scriptReader{rest: text})
		return err
	})
	if errors.Is(err, errNesting) {
		err = r.exceeded("nesting", maxNesting)
	}
	return expr, err
}

// reparse gives the text of a script as it is to be run, which may be that of a file.
func (r *run) reparse(script, file string) (string, error) {
	tree, err := r.rewritten(script, "", rewriter{printed: true, file: file})
	if err != nil {
		return "", err
	}
	var text strings.Builder
	if err := syntax.NewPrinter().Print(&text, tree); err != nil {
		return "", err
	}
	return text.String(), nil
}

var errNesting = errors.New("nested too deep")

// A scriptReader gives a parser a script, and stops it if it has got too deep into
// itself: it reads a little at a time, and is nested as the script is.
type scriptReader struct{ rest string }

const (
	readAtATime     = 256
	framesPerParser = 8 * maxNesting
)

func (s *scriptReader) Read(p []byte) (int, error) {
	var one [1]uintptr
	if runtime.Callers(framesPerParser, one[:]) > 0 {
		return 0, errNesting
	}
	if s.rest == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), readAtATime)], s.rest)
	s.rest = s.rest[n:]
	return n, nil
}
