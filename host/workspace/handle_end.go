package workspace

// Append writes all bytes or none to the end of a file, however it was opened for
// writing. It gives the offset behind what it wrote.
func (h *Handle) Append(p []byte) (end int64, err error) {
	err = h.on("write", h.name, func() error {
		if !h.how.Write && !h.how.Append {
			return pathError("write", h.name, EBADF)
		}
		end = int64(h.node.content.size())
		if err := h.tree.write(h.node, p, end); err != nil {
			return pathError("write", h.name, err)
		}
		end += int64(len(p))
		return nil
	})
	return end, err
}

// Grow makes a file at least that long, in bytes.
func (h *Handle) Grow(size int64) error {
	return h.on("truncate", h.name, func() error {
		switch {
		case !h.how.Write && !h.how.Append:
			return pathError("truncate", h.name, EBADF)
		case size <= int64(h.node.content.size()):
			return nil
		}
		return pathError("truncate", h.name, h.tree.resize(h.node, size))
	})
}
