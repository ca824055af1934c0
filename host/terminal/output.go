package terminal

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// An output keeps what was printed since the last update: if that is more than its
// limit, the first and the last half of the limit.
type output struct {
	limit int
	head  []byte
	tail  []byte // what comes after a full head: its end, twice as long at most
	spill int64  // how much came after a full head
}

func (o *output) write(b []byte) {
	n := min(len(b), o.half()-len(o.head))
	o.head = append(o.head, b[:n]...)
	o.writeTail(b[n:])
}

func (o *output) half() int { return (o.limit + 1) / 2 }

func (o *output) writeTail(b []byte) {
	o.spill += int64(len(b))
	b = b[max(len(b)-o.half(), 0):]
	if len(o.tail)+len(b) > 2*o.half() {
		o.tail = append(o.tail[:0], o.lastTail()...)
	}
	o.tail = append(o.tail, b...)
}

func (o *output) lastTail() []byte { return o.tail[max(len(o.tail)-o.half(), 0):] }

// take empties it. While more may come, the start of a character at the end is
// kept. Dropped is how many bytes are missing.
func (o *output) take(more bool) (all []byte, dropped int64) {
	all, dropped = o.join()
	o.head, o.tail, o.spill = nil, nil, 0
	if more {
		end := len(all) - brokenEnd(all)
		o.write(all[end:])
		all = all[:end]
	}
	return all, dropped
}

// join is all that there is, with a mark where some isn't.
func (o *output) join() (all []byte, dropped int64) {
	tail := o.lastTail()
	dropped = o.spill - int64(len(tail))
	if dropped == 0 {
		return append(o.head, tail...), 0
	}
	head := o.head[:len(o.head)-brokenEnd(o.head)]
	start := brokenStart(tail)
	dropped += int64(len(o.head) - len(head) + start)
	return bytes.Join([][]byte{head, fmt.Appendf(nil, "…%d bytes dropped…", dropped), tail[start:]}, nil), dropped
}

// brokenEnd is how many bytes at the end of b are the start of a character.
func brokenEnd(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if start := b[len(b)-n:]; utf8.RuneStart(start[0]) {
			if utf8.FullRune(start) {
				return 0
			}
			return n
		}
	}
	return 0
}

// brokenStart is how many bytes at the start of b may be the end of a character.
func brokenStart(b []byte) int {
	n := 0
	for n < utf8.UTFMax-1 && n < len(b) && !utf8.RuneStart(b[n]) {
		n++
	}
	return n
}
