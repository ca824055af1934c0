package guesttest

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// The imports answer as section 3.3 of SPEC.md says.
func TestBlobsAreThoseOfTheSpecification(t *testing.T) {
	h := &host{}
	own := h.content(make([]byte, abi.InlineBytes+1)).Blob.Handle
	written := uint32(h.BlobNew())
	buffer := make([]byte, 10)
	tests := []struct {
		name string
		got  int32
		want int32
	}{
		{"writing to the host's blob", h.BlobWrite(own, buffer), int32(abi.StatusBadHandle)},
		{"writing to a blob that isn't", h.BlobWrite(99, buffer), int32(abi.StatusBadHandle)},
		{"writing to a new blob", h.BlobWrite(written, buffer), 10},
		{"reading across the end", h.BlobRead(own, abi.InlineBytes-4, buffer), 5},
		{"reading past the end", h.BlobRead(own, 1<<40, buffer), 0},
		{"reading from a blob that isn't", h.BlobRead(0, 0, buffer), int32(abi.StatusBadHandle)},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %d, want %d", test.name, test.got, test.want)
		}
	}
}
