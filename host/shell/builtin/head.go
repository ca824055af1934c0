package builtin

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// A window is which part of a text head or tail prints.
type window struct {
	count    int64
	bytes    bool
	relative bool // -n -5 of head, and +5 of tail
	headers  int  // 1: always, -1: never
}

func parseWindow(args []string) (window, []string, error) {
	options, names, err := grammar{
		letters: "n:c:qvfF", digits: 'n',
		long: map[string]byte{"lines": 'n', "bytes": 'c', "quiet": 'q', "silent": 'q', "verbose": 'v', "follow": 'f'},
	}.parse(args)
	w := window{count: 10}
	for _, o := range options {
		switch o.letter {
		case 'q':
			w.headers = -1
		case 'v':
			w.headers = 1
		case 'n', 'c':
			w.bytes = o.letter == 'c'
			if err = w.number(o.value); err != nil {
				return w, nil, err
			}
		}
	}
	return w, names, err
}

func (w *window) number(value string) error {
	digits := strings.TrimLeft(value, "+-")
	factor := int64(1)
	if n := len(digits); n > 0 {
		switch digits[n-1] {
		case 'k', 'K':
			factor, digits = 1<<10, digits[:n-1]
		case 'M':
			factor, digits = 1<<20, digits[:n-1]
		}
	}
	n, err := strconv.ParseInt(digits, 10, 40)
	if err != nil {
		what := "lines"
		if w.bytes {
			what = "bytes"
		}
		return fmt.Errorf("invalid number of %s: '%s'", what, value)
	}
	w.count = n * factor
	w.relative = strings.HasPrefix(value, "-")
	if strings.HasPrefix(value, "+") {
		w.relative = true
	}
	return nil
}

// show prints a part of each file, under its name if there are several.
func (c *command) show(w window, names []string, part func(from io.Reader) error) int {
	if len(names) == 0 {
		names = []string{"-"}
	}
	shown := 0
	for _, name := range names {
		from, err := c.open(name)
		if err != nil {
			c.fail(1, "cannot open '%s' for reading: %s", name, shell.ErrorText(err))
			continue
		}
		if w.headers > 0 || w.headers == 0 && len(names) > 1 {
			if shown++; shown > 1 {
				c.print("\n")
			}
			title := name
			if name == "-" {
				title = "standard input"
			}
			c.print("==> ", title, " <==\n")
		}
		if c.unread(part(from), "error reading '%s'", name) {
			break
		}
	}
	return 0
}

func head(c *command, args []string) int {
	w, names, err := parseWindow(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	return c.show(w, names, func(from io.Reader) error {
		switch {
		case w.bytes && !w.relative:
			return c.copy(io.LimitReader(from, w.count))
		case w.relative:
			return c.allBut(from, w)
		default:
			return c.firstLines(from, w.count)
		}
	})
}

func (c *command) firstLines(from io.Reader, count int64) error {
	buffer := make([]byte, 1<<12)
	for count > 0 && !c.stop() {
		n, err := from.Read(buffer)
		end := 0
		for end < n && count > 0 {
			i := bytes.IndexByte(buffer[end:n], '\n')
			if i < 0 {
				end = n
				break
			}
			end += i + 1
			count--
		}
		c.write(buffer[:end])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return c.fatal
}

// allBut prints all but the last lines or bytes.
func (c *command) allBut(from io.Reader, w window) error {
	content, err := c.readAll(from)
	if w.bytes {
		c.write(content[:max(len(content)-int(w.count), 0)])
		return err
	}
	c.write(content[:c.lastLines(content, w.count)])
	return err
}

// lastLines is where the last lines of a text begin.
func (c *command) lastLines(content []byte, count int64) int {
	end := len(bytes.TrimSuffix(content, []byte("\n")))
	if count == 0 {
		return len(content)
	}
	for ; count > 0; count-- {
		start := bytes.LastIndexByte(content[:end], '\n')
		if start < 0 || c.worked(end-start) {
			return 0
		}
		end = start
	}
	return end + 1
}

func tail(c *command, args []string) int {
	for i, arg := range args { // tail +5
		if len(arg) > 1 && arg[0] == '+' && strings.Trim(arg[1:], "0123456789") == "" && (i == 0 || args[i-1] != "-n" && args[i-1] != "-c") {
			args[i] = "-n" + arg
		}
	}
	w, names, err := parseWindow(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	from := w.relative && strings.Contains(strings.Join(args, " "), "+")
	return c.show(w, names, func(r io.Reader) error {
		content, err := c.readAll(r)
		switch {
		case from && w.bytes:
			c.write(content[min(max(int(w.count)-1, 0), len(content)):])
		case from:
			c.write(c.fromLine(content, w.count))
		case w.bytes:
			c.write(content[max(len(content)-int(w.count), 0):])
		default:
			c.write(content[c.lastLines(content, w.count):])
		}
		return err
	})
}

func (c *command) fromLine(content []byte, number int64) []byte {
	for ; number > 1 && len(content) > 0; number-- {
		i := bytes.IndexByte(content, '\n')
		if i < 0 || c.worked(i+1) {
			return nil
		}
		content = content[i+1:]
	}
	return content
}
