package terminal

import "testing"

func TestWhichProcessMakesRoom(t *testing.T) {
	// A process a letter, from the one used longest ago; capitals have finished.
	for _, test := range []struct {
		rule, processes string
		want            byte
	}{
		{"S7.8 none", "", 0},
		{"S7.8 all are recent", "Abcdefgh", 0},
		{"S7.8 the one that isn't recent", "abcdefghi", 'a'},
		{"S7.8 the oldest", "abcdefghijk", 'a'},
		{"S7.8 one that has finished", "abCdEfghijklm", 'C'},
		{"S7.8 but not a recent one", "abcDEFGHIJK", 'a'},
	} {
		var candidates []candidate
		for i := range test.processes { // the newest first: the order doesn't matter
			name := test.processes[len(test.processes)-1-i]
			candidates = append(candidates, candidate{id: int(name), used: uint64(100 - i), exited: name < 'a'})
		}
		if id, ok := toPrune(candidates); id != int(test.want) || ok != (test.want != 0) {
			t.Errorf("%s: of %q it is %q (%v), want %q", test.rule, test.processes, rune(id), ok, test.want)
		}
	}
}
