package wasi

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// An encoded state is
//
//	the header, with the version
//	both clocks and the tick, in 8 bytes each
//	the state of the random bytes, with its length
//	the input that wasn't read, with its length, and whether the end was found
//	whether files were looked at
//	how many descriptors there are, and of each whether it is used, and if it is, what
//	it was, with the entries of a folder that it keeps
//
// where numbers without a width are varints, and others little-endian.
const stateHeader = "wasmsandbox world\x01"

// ErrMalformedState is the error of bytes that aren't an encoded state.
var ErrMalformedState = errors.New("wasi: the state is malformed")

// The bits of a descriptor's booleans.
const (
	flagAbove = 1 << iota
	flagRead
	flagWrite
	flagAppend
	flagListed
	flagsKnown = 1<<iota - 1
)

// AppendBinary implements [encoding.BinaryAppender]. It doesn't fail. A state that
// has something open without a name can be encoded, but not be restored.
func (s *State) AppendBinary(b []byte) ([]byte, error) {
	b = s.appendStreams(append(b, stateHeader...))
	b = append(b, bit(s.looked))
	b = binary.AppendUvarint(b, uint64(len(s.open)))
	for i := range s.open {
		b = s.open[i].append(b)
	}
	return b, nil
}

// appendStreams appends what moves on: the clocks, the random bytes and the input.
func (s *State) appendStreams(b []byte) []byte {
	for _, n := range []int64{s.clock.realtime, s.clock.monotonic, s.clock.tick} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	random := s.random
	encoded, _ := random.AppendBinary(nil) // never fails
	b = appendBytes(b, encoded)
	b = appendBytes(b, s.given)
	return append(b, bit(s.ended))
}

// MarshalBinary implements [encoding.BinaryMarshaler]. It doesn't fail.
func (s *State) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

func (o *opened) append(b []byte) []byte {
	b = append(b, bit(o.used))
	if !o.used {
		return b
	}
	d := &o.state
	flags := bit(d.above)*flagAbove | bit(o.how.Read)*flagRead | bit(o.how.Write)*flagWrite |
		bit(o.how.Append)*flagAppend | bit(d.listing != nil)*flagListed
	b = append(b, byte(d.stream), d.filetype, flags)
	b = binary.LittleEndian.AppendUint16(b, d.flags)
	for _, n := range []uint64{d.rights, d.inheriting, uint64(d.offset), o.inode} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = binary.AppendUvarint(b, uint64(d.first))
	b = appendBytes(b, []byte(d.preopen))
	if d.listing == nil {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(d.listing)))
	for _, e := range d.listing {
		b = binary.LittleEndian.AppendUint64(append(b, e.filetype), e.inode)
		b = appendBytes(b, []byte(e.name))
	}
	return b
}

func appendBytes(b, bytes []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(bytes))), bytes...)
}

func bit(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]: it makes a State that
// nobody else uses yet what was encoded. It doesn't keep b. It fails with
// [ErrMalformedState].
func (s *State) UnmarshalBinary(b []byte) error {
	d := &stateDecoder{rest: b}
	decoded := State{}
	if string(d.take(len(stateHeader))) != stateHeader {
		d.bad = true
	}
	decoded.clock = clock{realtime: d.int64(), monotonic: d.int64(), tick: d.int64()}
	if decoded.random.UnmarshalBinary(d.bytes()) != nil || decoded.clock.tick < 0 {
		d.bad = true
	}
	decoded.given = append([]byte(nil), d.bytes()...)
	decoded.ended, decoded.looked = d.bool(), d.bool()
	decoded.open = make([]opened, d.number(DefaultMaxDescriptors))
	for i := range decoded.open {
		d.opened(&decoded.open[i])
		if decoded.listed += len(decoded.open[i].state.listing); decoded.listed > maxListed {
			d.bad = true
		}
		if d.bad {
			return ErrMalformedState
		}
	}
	if d.bad || len(d.rest) > 0 {
		return ErrMalformedState
	}
	*s = decoded
	return nil
}

// A stateDecoder takes values off an encoded state. After its first error it gives
// zeros.
type stateDecoder struct {
	rest []byte
	bad  bool
}

func (d *stateDecoder) opened(o *opened) {
	if o.used = d.bool(); !o.used {
		return
	}
	s := &o.state
	s.stream, s.filetype = stream(d.byte()), d.byte()
	flags := d.byte()
	s.flags = d.uint16()
	s.rights, s.inheriting, s.offset, o.inode = d.uint64(), d.uint64(), d.int64(), d.uint64()
	s.first = d.number(DefaultMaxDescriptors)
	s.preopen = string(d.bytes())
	s.above = flags&flagAbove != 0
	o.how = workspace.OpenOptions{
		Read: flags&flagRead != 0, Write: flags&flagWrite != 0, Append: flags&flagAppend != 0,
	}
	if flags&flagListed != 0 {
		d.listing(s)
	}
	if flags > flagsKnown || s.flags > fdflagsAll || s.offset < 0 || !s.possible() {
		d.bad = true
	}
}

// possible reports whether there can be such a descriptor: a stream, a folder from
// the start, or what the guest has opened.
func (d *descriptor) possible() bool {
	switch {
	case d.stream > stderr:
		return false
	case d.stream != noStream:
		return d.first == 0 && d.preopen == "" && d.listing == nil && !d.isFolder()
	case d.first > 0:
		return d.isFolder() && d.preopen != ""
	default:
		return d.preopen == "" && (d.isFolder() || d.filetype == filetypeRegularFile) && (d.isFolder() || d.listing == nil)
	}
}

func (d *stateDecoder) listing(s *descriptor) {
	const least = 1 + 8 + 1
	n := d.number(min(maxListed, len(d.rest)/least))
	s.listing = make([]dirent, 0, n)
	for range n {
		e := dirent{filetype: d.byte(), inode: d.uint64()}
		e.name = string(d.bytes())
		s.listing = append(s.listing, e)
	}
}

// take takes n bytes, which alias the input.
func (d *stateDecoder) take(n int) []byte {
	if d.bad || n > len(d.rest) {
		d.bad = true
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *stateDecoder) bytes() []byte { return d.take(d.number(math.MaxInt32)) }

func (d *stateDecoder) byte() byte {
	if b := d.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *stateDecoder) bool() bool {
	b := d.byte()
	d.bad = d.bad || b > 1
	return b == 1
}

func (d *stateDecoder) uint16() uint16 {
	if b := d.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (d *stateDecoder) uint64() uint64 {
	if b := d.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (d *stateDecoder) int64() int64 { return int64(d.uint64()) }

// number takes a varint in its shortest form, of no more than most.
func (d *stateDecoder) number(most int) int {
	v, n := binary.Uvarint(d.rest)
	if d.bad || n <= 0 || n > 1 && d.rest[n-1] == 0 || v > uint64(most) {
		d.bad = true
		return 0
	}
	d.rest = d.rest[n:]
	return int(v)
}
