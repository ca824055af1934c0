package workspace

// An Effort is what operations went through besides the paths that they were given.
type Effort struct {
	Bytes int // of the targets of symlinks that were followed
	Nodes int // below folders that were moved: each time that they were gone through
}

// TakeEffort gives the effort of the operations on the handle since it was last taken,
// whether they failed or not. What is done from two folders is an operation on the
// first.
func (h *Handle) TakeEffort() Effort {
	h.tree.mu.Lock()
	defer h.tree.mu.Unlock()
	taken := h.effort
	h.effort = Effort{}
	return taken
}

// doing does something under the tree's lock, and notes the effort.
func (h *Handle) doing(do func() error) error {
	h.tree.effort = Effort{}
	err := do()
	h.effort.Bytes += h.tree.effort.Bytes
	h.effort.Nodes += h.tree.effort.Nodes
	return err
}
