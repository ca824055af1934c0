package v4a

import "strings"

// lines is a text cut at its line feeds. It takes four bytes a line, so that a text
// of nothing but line feeds doesn't take a hundred times its size.
type lines struct {
	text string  // shorter than 2 GiB
	ends []int32 // of the lines, in bytes from the start; the last one's is the text's
}

// split cuts a text. One that ends with a line feed has an empty last line, and the
// empty text has one line.
func split(text string) lines {
	ends := make([]int32, 0, strings.Count(text, "\n")+1)
	for at := 0; ; at++ {
		length := strings.IndexByte(text[at:], '\n')
		if length < 0 {
			return lines{text, append(ends, int32(len(text)))}
		}
		at += length
		ends = append(ends, int32(at))
	}
}

func (l lines) count() int { return len(l.ends) }

func (l lines) at(i int) string { return l.text[l.start(i):l.ends[i]] }

// start is where a line starts, or, for the one after the last, where it would.
func (l lines) start(i int) int {
	if i == 0 {
		return 0
	}
	return int(l.ends[i-1]) + 1
}

// between is the lines from one to before another, which is after it, with the line
// feeds between them.
func (l lines) between(from, to int) string { return l.text[l.start(from):l.ends[to-1]] }
