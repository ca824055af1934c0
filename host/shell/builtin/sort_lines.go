package builtin

import "bytes"

// sortLines are lines to be sorted. They stay where they are: only what says where
// that is gets another order.
type sortLines struct {
	text  []byte
	end   []byte // of each line
	index []sortLine
}

// A sortLine is where a line is in the text.
type sortLine struct{ offset, size uint32 }

func (l *sortLines) line(i int) []byte { return l.at(l.index[i]) }

func (l *sortLines) at(line sortLine) []byte { return l.text[line.offset:][:line.size] }

// sortable reads the lines of files. It tells of those that can't be read.
func (c *command) sortable(names []string, end byte) (*sortLines, error) {
	all := &sortLines{end: []byte{end}}
	var failed error
	c.each(2, names, func(_ string, content []byte) {
		if failed == nil && len(content) > 0 {
			failed = all.add(content)
		}
	})
	if failed != nil {
		return nil, failed
	}
	count := bytes.Count(all.text, all.end)
	if count >= maxLines {
		return nil, errLines
	}
	all.index = make([]sortLine, 0, count+1)
	offset := 0
	for line := range c.split(all.text, all.end) {
		all.index = append(all.index, sortLine{uint32(offset), uint32(len(line))})
		offset += len(line) + 1
	}
	return all, nil
}

// add puts the content of one more file behind what there is. That of the first one
// isn't copied.
func (l *sortLines) add(content []byte) error {
	switch {
	case len(l.text)+len(content) >= maxInput:
		return errLines
	case len(l.text) == 0:
		l.text = content[:len(content):len(content)]
		return nil
	}
	if !bytes.HasSuffix(l.text, l.end) {
		l.text = append(l.text, l.end...)
	}
	l.text = append(l.text, content...)
	return nil
}
