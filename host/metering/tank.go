package metering

import (
	"fmt"
	"math"
)

// DefaultSlice is the slice of a [Tank] that doesn't say: some milliseconds of a
// compiled guest.
const DefaultSlice = 10_000_000

// A Tank is the host's side of a call's fuel: it deals it out in slices, so that
// the host gets to see between two of them whether the call is still wanted. How
// much a guest may use doesn't depend on how large the slices are.
//
// The zero value has no limit. A Tank belongs to one instance and isn't safe for
// concurrent use.
type Tank struct {
	// Limit is the most that a call may use. 0 means no limit.
	Limit int64

	// Slice is how much is dealt out at once. 0 means DefaultSlice.
	Slice int64

	granted int64
}

// Fill starts a call, whose fuel is counted from 0. The result is what the fuel global
// has to be set to.
func (t *Tank) Fill() int64 {
	t.granted = min(t.slice(), t.limit())
	return t.granted
}

// Resume starts a call, as Fill does, with the fuel that the last one has left, and
// which is still in the global. It is false if that isn't possible, and Fill is needed,
// because there is none or more than the call may use.
func (t *Tank) Resume(left int64) bool {
	if left < 0 || left > t.limit() {
		return false
	}
	t.granted = left
	return true
}

// Refill is what the imported function has to do: it takes the fuel that is left
// and gives what the guest has then, at least 0. It fails with an
// [*OutOfFuelError].
func (t *Tank) Refill(fuel int64) (int64, error) {
	used := t.Used(fuel)
	if used > t.limit() {
		return 0, &OutOfFuelError{Limit: t.Limit, Used: used}
	}
	next := min(t.slice(), t.limit()-used)
	t.granted = used + next
	return next, nil
}

// Used is the fuel that the call has used, when the global holds fuel.
func (t *Tank) Used(fuel int64) int64 { return t.granted - fuel }

func (t *Tank) slice() int64 {
	if t.Slice <= 0 {
		return DefaultSlice
	}
	return t.Slice
}

func (t *Tank) limit() int64 {
	if t.Limit <= 0 {
		return math.MaxInt64
	}
	return t.Limit
}

// An OutOfFuelError says that a call needed more fuel than its limit.
type OutOfFuelError struct {
	Limit int64
	Used  int64 // when it was noticed
}

func (e *OutOfFuelError) Error() string {
	return fmt.Sprintf("metering: the call used more than its %d units of fuel", e.Limit)
}
