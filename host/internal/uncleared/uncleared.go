// Package uncleared makes memory that is about to be written anyway.
package uncleared

import (
	"strings"
	"unsafe"
)

// Make gives new memory of a size, with anything in it. Make of Go would clear it, which for
// hundreds of megabytes takes long, all at once. The caller owns it.
func Make(size int) []byte {
	if size <= 0 {
		return nil
	}
	var b strings.Builder // which has no need to clear what it gets
	b.Grow(size)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), b.Cap())[:size:size]
}
