package archive

import (
	"bytes"
	"context"
	"io"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// chunk is how much of an archive is read at a time, as far as limits can tell
// (S6.26).
const chunk = 8 << 10

// input reads all of an archive, up to a limit.
func input(ctx context.Context, o ExtractOptions, most int64) ([]byte, error) {
	limit, reason := o.Limits.MaxInputBytes, ReasonInputBytes
	if limit == 0 || limit > most {
		limit, reason = most, ReasonWorkspace
	}
	enough := limit/chunk*chunk + chunk // the chunk with which it is too much
	data, err := o.Data, error(nil)
	if o.Reader != nil {
		data, err = readAll(ctx, o.Reader, enough)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	switch actual := min(int64(len(data)), enough); {
	case actual <= limit && err != nil:
		return nil, &CorruptError{Path: o.Path, Err: err}
	case actual <= limit && o.Reader != nil && cap(data)-len(data) > len(data)/8:
		return bytes.Clone(data), nil // what the workspace keeps is what it counts
	case actual <= limit:
		return data, nil
	case reason == ReasonWorkspace:
		err = &workspace.LimitError{Limit: "bytes", Max: limit, Actual: actual}
	default:
		err = nil
	}
	return nil, &LimitError{Path: o.Path, Reason: reason, Limit: limit, Actual: min(int64(len(data)), enough), Err: err}
}

// readAll reads a stream up to some length. One that says how long it is is read
// without waste.
func readAll(ctx context.Context, r io.Reader, most int64) ([]byte, error) {
	size := int64(0)
	if sized, ok := r.(interface{ Len() int }); ok {
		size = min(int64(sized.Len()), most)
	}
	return grow(io.LimitReader(&lasting{ctx, r}, most), size, nil)
}

// A lasting reader reads no longer than a context lasts.
type lasting struct {
	ctx  context.Context
	from io.Reader
}

func (l *lasting) Read(p []byte) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	return l.from.Read(p)
}

// grow reads to the end of a stream that is thought to have that many bytes. It
// appends to what there is.
func grow(r io.Reader, size int64, data []byte) ([]byte, error) {
	if size > 0 {
		data = append(make([]byte, 0, int64(len(data))+size+1), data...)
	}
	for {
		if len(data) == cap(data) {
			data = append(data, make([]byte, max(64<<10, len(data)))...)[:len(data)]
		}
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return data, err
		}
	}
}
