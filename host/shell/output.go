package shell

import (
	"bytes"
	"io"
	"strings"
)

// A limitedWriter is an output of the whole run.
type limitedWriter struct {
	run *run
	to  io.Writer // nil: nobody
}

func (r *run) limited(to io.Writer) io.Writer {
	if w, ok := to.(*limitedWriter); ok {
		return w
	}
	return &limitedWriter{r, to}
}

func (w *limitedWriter) Write(p []byte) (int, error) {
	if w.run.isTrace(p) {
		return len(p), nil
	}
	if w.run.output += int64(len(p)); w.run.output > w.run.limits.Output {
		return 0, w.run.exceeded("output", w.run.limits.Output)
	}
	if w.to == nil {
		return len(p), nil
	}
	n, err := w.to.Write(p)
	if err != nil {
		return n, w.run.failed(w.run.interrupted(), err)
	}
	return n, nil
}

// diagnostics are the standard error of a shell. Once it is stopped, the interpreter has
// nothing more to say.
type diagnostics struct {
	to      io.Writer
	stopped func() error
}

func (d *diagnostics) Write(p []byte) (int, error) {
	if d.stopped() != nil {
		return len(p), nil
	}
	return d.to.Write(p)
}

// isTrace reports what set -x prints of a command that is in a script by its being
// rewritten only.
func (r *run) isTrace(p []byte) bool {
	if !r.traced || r.plain || !bytes.HasPrefix(p, []byte("+ :")) {
		return false
	}
	line, ends := bytes.CutSuffix(p[2:], []byte("\n"))
	if !ends { // traces are written at once, and what echo writes is not
		return false
	}
	name, _, _ := bytes.Cut(line, []byte(" "))
	return internal[string(name)] != nil || string(name) == ":keys"
}

// setPlain says whether no traces are written, until the function is called that it returns.
func (r *run) setPlain(plain bool) (restore func()) {
	before := r.plain
	r.plain = plain
	return func() { r.plain = before }
}

// noteTrace has a look at whether options of set are those with which commands are traced:
// without them, what looks like a trace is what a script writes.
func (r *run) noteTrace(options []string) {
	for _, option := range options {
		r.traced = r.traced || option == "xtrace" || strings.HasPrefix(option, "-") && strings.Contains(option, "x")
	}
}

// A captureWriter is the output of a command substitution.
type captureWriter struct {
	run  *run
	to   io.Writer
	size int
}

func (w *captureWriter) Write(p []byte) (int, error) {
	if w.size += len(p); w.size > w.run.limits.Variable {
		return 0, w.run.exceeded("variable", int64(w.run.limits.Variable))
	}
	w.run.largest = max(w.run.largest, w.size)
	return w.to.Write(p)
}

// Read makes it a file for the interpreter.
func (w *captureWriter) Read([]byte) (int, error) { return 0, io.EOF }

// Close forgets the pipelines of the substitution.
func (w *captureWriter) Close() error {
	w.run.piped = -1
	return nil
}
