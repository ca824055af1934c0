package wazero

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

const header = "\x00asm\x01\x00\x00\x00"

// section makes a section of less than 128 bytes.
func section(id byte, content string) string {
	return string([]byte{id, byte(len(content))}) + content
}

const (
	oneType     = "\x01\x60\x00\x00" // () -> ()
	oneFunction = "\x01\x00"         // of that type
)

func TestSmallModulesThatWantMuchAreRefused(t *testing.T) {
	tests := map[string]struct{ wasm, text string }{
		"four billion locals": {
			header + section(1, oneType) + section(3, oneFunction) + section(10, "\x01\x08\x01\xff\xff\xff\xff\x0f\x7e\x0b"),
			"locals",
		},
		"locals in several groups": {
			header + section(1, oneType) + section(3, oneFunction) + section(10, "\x01\x0a\x02\xc0\xb8\x02\x7f\xc0\xb8\x02\x7e\x0b"),
			"locals",
		},
		"a table of 134 million entries": {header + section(4, "\x01\x70\x00\x80\xd7\xf2\x3f"), "entries"},
		"many functions with many locals": {
			header + section(1, oneType) + "\x03\xcb\x01\xc9\x01" + strings.Repeat("\x00", 201) +
				"\x0a\x81\x0b\xc9\x01" + strings.Repeat("\x06\x01\xd0\x86\x03\x7f\x0b", 201),
			"functions have",
		},
		"a billion imports":                  {header + section(2, "\x80\xff\xff\xff\x04\xf3\xff\x5f\x55\x7f\x01\x7f\x60\x00\x00"), "items"},
		"a type of four billion parameters":  {header + section(1, "\x01\x60\xff\xff\xff\xff\x0f"), "binary format"},
		"an import's name of four gigabytes": {header + section(2, "\x01\xff\xff\xff\xff\x0f"), "binary format"},
		"an export's name of four gigabytes": {header + section(7, "\x01\xff\xff\xff\xff\x0f"), "binary format"},
		"a section's name of four gigabytes": {header + section(0, "\xff\xff\xff\xff\x0f"), "binary format"},
		"a data segment of four gigabytes": {
			header + section(5, "\x01\x00\x01") + section(11, "\x01\x00\x41\x00\x0b\xff\xff\xff\xff\x0f"), "segments",
		},
		"a passive data segment of four gigabytes": {header + section(11, "\x01\x01\xff\xff\xff\xff\x0f"), "segments"},
		"a segment of four billion entries": {
			header + section(4, "\x01\x70\x00\x05") + section(9, "\x01\x00\x41\x00\x0b\xff\xff\xff\xff\x0f"), "segments",
		},
		"a passive segment of four billion expressions": {
			header + section(4, "\x01\x70\x00\x05") + section(9, "\x01\x05\x70\xff\xff\xff\xff\x0f"), "segments",
		},
		// What wazero reads as one type, and takes more bytes for.
		"locals behind one of another kind of type": {
			header + section(1, oneType) + section(3, oneFunction) + section(10, "\x01\x0b\x02\x00\x63\x00\xff\xff\xff\xff\x0f\x7e\x0b"),
			"binary format",
		},
		"entries behind another kind of type": {
			header + section(1, oneType) + section(4, "\x01\x70\x00\x05") + section(9, "\x01\x05\x63\x00\xff\xff\xff\xff\x0f"), "segments",
		},
		"entries behind a reference of another kind of type": {
			header + section(4, "\x01\x70\x00\x05") +
				section(9, "\x01\x00\xd0\xff\xfd\x0b\x0b\xff\xff\xff\xff\x0f"+strings.Repeat("\x00", 10)+"\x0b\x00"), "segments",
		},
		"a name behind a global of another kind of type": {
			header + section(1, oneType) +
				section(2, "\x02\x00\x00\x03\x63\x80\x14\x00\xff\xff\xff\xff\x0f"+strings.Repeat("\x00", 14)+"\x00\x00\x00"),
			"binary format",
		},
		"a name behind a table of another kind of type": {
			header + section(1, oneType) + section(2, "\x02\x00\x00\x01\x63\x00\x00\x14\xff\xff\xff\xff\x0f"+strings.Repeat("\x00", 15)+"\x00\x00\x00"),
			"binary format",
		},
		"a hundred tables": {header + section(4, "\x64"+strings.Repeat("\x70\x00\x01", 40)), "tables"},
	}
	e, err := New(t.Context(), Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := e.Compile(t.Context(), []byte(test.wasm))
			if !errors.As(err, new(*engine.CompileError)) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v, want a *CompileError about %s", err, test.text)
			}
		})
	}
}

func TestATableWithoutAMaximumGetsOne(t *testing.T) {
	wasm := []byte(header + section(4, "\x02\x70\x00\x05\x6f\x01\x05\x07") + section(0, "\x01xrest"))
	got, err := bound(wasm, DefaultMaxMemoryPages)
	if err != nil {
		t.Fatal(err)
	}
	want := header + section(4, "\x02\x70\x01\x05\x80\x80\x40\x6f\x01\x05\x07") + section(0, "\x01xrest")
	if string(got) != want {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

func TestACompilationEndsWithItsContext(t *testing.T) {
	const depth = 30_000 // nested blocks take wazero seconds
	body := "\x00" + strings.Repeat("\x02\x40", depth) + strings.Repeat("\x0b", depth) + "\x0b"
	code := append([]byte{1}, leb(len(body))...)
	code = append(code, body...)
	wasm := bytes.Join([][]byte{[]byte(header + section(1, oneType) + section(3, oneFunction) + "\x0a"), leb(len(code)), code}, nil)

	e, err := New(t.Context(), Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := e.Compile(ctx, wasm); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the context's", err)
	}
}

func leb(n int) []byte {
	var out []byte
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}
