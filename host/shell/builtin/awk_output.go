package builtin

import (
	"bytes"
	"io"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// An awkOutput is where a program prints to. It can hold back what is printed.
type awkOutput struct {
	c    *command
	held []*bytes.Buffer
}

func (o *awkOutput) Write(p []byte) (int, error) {
	if n := len(o.held); n > 0 {
		if o.held[n-1].Len()+len(p) > maxAwkHeld {
			return 0, errAwkString
		}
		return o.held[n-1].Write(p)
	}
	o.c.write(p)
	if o.c.stop() {
		return 0, o.c.fatal
	}
	return len(p), nil
}

// hold begins to hold back what is printed.
func (o *awkOutput) hold() int {
	o.held = append(o.held, &bytes.Buffer{})
	return 0
}

// taken is what was held back.
func (o *awkOutput) taken() []byte {
	n := len(o.held)
	if n == 0 {
		return nil
	}
	content := o.held[n-1].Bytes()
	o.held = o.held[:n-1]
	return content
}

// forget drops what was held back.
func (o *awkOutput) forget() int {
	o.held = nil
	return 0
}

// An awkFile is a file or a command that a program prints to.
type awkFile struct {
	handle  *workspace.Handle
	command string // "": a file
	input   bytes.Buffer
}

// maxAwkOpen is how many files and commands may be open to be printed to.
const maxAwkOpen = 1024

const errAwkOpen = complaint("too many open files")

// awkFiles are those that a program has to do with, besides its input.
type awkFiles struct {
	run     *awkRun
	names   []string // of open, in their order
	open    map[string]*awkFile
	readers map[string]*awkReader
	line    string // what was read last
	status  int
}

// print sends what was held back to where a redirection says.
func (f *awkFiles) print(kind, name string) (int, error) {
	content := f.run.out.taken()
	c := f.run.c
	switch {
	case kind == "" || kind != "|" && (name == "-" || name == "/dev/stdout"):
		outer := f.run.out.held
		f.run.out.held = nil
		_, err := f.run.out.Write(content)
		f.run.out.held = outer
		return 0, err
	case kind != "|" && name == "/dev/stderr":
		_ = c.out.Flush()
		_, err := c.Stderr.Write(content)
		return 0, err
	case kind != "|" && name == "/dev/null":
		return 0, nil
	}
	file, err := f.target(kind, name)
	if err != nil {
		return 0, err
	}
	if file.handle != nil {
		if _, err := file.handle.Append(content); err != nil {
			return 0, complaint("cannot write to `" + name + "': " + shell.ErrorText(err))
		}
		return 0, nil
	}
	if file.input.Len()+len(content) > maxInput {
		return 0, errInput
	}
	file.input.Write(content)
	return 0, nil
}

// target opens what is printed to.
func (f *awkFiles) target(kind, name string) (*awkFile, error) {
	if file := f.open[name]; file != nil {
		return file, nil
	}
	if len(f.names) >= maxAwkOpen {
		return nil, errAwkOpen
	}
	if f.run.c.stop() {
		return nil, f.run.c.fatal
	}
	file := &awkFile{}
	if kind == "|" {
		file.command = name
		_ = f.run.c.out.Flush() // what is printed from now on comes after it
	} else {
		c := f.run.c
		handle, err := c.Files.Open(c.at(name), workspace.OpenOptions{
			Write: true, Create: true, Truncate: kind == ">", Mode: c.newMode(),
		})
		if err != nil {
			return nil, complaint("cannot redirect to `" + name + "': " + shell.ErrorText(err))
		}
		file.handle = handle
	}
	f.open[name], f.names = file, append(f.names, name)
	return file, nil
}

// close ends a file or command.
func (f *awkFiles) close(name string) (int, error) {
	code := -1
	if _, found := f.readers[name]; found {
		delete(f.readers, name)
		code = 0
	}
	file := f.open[name]
	if file == nil {
		return code, nil
	}
	delete(f.open, name)
	f.names = slices.DeleteFunc(f.names, func(other string) bool { return other == name })
	return f.end(file)
}

func (f *awkFiles) end(file *awkFile) (int, error) {
	if file.handle != nil {
		return 0, file.handle.Close()
	}
	if f.run.c.stop() {
		return 0, f.run.c.fatal
	}
	return f.run.shell(file.command, bytes.NewReader(file.input.Bytes()), nil)
}

// closeAll ends all in the order in which they were opened: what is a file even
// when the run has ended.
func (f *awkFiles) closeAll() error {
	var failed error
	for _, name := range f.names {
		file := f.open[name]
		delete(f.open, name)
		_, err := f.end(file)
		if failed == nil {
			failed = err
		}
	}
	f.names = nil
	return failed
}

// read reads a record for getline: from a file, or what a command prints.
func (f *awkFiles) read(kind, name, separator string) (int, error) {
	reader, err := f.reader(kind, name)
	if err != nil {
		return 0, err
	}
	f.status = -1
	if reader == nil {
		return f.status, nil
	}
	line, ok, err := reader.next(separator)
	if err != nil {
		return 0, err
	}
	f.line, f.status = line, 0
	if ok {
		f.status = 1
	}
	return f.status, nil
}

// reader is what a name stands for. Nil: it can't be read.
func (f *awkFiles) reader(kind, name string) (*awkReader, error) {
	if reader := f.readers[name]; reader != nil {
		return reader, nil
	}
	var content []byte
	if kind == "|" {
		var out bytes.Buffer
		_ = f.run.c.out.Flush()
		if _, err := f.run.shell(name, nil, &limitedBuffer{to: &out}); err != nil {
			return nil, err
		}
		content = out.Bytes()
	} else {
		var err error
		if content, err = f.run.c.read(name); err != nil {
			return nil, nil
		}
	}
	reader := &awkReader{content: content}
	f.readers[name] = reader
	return reader, nil
}

// system runs a command, after what was printed so far.
func (r *awkRun) system(line string) (int, error) {
	_ = r.c.out.Flush()
	return r.shell(line, nil, nil)
}

// shell runs a command. What was printed is kept back as it is by programs whose
// output isn't a terminal.
func (r *awkRun) shell(line string, in io.Reader, out io.Writer) (int, error) {
	c := r.c
	if c.Terminal {
		_ = c.out.Flush()
	}
	if c.stop() {
		return 0, c.fatal
	}
	if in == nil {
		in = bytes.NewReader(nil)
	}
	code, err := c.Run(c, shell.Process{Args: []string{"sh", "-c", line}, Stdin: in, Stdout: out})
	if err != nil {
		c.fatal = err
	}
	return code, err
}

// A limitedBuffer keeps what is written, up to a limit.
type limitedBuffer struct{ to *bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.to.Len()+len(p) > maxInput {
		return 0, errInput
	}
	return b.to.Write(p)
}
