package abi_test

import (
	"bytes"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/abi/internal/abipb"
	vectors "github.com/wasmsandbox/wasmsandbox/testdata/abi"
)

// fuzz decodes any bytes: nothing panics, both runtimes agree, and what was
// decoded stays the same when it is encoded and decoded again.
func fuzz(f *testing.F, name string, newOurs func() message, newOfficial func() proto.Message) {
	for _, load := range []func() ([]vectors.Vector, error){vectors.Valid, vectors.Malformed} {
		all, err := load()
		if err != nil {
			f.Fatal(err)
		}
		for _, v := range all {
			if v.Message == name {
				f.Add(v.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ours := newOurs()
		assertAgreement(t, data, ours, newOfficial())
		if ours.Unmarshal(data) != nil {
			return
		}
		first, again := ours.Append(nil), newOurs()
		if err := again.Unmarshal(first); err != nil {
			t.Fatalf("%x encodes as %x, which is refused: %v", data, first, err)
		}
		if second := again.Append(nil); !bytes.Equal(first, second) {
			t.Errorf("%x encodes as %x, then as %x", data, first, second)
		}
	})
}

func FuzzCallUnmarshal(f *testing.F) {
	fuzz(f, "Call", func() message { return new(abi.Call) }, func() proto.Message { return new(abipb.Call) })
}

func FuzzOpenUnmarshal(f *testing.F) {
	fuzz(f, "Open", func() message { return new(abi.Open) }, func() proto.Message { return new(abipb.Open) })
}

func FuzzReplyUnmarshal(f *testing.F) {
	fuzz(f, "Reply", func() message { return new(abi.Reply) }, func() proto.Message { return new(abipb.Reply) })
}

func FuzzPanicUnmarshal(f *testing.F) {
	fuzz(f, "Panic", func() message { return new(abi.Panic) }, func() proto.Message { return new(abipb.Panic) })
}

// FuzzParsePermissions checks that what is taken is printed as it was, but for
// the marks and special flags, which don't show.
func FuzzParsePermissions(f *testing.F) {
	f.Add("drwxr-xr-x")
	f.Add("-rwsr-Sr-T@")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := abi.ParsePermissions(text)
		if err != nil {
			return
		}
		again, err := abi.ParsePermissions(p.String())
		if err != nil || again != p {
			t.Errorf("%q is %v, printed and read again %v (%v)", text, p, again, err)
		}
	})
}
