package workspace

import "errors"

// mostTransferred is how much goes to another array under a tree's lock, in bytes. More
// takes so long that others would notice.
const mostTransferred = 1 << 20

// mostTransfers is how often an array is made in vain, because others have changed the
// content meanwhile.
const mostTransfers = 4

// A transfer takes the content of a file to another array, which is made while others use
// the tree. It is the error of a change that needs it first.
type transfer struct {
	from       []byte // the content, which nobody changes
	size, room int    // of the other array

	made  []byte // the other array; nil until there is one
	hasty bool   // if it doesn't fit any more, another one is made under the lock
}

func (t *transfer) Error() string { return "the content has to go to another array" }

// make makes the other array.
func (t *transfer) make() {
	t.made = make([]byte, t.size, t.room)
	copy(t.made, t.from)
}

// fits reports whether the other array is there, and is what the content needs.
func (t *transfer) fits(content []byte, size, room int) bool {
	return t != nil && t.size == size && t.room == room && len(t.from) == len(content) &&
		(len(content) == 0 || &t.from[0] == &content[0])
}

func (t *transfer) isHasty() bool { return t != nil && t.hasty }

// transferring changes the file that is open, under the tree's lock. No large array is made
// there: the change fails for want of one, and is tried again once it is made. That is
// done for one change of a tree at a time, so that many take no more memory than one.
func (h *Handle) transferring(op string, change func(with *transfer) error) error {
	var with *transfer
	do := func() error { return change(with) }
	err := h.on(op, h.name, do)
	if err == nil {
		return nil
	}
	needed, ok := errors.AsType[*transfer](err)
	if !ok {
		return err
	}
	h.tree.transfers.Lock()
	defer h.tree.transfers.Unlock()
	for tries := 1; ok; tries++ {
		with = needed
		with.make()
		with.hasty = tries == mostTransfers
		err = h.on(op, h.name, do)
		needed, ok = errors.AsType[*transfer](err)
	}
	return err
}
