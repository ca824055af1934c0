package v4a

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// plainSearch is what search is to find.
func plainSearch(text, pattern []int32, from int) int {
	for i := from; i+len(pattern) <= len(text); i++ {
		if slices.Equal(text[i:i+len(pattern)], pattern) {
			return i
		}
	}
	return none
}

// plainLast is what lastPlaces is to find for one pattern.
func plainLast(text, pattern []int32) int {
	for i := len(text) - len(pattern); i >= 0 && len(pattern) > 0; i-- {
		if slices.Equal(text[i:i+len(pattern)], pattern) {
			return i
		}
	}
	return none
}

// randomIDs are few different ones, so that patterns repeat and overlap.
func randomIDs(r *rand.Rand, most int) []int32 {
	ids := make([]int32, r.IntN(most+1))
	for i := range ids {
		ids[i] = int32(r.IntN(2))
	}
	return ids
}

func TestSearchesFindWhatPlainOnesDo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		text := randomIDs(r, 30)
		for i := range text {
			if r.IntN(10) == 0 {
				text[i] = none
			}
		}
		patterns := make([][]int32, r.IntN(6))
		for k := range patterns {
			patterns[k] = randomIDs(r, 8)
		}
		last := lastPlaces(t.Context(), text, patterns)
		for k, pattern := range patterns {
			if want := plainLast(text, pattern); last[k] != want {
				t.Fatalf("%v of %v in %v is last at %d, want %d", pattern, patterns, text, last[k], want)
			}
			from := r.IntN(len(text) + 1)
			if len(pattern) == 0 {
				continue
			}
			if got, want := search(text, pattern, from), plainSearch(text, pattern, from); got != want {
				t.Fatalf("%v is in %v from %d at %d, want %d", pattern, text, from, got, want)
			}
		}
	}
}

func TestManyFruitlessSearchesChangeNothing(t *testing.T) {
	const hunks = 3 * maxFruitless
	file, change := "", ""
	for range hunks { // The lines are there as they are, but only at the end and not together.
		file += " a\nb\n"
		change += "@@\n-a\n+x\n b\n"
	}
	want := ""
	for range hunks {
		want += "x\nb\n"
	}
	end := "a\nc\nb\n"
	if got, err := Apply(t.Context(), file+end, change); err != nil || got != want+end {
		t.Errorf("%q, %v, want %q", got, err, want+end)
	}
	if _, err := Apply(t.Context(), file+end, change+"@@\n-a\n-b\n"); err == nil {
		t.Error("one hunk more than there are places was applied")
	}
}
