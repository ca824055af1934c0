package builtin

import (
	"cmp"
	"slices"
	"strconv"
)

// awkLoops are the loops over arrays' keys that a program is in. Their order is
// always the same: numbers first, by their value, then the rest by their bytes. A
// loop is over the keys that there were when it began.
type awkLoops struct {
	last int
	open map[int]*awkKeys
}

// awkKeys are the keys that a loop has yet to have.
type awkKeys struct {
	keys []awkKey
	at   int
}

type awkKey struct {
	text    string
	number  float64
	numeric bool
}

// begin gives the number of a new loop.
func (l *awkLoops) begin() int {
	if l.open == nil {
		l.open = map[int]*awkKeys{}
	}
	l.last++
	l.open[l.last] = &awkKeys{}
	return l.last
}

func (l *awkLoops) put(loop int, text string) int {
	k := l.open[loop]
	if k == nil {
		return 0
	}
	key := awkKey{text: text}
	if len(text) > 0 && len(text) <= maxAwkSeparator && (text[0] == '-' || text[0] == '.' || text[0] >= '0' && text[0] <= '9') {
		n, err := strconv.ParseFloat(text, 64)
		key.number, key.numeric = n, err == nil && n == n
	}
	k.keys = append(k.keys, key)
	return 0
}

func (l *awkLoops) sort(loop int) int {
	k := l.open[loop]
	if k == nil {
		return 0
	}
	slices.SortFunc(k.keys, func(a, b awkKey) int {
		switch {
		case a.numeric != b.numeric:
			if a.numeric {
				return -1
			}
			return 1
		case a.number != b.number:
			return cmp.Compare(a.number, b.number)
		}
		return cmp.Compare(a.text, b.text)
	})
	return 0
}

func (l *awkLoops) more(loop int) bool {
	k := l.open[loop]
	return k != nil && k.at < len(k.keys)
}

// key takes the next key.
func (l *awkLoops) key(loop int) string {
	k := l.open[loop]
	if k == nil || k.at == len(k.keys) {
		return ""
	}
	k.at++
	return k.keys[k.at-1].text
}

// drop forgets a loop, or all for 0.
func (l *awkLoops) drop(loop int) int {
	if loop == 0 {
		clear(l.open)
	}
	delete(l.open, loop)
	return 0
}
