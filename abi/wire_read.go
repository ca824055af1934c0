package abi

import (
	"math"
	"unicode/utf8"
)

// A reader walks over the fields of a message and of those embedded in it. The
// first failure stays: from then on next is false and every read returns zero,
// so that the decoders need no error checks.
//
// A decoder of an embedded message looks like this:
//
//	outer := r.enter(field)
//	for r.next("Name") {
//		switch r.num {
//		case 1:
//			m.Field = r.uint32("field")
//		default:
//			r.skip()
//		}
//	}
//	r.leave(outer)
type reader struct {
	data  []byte // of the top-level message
	pos   int
	end   int // of the message being read
	depth int // of the Value being read
	count int // of embedded messages entered

	message string      // being read
	start   int         // of the current field
	num     fieldNumber // of the current field
	typ     wireType    // of the current field

	into *ReplyDecoder // whose messages are used; may be nil
	err  *DecodeError
}

func newReader(data []byte) reader { return reader{data: data, end: len(data)} }

// fail keeps the first failure. It is kept out of line so that the checks on the
// way to it stay small.
//
//go:noinline
func (r *reader) fail(field string, reason Reason) {
	if r.err == nil {
		r.err = &DecodeError{Message: r.message, Field: field, Offset: r.start, Reason: reason}
	}
	r.pos = r.end
}

// missing fails because no member of a oneof is set.
func (r *reader) missing(message, oneof string) {
	r.message, r.start = message, len(r.data)
	r.fail(oneof, ErrMissing)
}

// failed is the failure as an error, or nil.
func (r *reader) failed() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// next reads the next tag. It is false at the end of the message and after a
// failure. The caller has to read or skip the field.
func (r *reader) next(message string) bool {
	r.message = message
	if r.pos >= r.end || r.err != nil {
		return false
	}
	r.start = r.pos
	tag := r.varint("")
	num := tag >> 3
	if r.err == nil && (num == 0 || num > lastFieldNumber) {
		r.fail("", ErrFieldNumber)
	}
	r.num, r.typ = fieldNumber(num), wireType(tag&7)
	return r.err == nil
}

// varint reads a number of up to 64 bits.
func (r *reader) varint(field string) uint64 {
	if r.pos < r.end {
		if b := r.data[r.pos]; b < 0x80 {
			r.pos++
			return uint64(b)
		}
	}
	return r.longVarint(field)
}

func (r *reader) longVarint(field string) uint64 {
	var v uint64
	for shift := uint(0); shift < 64; shift += 7 {
		if r.pos >= r.end {
			r.fail(field, ErrTruncated)
			return 0
		}
		b := r.data[r.pos]
		r.pos++
		if shift == 63 && b > 1 {
			break
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	r.fail(field, ErrOverflow)
	return 0
}

// length reads the length of what follows and checks that it is there.
func (r *reader) length(field string) int {
	n := r.varint(field)
	if n > uint64(r.end-r.pos) {
		r.fail(field, ErrTruncated)
		return 0
	}
	return int(n)
}

// skip passes over a field that the message doesn't define. Groups are not
// supported.
func (r *reader) skip() {
	switch r.typ {
	case wireVarint:
		r.varint("")
	case wireBytes:
		n := r.length("") // which moves the position
		r.pos += n
	case wireFixed64:
		r.advance(8)
	case wireFixed32:
		r.advance(4)
	default:
		r.fail("", ErrWireType)
	}
}

func (r *reader) advance(n int) {
	if n > r.end-r.pos {
		r.fail("", ErrTruncated)
		return
	}
	r.pos += n
}

// want fails unless the current field has the wire type given.
func (r *reader) want(field string, typ wireType) bool {
	if r.typ == typ {
		return r.err == nil
	}
	r.fail(field, ErrWireType)
	return false
}

// enter starts to read an embedded message. The caller passes the result to
// leave.
func (r *reader) enter(field string) (outer int) {
	outer = r.end
	if r.count++; r.count > MaxMessages {
		r.fail(field, ErrTooMany)
		return outer
	}
	if r.want(field, wireBytes) {
		n := r.length(field) // which moves the position
		r.end = r.pos + n
	}
	return outer
}

// leave goes on with the message around the one that has been read.
func (r *reader) leave(outer int) {
	r.end = outer
}

func (r *reader) uint64(field string) uint64 {
	if !r.want(field, wireVarint) {
		return 0
	}
	return r.varint(field)
}

func (r *reader) uint32(field string) uint32 {
	v := r.uint64(field)
	if v > math.MaxUint32 {
		r.fail(field, ErrRange)
		return 0
	}
	return uint32(v)
}

func (r *reader) int64(field string) int64 { return int64(r.uint64(field)) }

func (r *reader) sint64(field string) int64 {
	v := r.uint64(field)
	return int64(v>>1) ^ -int64(v&1)
}

func (r *reader) sint32(field string) int32 {
	v := r.uint32(field)
	return int32(v>>1) ^ -int32(v&1)
}

func (r *reader) bool(field string) bool { return r.uint64(field) != 0 }

// enum reads one of the values 0 to last.
func (r *reader) enum(field string, last uint8) uint8 {
	v := r.uint64(field)
	if v > uint64(last) {
		r.fail(field, ErrEnum)
		return 0
	}
	return uint8(v)
}

// bytes reads a bytes field and refers to the data. The slice is never nil and
// has no spare capacity.
func (r *reader) bytes(field string) []byte {
	if !r.want(field, wireBytes) {
		return nil
	}
	n := r.length(field)
	b := r.data[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	return b
}

// raw copies a bytes field into a string.
func (r *reader) raw(field string) string { return string(r.bytes(field)) }

// text copies a string field, which must be UTF-8.
func (r *reader) text(field string) string {
	b := r.bytes(field)
	if !utf8.Valid(b) {
		r.fail(field, ErrInvalidUTF8)
		return ""
	}
	return string(b)
}
