package workspace

// Replace makes what is below the root what some entries say, such as those of another
// tree's [Tree.Snapshot], but for the times, which are the tree's. It keeps what
// [Stage.Commit] does, and happens as that does: at one moment, or not at all. The tree
// keeps the contents, which must not be changed any more.
func (t *Tree) Replace(entries []Entry, keep ...string) error {
	stage, now := t.Stage(), t.Now()
	for _, e := range entries {
		e.Modified, e.Accessed = now, now
		if err := stage.Put(e); err != nil {
			return err
		}
	}
	return stage.Commit(keep...)
}
