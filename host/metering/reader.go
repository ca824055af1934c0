package metering

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// A reader takes values off a part of a module. After its first error it is at
// its end and gives zeros, so that a caller may look at err once, after a loop
// that ends when the reader does.
type reader struct {
	wasm     []byte // the whole module
	pos, end int    // the part that is left
	err      error
}

func (r *reader) fail(kind ErrorKind, offset int, format string, args ...any) {
	if r.err == nil {
		r.err = &Error{Kind: kind, Offset: offset, Reason: fmt.Sprintf(format, args...)}
	}
	r.pos = r.end
}

func (r *reader) malformed(offset int, format string, args ...any) {
	r.fail(Malformed, offset, format, args...)
}

func (r *reader) tooLarge(offset int, format string, args ...any) {
	r.fail(TooLarge, offset, format, args...)
}

func (r *reader) unsupported(offset int, what, feature string) {
	r.fail(Unsupported, offset, "%s needs %s", what, feature)
}

func (r *reader) more() bool { return r.pos < r.end }

func (r *reader) byte() byte {
	if r.pos >= r.end {
		r.malformed(r.end, "a byte is missing")
		return 0
	}
	b := r.wasm[r.pos]
	r.pos++
	return b
}

// skip passes over n bytes.
func (r *reader) skip(n int) {
	if n > r.end-r.pos {
		r.malformed(r.end, "%d bytes are missing", n-(r.end-r.pos))
		return
	}
	r.pos += n
}

// u32 takes an unsigned LEB128 number.
func (r *reader) u32() uint32 {
	if r.pos < r.end && r.wasm[r.pos] < 0x80 {
		r.pos++
		return uint32(r.wasm[r.pos-1])
	}
	start := r.pos
	v := uint64(0)
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if v > 1<<32-1 {
				break
			}
			return uint32(v)
		}
	}
	r.malformed(start, "a number doesn't fit 32 bits")
	return 0
}

// s64 takes a signed LEB128 number of at most the given number of bytes.
func (r *reader) s64(most int) int64 {
	start := r.pos
	v := int64(0)
	for i := range most {
		b := r.byte()
		v |= int64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if shift := 7 * (i + 1); shift < 64 && b&0x40 != 0 {
				v |= -1 << shift
			}
			return v
		}
	}
	r.malformed(start, "a number has more than %d bytes", most)
	return 0
}

// count takes the length of a list, each item of which has a byte at least.
func (r *reader) count() int {
	start := r.pos
	n := r.u32()
	if uint64(n) > uint64(r.end-r.pos) {
		r.malformed(start, "a list of %d items in %d bytes", n, r.end-r.pos)
		return 0
	}
	return int(n)
}

// bytes takes a length and that many bytes, which alias the module.
func (r *reader) bytes() []byte {
	n := r.count()
	b := r.wasm[r.pos : r.pos+n]
	r.pos += n
	return b
}

// index takes an index, which has to be below a bound.
func (r *reader) index(what string, bound int) uint32 {
	start := r.pos
	i := r.u32()
	if uint64(i) >= uint64(bound) && r.err == nil {
		r.malformed(start, "the %s %d of %d", what, i, bound)
		return 0
	}
	return i
}

// zero takes a byte that has to be 0, since nothing but index 0 can be there.
func (r *reader) zero(what, feature string) {
	if start := r.pos; r.byte() != 0 {
		r.unsupported(start, what, feature)
	}
}

// done fails when something is left.
func (r *reader) done(what string) error {
	if r.more() {
		r.malformed(r.pos, "%d bytes after the end of %s", r.end-r.pos, what)
	}
	return r.err
}

func appendU32(b []byte, v uint32) []byte { return binary.AppendUvarint(b, uint64(v)) }

// widthU32 is how many bytes a number takes that is as short as it can be.
func widthU32(v uint32) int { return max(1, (bits.Len32(v)+6)/7) }

// appendS64 appends a signed LEB128 number.
func appendS64(b []byte, v int64) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if (v == 0 && low&0x40 == 0) || (v == -1 && low&0x40 != 0) {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

// appendWide appends an unsigned LEB128 number in at least the given number of
// bytes, at most five.
func appendWide(b []byte, v uint32, width int) []byte {
	for i := 1; i < width; i++ {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return appendU32(b, v)
}

func appendName(b []byte, name string) []byte {
	return append(appendU32(b, uint32(len(name))), name...)
}
