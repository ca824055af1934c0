package v4a

import (
	"context"
	"slices"
)

// A form is how lines are compared.
type form int

const (
	exact form = iota
	trimmedRight
	trimmed

	forms
)

func (f form) of(line string) string {
	switch f {
	case trimmedRight:
		return trimRight(line)
	case trimmed:
		return trim(line)
	default:
		return line
	}
}

// none is no line of a file, and no id.
const none = -1

// An index has numbers, called ids, for the lines that a diff looks for. Lines that
// are the same in its form have the same id. Once the context has ended, what it says
// is anything.
type index struct {
	ctx  context.Context
	form form
	diff *diff

	ids         map[string]int32
	first, last []int32 // by id: where it is in the file; none: nowhere

	file   []int32 // the ids of the file's lines; none for those that aren't looked for
	wanted []int32 // the ids of what all hunks look for, in their order

	fruitless int   // searches that went through the file in vain
	lastPlace []int // by hunk: where its lines are for the last time; nil until needed
}

func newIndex(ctx context.Context, f form, file lines, d *diff) *index {
	x := &index{ctx: ctx, form: f, diff: d, ids: map[string]int32{}, wanted: make([]int32, 0, d.length)}
	for _, h := range d.hunks {
		for i := h.headers; i < h.body; i++ {
			x.id(d.header(i))
		}
		for line := range d.wanted(h) {
			x.wanted = append(x.wanted, x.id(line))
		}
	}
	x.addFile(file)
	return x
}

// id is the number of a line, a new one if it has none yet.
func (x *index) id(line string) int32 {
	key := x.form.of(line)
	id, ok := x.ids[key]
	if !ok {
		id = int32(len(x.ids))
		x.ids[key] = id
		x.first = append(x.first, none)
		x.last = append(x.last, none)
	}
	return id
}

func (x *index) addFile(file lines) {
	x.file = make([]int32, file.count())
	for i := range x.file {
		if ended(x.ctx, i) {
			return
		}
		id, ok := x.ids[x.form.of(file.at(i))]
		if !ok {
			x.file[i] = none
			continue
		}
		x.file[i], x.last[id] = id, int32(i)
		if x.first[id] == none {
			x.first[id] = int32(i)
		}
	}
}

// ended looks at a context in some of many rounds.
func ended(ctx context.Context, round int) bool { return round%4096 == 0 && ctx.Err() != nil }

// isBefore reports whether the file has a line before another.
func (x *index) isBefore(line string, before int) bool {
	first := x.first[x.id(line)]
	return first != none && int(first) < before
}

// lineFrom is where the file has a line, at or after another; or none.
func (x *index) lineFrom(line string, from int) int {
	id := x.id(line)
	if int(x.last[id]) < from {
		return none
	}
	return from + slices.Index(x.file[from:], id)
}

// pattern is what a hunk looks for.
func (x *index) pattern(h hunk) []int32 { return x.wanted[h.offset : h.offset+h.length] }

// match is a line of the file if the lines of a hunk are there, or none.
func (x *index) match(h hunk, line int) int {
	if line < 0 || !slices.Equal(x.file[line:line+h.length], x.pattern(h)) {
		return none
	}
	return line
}

// maxFruitless is how many searches of an index may go through the file in vain
// before it works out where the lines of all hunks are for the last time. Few diffs
// come to that, but in those which do each hunk might else read the whole file.
const maxFruitless = 4

// find is where the file has the lines of a hunk first, at or after a line; or none.
// A search that finds something is paid for by the cursor, which moves on.
func (x *index) find(k, from int) int {
	h := x.diff.hunks[k]
	pattern := x.pattern(h)
	for _, id := range pattern {
		if int(x.last[id]) < from {
			return none
		}
	}
	if x.fruitless >= maxFruitless && x.findLast(k) < from {
		return none
	}
	line := search(x.file, pattern, from)
	if line == none {
		x.fruitless++
	}
	return line
}

// findLast is where the file has the lines of a hunk last, or none.
func (x *index) findLast(k int) int {
	if x.lastPlace == nil {
		patterns := make([][]int32, len(x.diff.hunks))
		for i, h := range x.diff.hunks {
			patterns[i] = x.pattern(h)
		}
		x.lastPlace = lastPlaces(x.ctx, x.file, patterns)
	}
	return x.lastPlace[k]
}
