package host

import (
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
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
func (t *blobs) offer(c *content) *abi.Blob {
	t.list = append(t.list, blob{content: c})
	sum := c.sum()
	return &abi.Blob{Handle: uint32(len(t.list)), Size: uint64(len(c.data)), SHA256: sum[:]}
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

// grow makes room for more bytes, and looks after each megabyte that is copied for that
// whether to go on.
func (b *blob) grow(more int, look func() error) error {
	size := len(b.written) + more
	if size <= cap(b.written) {
		return nil
	}
	grown := uncleared.Make(max(size, len(b.written)+len(b.written)/4))[:0]
	for piece := range slices.Chunk(b.written, engine.MovePiece) {
		if err := look(); err != nil {
			return err
		}
		grown = append(grown, piece...)
	}
	b.written = grown
	return nil
}

// resolve finds the content that a reply refers to. It is shared when it is the
// host's own. The string says what is wrong with the reference.
func (t *blobs) resolve(ref *abi.Blob) (*content, string) {
	b, ok := t.get(ref.Handle)
	if !ok {
		return nil, "it refers to a blob that doesn't exist"
	}
	if ref.Size != uint64(len(b.data())) {
		return nil, "it gives a blob another size than the blob has"
	}
	found := b.content
	if found == nil {
		found = newContent(b.written)
	}
	if len(ref.SHA256) == 0 {
		return found, ""
	}
	if sum := found.sum(); string(sum[:]) != string(ref.SHA256) {
		return nil, "it gives a blob another digest than the blob has"
	}
	return found, ""
}
