package metering

import (
	"encoding/binary"
	"math"
	"slices"
)

// A Global is a mutable global that has been exported.
type Global struct {
	Export string // its reserved name
	Index  int    // in the original module
	Type   byte   // as WebAssembly encodes it: 0x7f is i32, 0x7e i64, 0x7d f32, 0x7c f64, 0x7b v128
}

// A Result is a rewritten module. The caller owns it.
type Result struct {
	Wasm    []byte
	Exports []string // those that were added, in the order of the export section
	Globals []Global // what Options.ExportGlobals has exported, by index
	Offsets *OffsetMap

	// LeastPages and MostPages are what the memory has from the start and may have by
	// what the module says, whatever the options do. Both are 0 if there is none.
	LeastPages, MostPages uint32

	// Volatile says why an instance isn't put back to an earlier state, or to that of
	// another one, when its memory and its globals are. It is empty when it is: nothing
	// changes the tables or drops segments but the start function before it is seen, which
	// does the same in each instance, and all else that can change is exported.
	Volatile []string
}

// AppendBinary implements [encoding.BinaryAppender], for [DecodeResult]. It doesn't fail.
func (r *Result) AppendBinary(b []byte) ([]byte, error) {
	b = slices.Grow(b, len(r.Wasm)+len(r.Offsets.spans)+1024)
	b = appendStrings(b, r.Exports)
	b = binary.AppendUvarint(b, uint64(len(r.Globals)))
	for _, g := range r.Globals {
		b = appendString(b, g.Export)
		b = append(binary.AppendUvarint(b, uint64(g.Index)), g.Type)
	}
	b = appendStrings(b, r.Volatile)
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.LeastPages)), uint64(r.MostPages))
	b = appendString(b, r.Offsets.spans)
	return append(b, r.Wasm...), nil
}

func appendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

func appendString[S ~string | ~[]byte](b []byte, s S) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// DecodeResult gives what AppendBinary has encoded with the same [Fingerprint], or false.
// It looks at the form alone: what it gives is as trustworthy as its source. Wasm is a
// part of b; the rest of the result isn't.
func DecodeResult(b []byte) (r *Result, ok bool) {
	d := resultDecoder{rest: b}
	r = &Result{Exports: d.strings()}
	for n := d.count(); n > 0 && !d.malformed; n-- {
		r.Globals = append(r.Globals, Global{Export: string(d.bytes()), Index: d.number(math.MaxInt32), Type: d.byte()})
	}
	r.Volatile = d.strings()
	r.LeastPages, r.MostPages = uint32(d.number(mostPages)), uint32(d.number(mostPages))
	r.Offsets = &OffsetMap{spans: slices.Clone(d.bytes())}
	r.Wasm = d.rest
	if d.malformed {
		return nil, false
	}
	return r, true
}

// A resultDecoder takes values off an encoded result. After the first that is malformed
// it gives zeros.
type resultDecoder struct {
	rest      []byte
	malformed bool
}

func (d *resultDecoder) fail() {
	d.rest, d.malformed = nil, true
}

// number takes a varint in its shortest form, of no more than most.
func (d *resultDecoder) number(most int) int {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 || n > 1 && d.rest[n-1] == 0 || v > uint64(most) {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return int(v)
}

// count takes the length of what has at least a byte for each.
func (d *resultDecoder) count() int { return d.number(len(d.rest)) }

func (d *resultDecoder) byte() byte {
	if len(d.rest) == 0 {
		d.fail()
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

func (d *resultDecoder) bytes() []byte {
	n := d.count()
	if n > len(d.rest) {
		d.fail()
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

func (d *resultDecoder) strings() (list []string) {
	for n := d.count(); n > 0 && !d.malformed; n-- {
		list = append(list, string(d.bytes()))
	}
	return list
}
