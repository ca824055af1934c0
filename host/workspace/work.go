package workspace

// Work is what operations went through besides the paths that they were given.
type Work struct {
	Bytes int // of the targets of symlinks that were followed
	Nodes int // below folders that were moved: each time that they were gone through
}

// TakeWork gives the work of the operations on the handle since it was last taken,
// whether they failed or not. What is done from two folders is an operation on the
// first.
func (h *Handle) TakeWork() Work {
	h.tree.mu.Lock()
	defer h.tree.mu.Unlock()
	taken := h.work
	h.work = Work{}
	return taken
}

// measured does something under the tree's lock, and adds up the work.
func (h *Handle) measured(do func() error) error {
	h.tree.work = Work{}
	err := do()
	h.work.Bytes += h.tree.work.Bytes
	h.work.Nodes += h.tree.work.Nodes
	return err
}
