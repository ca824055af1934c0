package abi

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

func TestVarintsTakeAsManyBytesAsTheOfficialOnes(t *testing.T) {
	for shift := range 64 {
		for _, v := range []uint64{1 << shift, 1<<shift - 1, math.MaxUint64 >> shift} {
			want := protowire.AppendVarint(nil, v)
			if got := appendVarint(nil, v); !bytes.Equal(got, want) {
				t.Errorf("%d is %x, want %x", v, got, want)
			}
			r := newReader(want)
			if got := r.varint(""); got != v || r.err != nil || r.pos != len(want) {
				t.Errorf("%x is %d after %d bytes (%v), want %d", want, got, r.pos, r.err, v)
			}
		}
	}
}

func TestEmbeddedMessagesGetTheShortestLength(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 129, 1<<14 - 1, 1 << 14, 1<<21 - 1, 1 << 21} {
		content := bytes.Repeat([]byte("a"), n)
		dst, mark := openMessage([]byte("prefix"), 3)
		got := closeMessage(append(dst, content...), mark)
		want := protowire.AppendBytes(protowire.AppendTag([]byte("prefix"), 3, protowire.BytesType), content)
		if !bytes.Equal(got, want) {
			t.Errorf("a message of %d bytes is encoded wrongly", n)
		}
	}
}

func TestNothingIsReadAfterAFailure(t *testing.T) {
	r := newReader([]byte{8, 1, 8, 1})
	if !r.next("M") {
		t.Fatal("no first field")
	}
	r.fail("first", ErrRange)
	r.fail("second", ErrEnum)
	if r.next("M") || !errors.Is(r.failed(), ErrRange) || r.err.Field != "first" {
		t.Errorf("after a failure: %v", r.failed())
	}
}

func FuzzSkip(f *testing.F) {
	f.Add([]byte{8, 0x80, 1})
	f.Add([]byte{10, 2, 'a', 'b', 13, 1, 2, 3, 4, 9, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add([]byte{11, 12})
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newReader(data)
		for rest := data; r.next("M"); {
			num, typ, tag := protowire.ConsumeTag(rest)
			if tag < 0 || protowire.Number(r.num) != num || protowire.Type(r.typ) != typ {
				t.Fatalf("%x: field %d of type %d, officially %d of type %d", rest, r.num, r.typ, num, typ)
			}
			n := protowire.ConsumeFieldValue(num, typ, rest[tag:])
			r.skip()
			group := typ == protowire.StartGroupType
			if (r.err == nil) != (n >= 0 && !group) || r.err == nil && r.pos != len(data)-len(rest)+tag+n {
				t.Fatalf("%x: skipped to %d (%v), officially %d bytes", rest, r.pos, r.err, tag+n)
			}
			if r.err == nil {
				rest = data[r.pos:]
			}
		}
	})
}

func FuzzVarint(f *testing.F) {
	f.Add([]byte{0x80, 0})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		want, n := protowire.ConsumeVarint(data)
		r := newReader(data)
		got := r.varint("")
		if (r.err == nil) != (n >= 0) || r.err == nil && (got != want || r.pos != n) {
			t.Errorf("%x is %d in %d bytes (%v), officially %d in %d", data, got, r.pos, r.err, want, n)
		}
	})
}
