package metered

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// An encoded state is
//
//	the header, with the version
//	the SHA-256 of the module
//	the pages of the memory, in 4 bytes
//	how many globals there are, and of each its type and its bits in 8 bytes
//	how many runs there are, and of each the blocks since the one before and its own
//	the content of the runs
//	the SHA-256 of all that
//
// where numbers are little-endian, and those without a width varints. There is one
// encoding for a state.
const stateHeader = "wasmsandbox state\x01"

// Digest is a SHA-256 over module, memory and globals. Two states are the same if
// their digests are.
func (s *State) Digest() [32]byte {
	s.once.Do(func() {
		h := sha256.New()
		h.Write(s.appendHead(nil))
		h.Write(s.content.data)
		h.Sum(s.digest[:0])
	})
	return s.digest
}

// Module is the digest of the module whose state it is.
func (s *State) Module() [32]byte { return s.module }

// Size is about the memory that the state takes, in bytes.
func (s *State) Size() int { return len(s.content.data) }

// AppendBinary implements [encoding.BinaryAppender]. It doesn't fail.
func (s *State) AppendBinary(b []byte) ([]byte, error) {
	digest := s.Digest()
	b = slices.Grow(b, len(s.content.data)+1024)
	b = append(s.appendHead(b), s.content.data...)
	return append(b, digest[:]...), nil
}

// MarshalBinary implements [encoding.BinaryMarshaler]. It doesn't fail.
func (s *State) MarshalBinary() ([]byte, error) { return s.AppendBinary(nil) }

// appendHead appends all before the content.
func (s *State) appendHead(b []byte) []byte {
	b = append(append(b, stateHeader...), s.module[:]...)
	b = binary.LittleEndian.AppendUint32(b, s.pages)
	b = binary.AppendUvarint(b, uint64(len(s.globals)))
	for _, g := range s.globals {
		b = binary.LittleEndian.AppendUint64(append(b, byte(g.kind)), g.bits)
	}
	b = binary.AppendUvarint(b, uint64(len(s.content.runs)))
	end := 0
	for _, r := range s.content.runs {
		b = binary.AppendUvarint(b, uint64(r.start-end))
		b = binary.AppendUvarint(b, uint64(r.n))
		end = r.start + r.n
	}
	return b
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. Nobody else may use the State
// yet. It doesn't keep b, and fails with a [*StateError] of kind Malformed.
func (s *State) UnmarshalBinary(b []byte) error {
	d := stateDecoder{rest: b}
	d.decode(s, b)
	if d.reason != "" {
		return &StateError{Malformed, d.reason}
	}
	return nil
}

// A stateDecoder takes values off an encoded state. After its first error it gives
// zeros.
type stateDecoder struct {
	rest   []byte
	reason string
}

func (d *stateDecoder) fail(reason string) {
	if d.reason == "" {
		d.reason = reason
	}
	d.rest = nil
}

func (d *stateDecoder) decode(s *State, all []byte) {
	if string(d.take(len(stateHeader))) != stateHeader {
		d.fail("it doesn't start as this version does")
		return
	}
	decoded := State{}
	copy(decoded.module[:], d.take(len(decoded.module)))
	if pages := d.take(4); pages != nil {
		decoded.pages = binary.LittleEndian.Uint32(pages)
	}
	d.globals(&decoded)
	d.content(&decoded)
	digest := d.take(sha256.Size)
	if len(d.rest) > 0 {
		d.fail("something comes after its end")
	}
	if d.reason != "" {
		return
	}
	if sum := sha256.Sum256(all[:len(all)-sha256.Size]); !bytes.Equal(sum[:], digest) {
		d.fail("its digest is wrong")
		return
	}
	decoded.content.data = bytes.Clone(decoded.content.data)
	s.module, s.pages, s.globals, s.content = decoded.module, decoded.pages, decoded.globals, decoded.content
	s.once = sync.Once{}
	s.once.Do(func() { s.digest = [32]byte(digest) })
}

func (d *stateDecoder) globals(s *State) {
	const each = 1 + 8
	n := d.number(len(d.rest) / each)
	for range n {
		b := d.take(each)
		if b == nil {
			return
		}
		v := value{engine.ValueType(b[0]), binary.LittleEndian.Uint64(b[1:])}
		switch {
		case v.kind < engine.F64 || v.kind > engine.I32:
			d.fail("a global is of no number type")
		case (v.kind == engine.I32 || v.kind == engine.F32) && v.bits>>32 != 0:
			d.fail("a global of 32 bits has more")
		}
		s.globals = append(s.globals, v)
	}
}

func (d *stateDecoder) content(s *State) {
	const blocksPerPage = engine.PageSize / blockSize
	blocks := int64(s.pages) * blocksPerPage
	if s.pages > maxPages {
		d.fail("it has more memory than there can be")
	}
	end, total := int64(0), int64(0)
	for i := range d.number(len(d.rest) / 2) {
		gap := int64(d.number(maxPages * blocksPerPage))
		n := int64(d.number(maxPages * blocksPerPage))
		switch {
		case d.reason != "":
			return
		case n == 0 || gap == 0 && i > 0:
			d.fail("a run isn't as long as it could be")
			return
		case end+gap+n > blocks:
			d.fail("a run isn't inside the memory")
			return
		}
		s.content.runs = append(s.content.runs, run{int(end + gap), int(n)})
		end += gap + n
		total += n
	}
	if total*blockSize > int64(len(d.rest)) {
		d.fail("its content is cut short")
		return
	}
	s.content.data = d.take(int(total) * blockSize)
	for block := range int(total) {
		if isZero(s.content.data[block*blockSize:][:blockSize]) {
			d.fail("a run holds a block of zeros")
			return
		}
	}
}

// take takes n bytes, which alias the input.
func (d *stateDecoder) take(n int) []byte {
	if n > len(d.rest) {
		d.fail("it is cut short")
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

// number takes a varint in its shortest form, of no more than most.
func (d *stateDecoder) number(most int) int {
	v, n := binary.Uvarint(d.rest)
	switch {
	case n <= 0 || n > 1 && d.rest[n-1] == 0:
		d.fail("a number is malformed")
		return 0
	case v > uint64(most):
		d.fail("a number is too large")
		return 0
	}
	d.rest = d.rest[n:]
	return int(v)
}
