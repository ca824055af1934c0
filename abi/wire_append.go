package abi

import (
	"strings"
	"unicode/utf8"
)

// The writing half of protobuf's wire format, as far as the messages need it.
// The package google.golang.org/protobuf/encoding/protowire is not used because
// it brings fmt and reflect into every Go guest.

// A wireType tells how the payload that follows a tag is laid out.
type wireType uint8

const (
	wireVarint  wireType = 0
	wireFixed64 wireType = 1 // only in fields to skip
	wireBytes   wireType = 2
	wireFixed32 wireType = 5 // only in fields to skip
)

// A fieldNumber identifies a field within its message.
type fieldNumber uint32

const lastFieldNumber = 1<<29 - 1

func appendVarint(dst []byte, v uint64) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}

func appendTag(dst []byte, num fieldNumber, typ wireType) []byte {
	return appendVarint(dst, uint64(num)<<3|uint64(typ))
}

// zigzag maps numbers of small magnitude to small numbers, for sint fields.
func zigzag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

// appendUint writes a number, unless it is zero.
func appendUint(dst []byte, num fieldNumber, v uint64) []byte {
	if v == 0 {
		return dst
	}
	return appendSetUint(dst, num, v)
}

// appendSetUint writes a number, also zero.
func appendSetUint(dst []byte, num fieldNumber, v uint64) []byte {
	return appendVarint(appendTag(dst, num, wireVarint), v)
}

// appendBool writes a truth value, unless it is false.
func appendBool(dst []byte, num fieldNumber, v bool) []byte {
	if !v {
		return dst
	}
	return append(appendTag(dst, num, wireVarint), 1)
}

// appendBytes writes a bytes field, unless it is empty.
func appendBytes[T ~string | ~[]byte](dst []byte, num fieldNumber, v T) []byte {
	if len(v) == 0 {
		return dst
	}
	return appendSetBytes(dst, num, v)
}

// appendSetBytes writes a bytes field, also an empty one.
func appendSetBytes[T ~string | ~[]byte](dst []byte, num fieldNumber, v T) []byte {
	dst = appendVarint(appendTag(dst, num, wireBytes), uint64(len(v)))
	return append(dst, v...)
}

// appendText writes a string field, unless it is empty.
func appendText(dst []byte, num fieldNumber, v string) []byte {
	if v == "" {
		return dst
	}
	return appendSetText(dst, num, v)
}

// appendSetText writes a string field, also an empty one. What isn't UTF-8 in it
// is replaced by U+FFFD, so that the message can be decoded.
func appendSetText(dst []byte, num fieldNumber, v string) []byte {
	if !utf8.ValidString(v) {
		v = strings.ToValidUTF8(v, "\uFFFD")
	}
	return appendSetBytes(dst, num, v)
}

// openMessage starts an embedded message. The caller appends its fields and
// passes the mark to closeMessage, which fills in the length.
func openMessage(dst []byte, num fieldNumber) (out []byte, mark int) {
	dst = append(appendTag(dst, num, wireBytes), 0)
	return dst, len(dst)
}

// closeMessage ends the embedded message that starts at mark. One byte was kept
// for its length, which is enough below 128; longer messages are moved up.
func closeMessage(dst []byte, mark int) []byte {
	n := len(dst) - mark
	if n < 0x80 {
		dst[mark-1] = byte(n)
		return dst
	}
	return closeLongMessage(dst, mark, n)
}

func closeLongMessage(dst []byte, mark, n int) []byte {
	var room [10]byte
	length := appendVarint(room[:0], uint64(n))
	dst = append(dst, length[1:]...) // any bytes: only makes room
	copy(dst[mark-1+len(length):], dst[mark:mark+n])
	copy(dst[mark-1:], length)
	return dst
}
