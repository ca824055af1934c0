package wasi

import "context"

// readable gives what can be read. What wasn't opened for that is EBADF, as on
// POSIX.
func (e *Env) readable(fd uint32) (*descriptor, errno) {
	d := e.fds.get(fd)
	switch {
	case d == nil:
		return nil, ebadf
	case d.isFolder():
		return nil, eisdir
	case d.rights&rightFdRead == 0:
		return nil, ebadf
	}
	return d, success
}

func fdRead(ctx context.Context, e *Env, m memory, p params) (errno, error) {
	d, err := e.readable(p.u32(0))
	if err != success {
		return err, nil
	}
	v, err := e.vectors(m, p.u32(1), p.u32(2), p.u32(3))
	if err != success {
		return err, nil
	}
	if d.stream == stdin {
		return e.readInput(ctx, d, v)
	}
	n, err, ended := e.readFile(ctx, d, v, d.offset)
	d.offset += int64(n)
	return err, ended
}

func fdPread(ctx context.Context, e *Env, m memory, p params) (errno, error) {
	if e.fds.isStream(p.u32(0)) {
		return espipe, nil
	}
	d, err := e.readable(p.u32(0))
	if err != success {
		return err, nil
	}
	v, err := e.vectors(m, p.u32(1), p.u32(2), p.u32(4))
	switch {
	case err != success:
		return err, nil
	case p[3] > maxOffset:
		return einval, nil
	}
	_, err, ended := e.readFile(ctx, d, v, int64(p[3]))
	return err, ended
}

// readFile reads from an offset of a file until the vectors are full or the file
// ends.
func (e *Env) readFile(ctx context.Context, d *descriptor, v vectors, offset int64) (total uint32, err errno, ended error) {
	for b, ok := v.next(); ok; b, ok = v.next() {
		n, failed := d.handle.ReadAt(b, offset)
		if failed != nil && total == 0 {
			return 0, errnoOf(failed), nil
		}
		if ended := e.move(ctx, n); ended != nil {
			return 0, success, ended
		}
		total += uint32(n)
		offset += int64(n)
		if n < len(b) {
			break
		}
	}
	return total, v.moved(total), nil
}

// readInput reads what there is of standard input, and waits until that is
// anything, unless the descriptor doesn't block.
func (e *Env) readInput(ctx context.Context, d *descriptor, v vectors) (errno, error) {
	_, ready := e.input.available()
	switch {
	case v.total == 0:
		return v.moved(0), nil
	case !ready && d.flags&fdNonblock != 0:
		return eagain, nil
	}
	if err := e.input.wait(ctx, int(min(v.total, inputPiece))); err != nil {
		return success, err
	}
	var total uint32
	for b, ok := v.next(); ok; b, ok = v.next() {
		n := e.input.read(b)
		if err := e.move(ctx, n); err != nil {
			return success, err
		}
		total += uint32(n)
		if n < len(b) {
			break
		}
	}
	return v.moved(total), nil
}
