package wasi

import "context"

// writable gives what can be written. What wasn't opened for that is EBADF, as on
// POSIX.
func (e *Env) writable(fd uint32) (*descriptor, errno) {
	d := e.fds.get(fd)
	if d == nil || d.rights&rightFdWrite == 0 {
		return nil, ebadf
	}
	return d, success
}

func fdWrite(ctx context.Context, e *Env, m memory, p params) (errno, error) {
	d, err := e.writable(p.u32(0))
	if err != success {
		return err, nil
	}
	v, err := e.vectors(m, p.u32(1), p.u32(2), p.u32(3))
	if err != success {
		return err, nil
	}
	if d.stream != noStream {
		return e.writeStream(ctx, e.output(d.stream), v)
	}
	end, err, ended := e.writeFile(ctx, d, v, d.offset)
	d.offset = end
	return err, ended
}

// fdPwrite writes at an offset also when writes go to the end, as POSIX has it.
func fdPwrite(ctx context.Context, e *Env, m memory, p params) (errno, error) {
	if e.fds.isStream(p.u32(0)) {
		return espipe, nil
	}
	d, err := e.writable(p.u32(0))
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
	at := *d
	at.flags &^= fdAppend
	_, err, ended := e.writeFile(ctx, &at, v, int64(p[3]))
	return err, ended
}

// writeFile writes at an offset of a file, or to its end, and gives the offset
// behind. What there is no room for is an error only when nothing was written.
func (e *Env) writeFile(ctx context.Context, d *descriptor, v vectors, offset int64) (end int64, err errno, ended error) {
	var total uint32
	for b, ok := v.next(); ok; b, ok = v.next() {
		if ended := e.move(ctx, len(b)); ended != nil {
			return offset, success, ended
		}
		end, err := e.writePiece(d, b, offset)
		if err != success && total == 0 {
			return offset, err, nil
		}
		if err != success {
			break
		}
		offset = end
		total += uint32(len(b))
	}
	return offset, v.moved(total), nil
}

func (e *Env) writePiece(d *descriptor, b []byte, offset int64) (end int64, err errno) {
	was := d.handle.Info().Size
	err = e.change(func() (failed error) {
		if d.flags&fdAppend != 0 {
			end, failed = d.handle.Append(b)
		} else {
			end, failed = d.handle.WriteAt(b, offset)
		}
		return failed
	})
	if gap := end - int64(len(b)) - was; err == success && gap > 0 { // it was filled up with zeros
		e.owesBytes(gap)
	}
	return end, err
}

func (e *Env) writeStream(ctx context.Context, out *output, v vectors) (errno, error) {
	for b, ok := v.next(); ok; b, ok = v.next() {
		if err := e.move(ctx, len(b)); err != nil {
			return success, err
		}
		if err, ended := out.write(b); err != success || ended != nil {
			return err, ended
		}
	}
	return v.moved(v.total), nil
}
