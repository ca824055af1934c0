package verify

import "slices"

// A Difference is a fact in which two runs differ.
type Difference struct {
	Kind  DifferenceKind
	Call  int // as in a Fact
	Field string
	Want  string // of the first run; "" if Added
	Got   string // of the second run; "" if Missing
}

// A DifferenceKind is how two runs differ in a fact.
type DifferenceKind uint8

const (
	Changed DifferenceKind = iota // both have it, with other values
	Missing                       // the second run lacks it
	Added                         // the first run lacks it
)

// String is "changed", "missing" or "added".
func (k DifferenceKind) String() string {
	switch k {
	case Missing:
		return "missing"
	case Added:
		return "added"
	default:
		return "changed"
	}
}

// Compare lists how a run differs from another: nothing if they are the same. Those of
// the start come first, then those of the calls in their order, then those of the end.
func Compare(want, got *Transcript) []Difference {
	if slices.Equal(want.Facts, got.Facts) {
		return nil
	}
	engineWords := want.Engine == got.Engine
	var list []Difference
	for left, right := want.Facts, got.Facts; len(left)+len(right) > 0; {
		call := firstOf(left, right)
		var a, b []Fact
		a, left = cut(left, call)
		b, right = cut(right, call)
		list = append(list, compareFacts(a, b, engineWords)...)
	}
	return list
}

// firstOf is the call that comes first in either.
func firstOf(a, b []Fact) int {
	switch {
	case len(a) == 0:
		return b[0].Call
	case len(b) == 0 || place(a[0].Call) <= place(b[0].Call):
		return a[0].Call
	default:
		return b[0].Call
	}
}

// place is where the facts of a call come.
func place(call int) uint { return uint(call + 1) } // the end comes last: -1 is the largest

// cut takes the facts of a call from the front.
func cut(facts []Fact, call int) (front, rest []Fact) {
	n := 0
	for n < len(facts) && facts[n].Call == call {
		n++
	}
	return facts[:n], facts[n:]
}

// compareFacts compares the facts of one call.
func compareFacts(want, got []Fact, engineWords bool) (list []Difference) {
	if slices.Equal(want, got) {
		return nil
	}
	values := make(map[string]string, len(got))
	for _, fact := range got {
		values[fact.Field] = fact.Value
	}
	seen := make(map[string]bool, len(want))
	for _, fact := range want {
		seen[fact.Field] = true
		value, ok := values[fact.Field]
		switch {
		case fact.EngineWords && !engineWords || ok && value == fact.Value:
		case ok:
			list = append(list, Difference{Changed, fact.Call, fact.Field, fact.Value, value})
		default:
			list = append(list, Difference{Missing, fact.Call, fact.Field, fact.Value, ""})
		}
	}
	for _, fact := range got {
		if !seen[fact.Field] && (!fact.EngineWords || engineWords) {
			list = append(list, Difference{Added, fact.Call, fact.Field, "", fact.Value})
		}
	}
	return list
}

// First are the differences of the first call, or of the start or the end, in which
// there are any.
func First(list []Difference) []Difference {
	for i, d := range list {
		if d.Call != list[0].Call {
			return list[:i]
		}
	}
	return list
}
