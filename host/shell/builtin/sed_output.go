package builtin

import (
	"io/fs"
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A sedOutput is what an editor writes to.
type sedOutput struct {
	write   func([]byte) error
	missing bool // the end of the last line, as there was none
	close   func()
}

// line writes a line, with its end if it had one.
func (o *sedOutput) line(line sedLineText, delimiter byte) error {
	text := line.text
	if line.ends {
		text = append(text[:len(text):len(text)], delimiter)
	}
	if err := o.text(text, delimiter); err != nil {
		return err
	}
	o.missing = !line.ends
	return nil
}

// text writes something after the last line.
func (o *sedOutput) text(text []byte, delimiter byte) error {
	if o.missing {
		o.missing = false
		if err := o.write([]byte{delimiter}); err != nil {
			return err
		}
	}
	if len(text) == 0 {
		return nil
	}
	return o.write(text)
}

// standard is the standard output.
func (c *command) sedStandard() *sedOutput {
	return &sedOutput{write: func(p []byte) error {
		c.write(p)
		return c.fatal
	}, close: func() {}}
}

// file opens a file that w writes to.
func (e *sedEditor) file(name string) (*sedOutput, error) {
	if out, found := e.files[name]; found {
		return out, nil
	}
	var out *sedOutput
	switch name {
	case "/dev/stdout":
		out = e.standard
	case "/dev/stderr":
		out = &sedOutput{write: func(p []byte) error {
			_, err := e.c.Stderr.Write(p)
			return err
		}, close: func() {}}
	case "/dev/null":
		out = &sedOutput{write: func([]byte) error { return nil }, close: func() {}}
	default:
		handle, err := e.c.Files.Open(e.c.at(name), workspace.OpenOptions{
			Write: true, Create: true, Truncate: true, Mode: e.c.newMode(),
		})
		if err != nil {
			return nil, complaint("couldn't open file " + name + ": " + shell.ErrorText(err))
		}
		out = &sedOutput{write: func(p []byte) error {
			if _, err := handle.Append(p); err != nil {
				return complaint("couldn't write to " + name + ": " + shell.ErrorText(err))
			}
			return nil
		}, close: func() { _ = handle.Close() }}
	}
	e.files[name] = out
	return out, nil
}

// inPlace makes the output what a file will be replaced by.
func (e *sedEditor) inPlace() bool {
	e.edited = nil
	e.out = &sedOutput{write: func(p []byte) error {
		if len(e.edited)+len(p) > maxInput {
			return errSedMemory
		}
		e.edited = append(e.edited, p...)
		return nil
	}, close: func() {}}
	return true
}

// replace puts what was written in the place of the file.
func (e *sedEditor) replace() {
	name := e.in.name
	info, err := e.c.stat(name)
	if err == nil {
		err = e.keep(name, e.c.at(name), info)
	}
	if err != nil {
		e.c.fail(4, "couldn't edit %s: %s", name, shell.ErrorText(err))
	}
	e.out, e.edited = e.standard, nil
}

func (e *sedEditor) keep(name, to string, info workspace.Info) error {
	files := e.c.Files
	temporary := path.Join(path.Dir(to), "sed"+strings.Repeat("0", 6))
	if err := files.WriteFile(temporary, e.edited, info.Mode&fs.ModePerm); err != nil {
		return err
	}
	err := files.Chown(temporary, info.Owner, info.Group)
	if err == nil && e.options.suffix != "" {
		backup := backupName(name, e.options.suffix)
		if strings.HasSuffix(backup, "/") {
			backup += name // which isn't there
		}
		err = files.Rename(to, e.c.at(backup))
	}
	if err == nil {
		err = files.Rename(temporary, to)
	}
	if err != nil {
		_ = files.Remove(temporary)
	}
	return err
}

// backupName is what a file is called that was edited: an asterisk stands for its
// name, which is before the suffix otherwise.
func backupName(name, suffix string) string {
	dir, base := path.Split(name)
	if strings.Contains(suffix, "*") {
		base = strings.ReplaceAll(suffix, "*", base)
	} else {
		base += suffix
	}
	if strings.Contains(base, "/") && !strings.HasSuffix(base, "/") {
		return base
	}
	return dir + base
}
