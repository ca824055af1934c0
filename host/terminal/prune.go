package terminal

import "slices"

// The numbers of S7.8.
const (
	// MaxProcesses is how many processes a table holds. One more takes the place
	// of another.
	MaxProcesses = 64

	protectedRecent = 8
	minID           = 1_000
	maxID           = 99_999
)

// A candidate is a process that may have to make room.
type candidate struct {
	id     int
	used   uint64 // when it was last used; a larger one is later
	exited bool
}

// toPrune chooses the process that makes room: the one that wasn't used for the
// longest time, one that has finished before all that live, but none of those last
// used. It is false if there is no other (S7.8).
func toPrune(candidates []candidate) (id int, ok bool) {
	slices.SortFunc(candidates, func(a, b candidate) int {
		if a.used < b.used {
			return -1
		}
		return 1
	})
	old := candidates[:max(len(candidates)-protectedRecent, 0)]
	if i := slices.IndexFunc(old, func(c candidate) bool { return c.exited }); i >= 0 {
		return old[i].id, true
	}
	if len(old) > 0 {
		return old[0].id, true
	}
	return 0, false
}
