package host

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/internal/uncleared"
)

// blobs are the large byte fields of the call a guest works on. Handles count
// from one, in the order in which the blobs are made, and die with the call.
type blobs struct {
	list   []blob
	limit  int // bytes that the guest may create
	quota  int // of them, what is left
	wanted int // in all, when it was refused some; 0: it wasn't
}

// A blob is content of the host's, which is never changed, or bytes that the
// guest appends to.
type blob struct {
	content *content // not nil: read only
	written []byte
}

func (b *blob) data() []byte {
	if b.content != nil {
		return b.content.data
	}
	return b.written
}

func (t *blobs) reset(quota int) {
	clear(t.list)
	t.list, t.limit, t.quota, t.wanted = t.list[:0], quota, quota, 0
}

// breach is how the guest went over the limit in the call, or nil.
func (t *blobs) breach() *Breach {
	if t.wanted == 0 {
		return nil
	}
	return &Breach{Limit: LimitBlob, Reached: int64(t.wanted), Allowed: int64(t.limit)}
}

// offer makes a blob of the host's content.
func (t *blobs) offer(ctx context.Context, c *content) (*abi.Blob, error) {
	sum, err := c.sum(ctx)
	if err != nil {
		return nil, err
	}
	t.list = append(t.list, blob{content: c})
	return &abi.Blob{Handle: uint32(len(t.list)), Size: uint64(len(c.data)), SHA256: sum[:]}, nil
}

// maxBlobs bounds the handles of a call, so that empty blobs cost something too.
const maxBlobs = 1 << 16

// create makes an empty blob for the guest to write.
func (t *blobs) create() (uint32, abi.Status) {
	if len(t.list) >= maxBlobs {
		return 0, abi.StatusLimit
	}
	t.list = append(t.list, blob{})
	return uint32(len(t.list)), 0
}

func (t *blobs) get(handle uint32) (*blob, bool) {
	if handle == 0 || uint64(handle) > uint64(len(t.list)) {
		return nil, false
	}
	return &t.list[handle-1], true
}

// room takes what is to be added to a blob that the guest made from the quota.
func (t *blobs) room(handle uint32, more int) (*blob, abi.Status) {
	b, ok := t.get(handle)
	switch {
	case !ok || b.content != nil:
		return nil, abi.StatusBadHandle
	case more > t.quota:
		t.wanted = t.limit - t.quota + more
		return nil, abi.StatusLimit
	}
	t.quota -= more
	return b, 0
}

// grow makes room for more bytes, unless the context ends before.
func (b *blob) grow(ctx context.Context, more int) error {
	size := len(b.written) + more
	if size <= cap(b.written) {
		return nil
	}
	grown := uncleared.Make(max(size, len(b.written)+len(b.written)/4))[:0]
	if err := inPieces(ctx, b.written, func(piece []byte) { grown = append(grown, piece...) }); err != nil {
		return err
	}
	b.written = grown
	return nil
}

// resolve finds the content that a reply refers to. It is shared when it is the
// host's own. The error is a wrongReply, or the context's.
func (t *blobs) resolve(ctx context.Context, ref *abi.Blob) (*content, error) {
	b, ok := t.get(ref.Handle)
	if !ok {
		return nil, wrongReply("it refers to a blob that doesn't exist")
	}
	if ref.Size != uint64(len(b.data())) {
		return nil, wrongReply("it gives a blob another size than the blob has")
	}
	if b.content == nil { // nobody writes to it any more
		b.content = newContent(b.written)
	}
	if len(ref.SHA256) == 0 {
		return b.content, nil
	}
	sum, err := b.content.sum(ctx)
	if err == nil && string(sum[:]) != string(ref.SHA256) {
		err = wrongReply("it gives a blob another digest than the blob has")
	}
	return b.content, err
}
