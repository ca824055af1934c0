package guesttest

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// limits are the defaults of section 6 of SPEC.md.
var limits = abi.Limits{InlineBytes: abi.InlineBytes, ReplyBytes: 16 << 20, LogBytes: 1 << 20, BlobBytes: 256 << 20}

// maxPanicBytes bounds what a dying guest may report.
const maxPanicBytes = 1 << 20

// host is what the guest imports, as section 3 of SPEC.md has it. A blob's handle
// is its index plus one.
type host struct {
	blobs    []blob
	logs     []Log
	logged   uint64 // bytes of the call's log
	written  uint64 // bytes of the blobs made in the call
	panicked *abi.Panic
}

// begin makes the limits count anew.
func (h *host) begin() { h.logged, h.written = 0, 0 }

func (h *host) Log(level abi.LogLevel, message string) int32 {
	if level > abi.LogError {
		return int32(abi.StatusBadArgument)
	}
	kept := message[:min(uint64(len(message)), limits.LogBytes-h.logged)]
	h.logged += uint64(len(kept))
	if kept != "" || message == "" {
		h.logs = append(h.logs, Log{Level: level, Message: strings.ToValidUTF8(kept, "\uFFFD")})
	}
	if len(kept) < len(message) {
		return int32(abi.StatusLimit)
	}
	return 0
}

func (h *host) Fail(message []byte) int32 {
	h.panicked = new(abi.Panic) // it is dead, however badly it says so
	if len(message) > maxPanicBytes {
		h.panicked.Message = "its report is too long"
		return int32(abi.StatusLimit)
	}
	var p abi.Panic
	if p.Unmarshal(message) != nil {
		h.panicked.Message = "its report can't be decoded"
		return int32(abi.StatusBadMessage)
	}
	h.panicked = &p
	return 0
}

// A blob is the host's own, or one that the guest writes.
type blob struct {
	data []byte
	own  bool
}

func (h *host) BlobRead(handle uint32, offset uint64, p []byte) int32 {
	b := h.blob(handle)
	if b == nil {
		return int32(abi.StatusBadHandle)
	}
	if offset > math.MaxInt64 || uint64(len(p)) > math.MaxInt32 { // a negative offset
		return int32(abi.StatusBadArgument)
	}
	return int32(copy(p, b.data[min(offset, uint64(len(b.data))):]))
}

func (h *host) BlobNew() int32 {
	h.blobs = append(h.blobs, blob{})
	return int32(len(h.blobs))
}

func (h *host) BlobWrite(handle uint32, p []byte) int32 {
	b := h.blob(handle)
	if b == nil || b.own {
		return int32(abi.StatusBadHandle)
	}
	if uint64(len(p)) > limits.BlobBytes-h.written {
		return int32(abi.StatusLimit)
	}
	h.written += uint64(len(p))
	b.data = append(b.data, p...)
	return int32(len(p))
}

func (h *host) blob(handle uint32) *blob {
	if handle == 0 || uint64(handle) > uint64(len(h.blobs)) {
		return nil
	}
	return &h.blobs[handle-1]
}

// content is data as a request carries it.
func (h *host) content(data []byte) abi.Content {
	if len(data) <= abi.InlineBytes {
		return abi.Content{Inline: data}
	}
	h.blobs = append(h.blobs, blob{data, true})
	digest := sha256.Sum256(data)
	return abi.Content{Blob: &abi.Blob{Handle: uint32(len(h.blobs)), Size: uint64(len(data)), SHA256: digest[:]}}
}

// inlineOutcome replaces the blobs of an outcome by their content.
func (h *host) inlineOutcome(out *abi.Outcome) error {
	var contents []*abi.Content
	switch {
	case out.Exec != nil:
		contents = []*abi.Content{&out.Exec.Stdout, &out.Exec.Stderr}
	case out.Stream != nil:
		contents = []*abi.Content{&out.Stream.Content}
	case out.PTY != nil:
		contents = []*abi.Content{&out.PTY.Output}
	}
	for _, c := range contents {
		if c.Blob == nil {
			continue
		}
		b := h.blob(c.Blob.Handle)
		if b == nil || uint64(len(b.data)) != c.Blob.Size {
			return fmt.Errorf("the outcome has a blob %d of %d bytes that the host doesn't know", c.Blob.Handle, c.Blob.Size)
		}
		*c = abi.Content{Inline: b.data}
	}
	return nil
}
