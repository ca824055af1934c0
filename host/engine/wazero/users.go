package wazero

import "sync/atomic"

// users counts the calls in progress of an instance, and notes who waits for the last
// one to end. The zero value has none.
type users struct{ state atomic.Int64 }

// Who waits, beside the number of calls.
const (
	owner     int64 = 1 << 62 // of the instance, who has closed it
	engineEnd int64 = 1 << 61 // the engine, which is closed
	calls           = engineEnd - 1
)

// begin adds a call, unless somebody waits.
func (u *users) begin() bool {
	for {
		state := u.state.Load()
		if state > calls {
			return false
		}
		if u.state.CompareAndSwap(state, state+1) {
			return true
		}
	}
}

// end takes a call away. If it was the last one, it tells who waited for that.
func (u *users) end() (waiting int64) {
	if state := u.state.Add(-1); state&calls == 0 {
		return state
	}
	return 0
}

// wait notes who waits. It reports whether that is new, and whether there is no call to
// wait for; there will be no other.
func (u *users) wait(who int64) (first, over bool) {
	before := u.state.Or(who)
	return before&who == 0, before&calls == 0
}
