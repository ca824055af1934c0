package wazero

import (
	"bytes"
	"context"
	"testing"
)

// wazero believes a name section: it makes room for as many names as one says there are,
// which ended the process, and takes a module with one that it can't read for invalid.
func TestNameSectionsThatCantBeReadAreLeftOut(t *testing.T) {
	const (
		before = header + "\x01\x04\x01\x60\x00\x00" + "\x03\x02\x01\x00"
		tables = "\x04\x04\x01\x70\x00\x05"
		bound5 = "\x04\x07\x01\x70\x01\x05\x80\x80\x40"
		code   = "\x0a\x04\x01\x02\x00\x0b"
		most   = "\xff\xff\xff\xff\x0f"
	)
	e, err := New(t.Context(), Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	for name, test := range map[string]struct {
		names string
		kept  bool
	}{
		"readable":                           {"\x00\x02\x01m\x01\x04\x01\x00\x01a\x02\x06\x01\x00\x01\x00\x01x\x09\x01z", true},
		"of nothing":                         {"", true},
		"of functions that aren't there":     {"\x01\x07\x02\x00\x01a\x07\x01b", true},
		"four billion functions":             {"\x01\x05" + most, false},
		"four billion functions of locals":   {"\x02\x05" + most, false},
		"four billion locals":                {"\x02\x07\x01\x00" + most, false},
		"a long module name":                 {"\x00\x05" + most, false},
		"a module name that goes on":         {"\x00\x00\x09\x0faaaaaaaa\x01\x05" + most + "z", false},
		"functions that go on":               {"\x01\x01\x01\x09\x0a\x00\x00\x01\x05" + most + "zz", false},
		"a number of six bytes":              {"\x09\x80\x80\x80\x80\x80\x00", false},
		"functions of no bytes":              {"\x01\x00", false},
		"more after the functions":           {"\x01\x05\x01\x00\x01a\x09", false},
		"a part that is cut short":           {"\x01\x07\x01\x00\x01a", false},
		"a length that is cut short":         {"\x09\xff", false},
		"a name that isn't UTF-8":            {"\x01\x04\x01\x00\x01\xff", false},
		"a name of a local that isn't UTF-8": {"\x02\x06\x01\x00\x01\x00\x01\xff", false},
	} {
		t.Run(name, func(t *testing.T) {
			names := section(0, "\x04name"+test.names)
			kept := ""
			if test.kept {
				kept = names
			}
			for _, order := range []struct{ wasm, want string }{
				{before + code + names, before + code + kept},
				{before + tables + code + names, before + bound5 + code + kept},
				{header + names + before[8:] + tables + code, header + kept + before[8:] + bound5 + code},
			} {
				if got, err := bound([]byte(order.wasm), 1); err != nil || !bytes.Equal(got, []byte(order.want)) {
					t.Errorf("got  %x, %v\nwant %x", got, err, order.want)
				}
				if _, err := e.Compile(t.Context(), []byte(order.wasm)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	twice := section(0, "\x04name\x00\x02\x01m")
	if _, err := e.Compile(t.Context(), []byte(before+code+twice+twice)); err != nil {
		t.Error("with two of them:", err)
	}
}

// What is left in a module can be compiled without room for more than it has.
func FuzzNameSections(f *testing.F) {
	f.Add([]byte("\x00\x02\x01m\x01\x04\x01\x00\x01a\x02\x06\x01\x00\x01\x00\x01x\x09\x01z"))
	f.Add([]byte("\x00\x00\x09\x0faaaaaaaa\x01\x05\xff\xff\xff\xff\x0fz"))
	e, err := New(f.Context(), Config{}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = e.Close(context.Background()) })
	f.Fuzz(func(t *testing.T, names []byte) {
		if len(names) > 100 {
			t.Skip("it is longer than has to be")
		}
		m, err := e.Compile(t.Context(), []byte(header+section(0, "\x04name"+string(names))))
		if err != nil {
			t.Fatal(err)
		}
		_ = m.Close(t.Context())
	})
}
