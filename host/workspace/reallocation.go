package workspace

// maxUnderLock is the largest array that is made for content under a tree's lock, in
// bytes. More takes so long that others would notice.
const maxUnderLock = 1 << 20

// maxReallocations is how often an array is made in vain, because others have changed the
// content meanwhile.
const maxReallocations = 4

// A reallocation is another array for the content of a file, which is made while others
// use the tree.
type reallocation struct {
	from       []byte // the content, which nobody changes
	size, room int    // of the other array

	array []byte // the other one; nil until it is made
	last  bool   // if it doesn't fit any more, another one is made under the lock
}

// allocate makes the other array.
func (r *reallocation) allocate() {
	r.array = make([]byte, r.size, r.room)
	copy(r.array, r.from)
}

// fits reports whether the other array is there, and is what the content needs.
func (r *reallocation) fits(content []byte, size, room int) bool {
	return r != nil && r.size == size && r.room == room && len(r.from) == len(content) &&
		(len(content) == 0 || &r.from[0] == &content[0])
}

func (r *reallocation) isLast() bool { return r != nil && r.last }

// A contentChange changes the content of a file under the tree's lock, with an array that
// was made for it, or with nil. If it needs another one it gives that, to be made, and has
// changed nothing.
type contentChange func(ready *reallocation) (needed *reallocation, err error)

// changing changes the content of the file that is open, under the tree's lock. No large
// array is made there: a change that needs one is tried again once it is made. That is
// done for one change of a tree at a time, so that many take no more memory than one.
func (h *Handle) changing(op string, change contentChange) error {
	needed, err := h.attempt(op, change, nil)
	if needed == nil {
		return err
	}
	h.tree.reallocating.Lock()
	defer h.tree.reallocating.Unlock()
	for tries := 1; needed != nil; tries++ {
		ready := needed
		ready.allocate()
		ready.last = tries == maxReallocations
		needed, err = h.attempt(op, change, ready)
	}
	return err
}

func (h *Handle) attempt(op string, change contentChange, ready *reallocation) (needed *reallocation, err error) {
	err = h.on(op, h.name, func() error {
		needed, err = change(ready)
		return err
	})
	return needed, err
}
