package metered_test

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

func encoded(t testing.TB, s *metered.State) []byte {
	t.Helper()
	b, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestStatesTravelAsBytes(t *testing.T) {
	for from, inner := range engines {
		in := start(t, inner, metered.Config{}, "limits")
		in.call(t, "grow", 1)
		in.call(t, "work", 300)
		s := snapshot(t, in)
		want := next(t, in)
		b := encoded(t, s)
		if len(b) > 2*4096 {
			t.Errorf("it takes %d bytes", len(b))
		}
		for to, inner := range engines {
			t.Run(from+" to "+to, func(t *testing.T) {
				var decoded metered.State
				if err := decoded.UnmarshalBinary(b); err != nil {
					t.Fatal(err)
				}
				if decoded.Digest() != s.Digest() || decoded.Module() != in.Module().Digest() {
					t.Error("it isn't the state that was encoded")
				}
				if again := encoded(t, &decoded); !bytes.Equal(again, b) {
					t.Error("it is encoded otherwise")
				}
				other := start(t, inner, metered.Config{}, "limits")
				restore(t, other, &decoded)
				wantNext(t, other, want)
			})
		}
	}
}

func TestDamagedStatesAreRefused(t *testing.T) {
	in := start(t, engines["wazero"], metered.Config{}, "limits")
	in.call(t, "work", 300)
	good := encoded(t, snapshot(t, in))
	refused := func(what string, at int, b []byte) {
		t.Helper()
		var s metered.State
		if err := s.UnmarshalBinary(b); err == nil {
			t.Errorf("%s at %d: no error", what, at)
		} else {
			wantKind(t, err, metered.Malformed)
		}
	}
	for at := range good {
		refused("cut", at, good[:at])
		flipped := bytes.Clone(good)
		flipped[at] ^= 0x81
		refused("flipped", at, flipped)
		if at < len(header) {
			refused("another version", at, resigned(flipped))
		}
	}
	refused("longer", len(good), append(bytes.Clone(good), 0))
}

const header = "wasmsandbox state\x01"

func TestStatesThatCannotBeAreRefused(t *testing.T) {
	pages := func(n byte) string { return header + strings.Repeat("m", 32) + string([]byte{n, 0, 0, 0}) }
	block, zeros := strings.Repeat("b", 4096), strings.Repeat("\x00", 4096)
	for name, test := range map[string]struct {
		body string
		fine bool
	}{
		"nothing":                       {pages(0) + "\x00\x00", true},
		"an empty memory":               {pages(5) + "\x00\x00", true},
		"globals":                       {pages(0) + "\x02\x7f\x01\x02\x03\x04\x00\x00\x00\x00\x7c12345678\x00", true},
		"a global of 32 bits with more": {pages(0) + "\x01\x7f\x01\x02\x03\x04\x00\x00\x01\x00\x00", false},
		"a vector":                      {pages(0) + "\x01\x7b12345678\x00", false},
		"a reference":                   {pages(0) + "\x01\x7012345678\x00", false},
		"more globals than bytes":       {pages(0) + "\xff\xff\xff\xff\x0f\x00", false},
		"a long number":                 {pages(0) + "\x80\x00\x00", false},
		"a number without an end":       {pages(0) + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", false},
		"two runs":                      {pages(1) + "\x00\x02\x00\x01\x0e\x01" + block + block, true},
		"a run after the memory":        {pages(1) + "\x00\x01\x10\x01" + block, false},
		"a run out of the memory":       {pages(1) + "\x00\x01\x0f\x02" + block + block, false},
		"a run without a memory":        {pages(0) + "\x00\x01\x00\x01" + block, false},
		"an empty run":                  {pages(1) + "\x00\x01\x01\x00", false},
		"runs that touch":               {pages(1) + "\x00\x02\x00\x01\x00\x01" + block + block, false},
		"a run of zeros":                {pages(1) + "\x00\x01\x00\x02" + block + zeros, false},
		"content that is cut":           {pages(1) + "\x00\x01\x00\x02" + block, false},
		"content that nobody needs":     {pages(1) + "\x00\x01\x00\x01" + block + block, false},
	} {
		var s metered.State
		err := s.UnmarshalBinary(resigned([]byte(test.body + strings.Repeat(" ", sha256.Size))))
		if test.fine && err != nil {
			t.Errorf("%s: error %v", name, err)
		}
		if !test.fine {
			wantKind(t, err, metered.Malformed)
		}
	}
	var s metered.State
	huge := []byte(strings.Replace(pages(0), "m\x00\x00\x00\x00", "m\x01\x00\x01\x00", 1) + "\x00\x00" + strings.Repeat(" ", sha256.Size))
	wantKind(t, s.UnmarshalBinary(resigned(huge)), metered.Malformed)
}

// resigned has the right digest, whatever comes before it.
func resigned(b []byte) []byte {
	body := b[:len(b)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

func FuzzStates(f *testing.F) {
	in := start(f, engines["wazero"], metered.Config{Limits: metered.Limits{MemoryPages: 4}}, "limits")
	f.Add(encoded(f, snapshot(f, in)))
	in.call(f, "work", 300)
	f.Add(encoded(f, snapshot(f, in)))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, b := range [][]byte{b, resigned(append(b, make([]byte, sha256.Size)...))} {
			var s metered.State
			if s.UnmarshalBinary(b) != nil {
				continue
			}
			if again := encoded(t, &s); !bytes.Equal(again, b) {
				t.Errorf("%x is encoded as %x", b, again)
			}
			if err := in.Restore(&s); err != nil {
				continue
			}
			if got := snapshot(t, in); got.Digest() != s.Digest() {
				t.Error("the state isn't the one that was restored")
			}
		}
	})
}
