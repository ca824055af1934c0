package metered_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// running is a module whose function "run" gives a number, by code.
func running(code ...string) []byte {
	body := []byte("\x00" + strings.Join(code, "") + "\x0b")
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"), part(1, []byte("\x01\x60\x00\x01\x7f")), part(3, []byte("\x01\x00")),
		part(7, []byte("\x01\x03run\x00\x00")), part(10, []byte{1}, uleb(len(body)), body))
}

func TestOpcodesMayBeLongerThanTheyHaveToBe(t *testing.T) {
	for name, test := range map[string]struct {
		code string
		want uint64
	}{
		"v128.const":    {"\xfd\x8c\x00\x07" + strings.Repeat("\x00", 15) + "\xfd\x9b\x80\x80\x80\x00\x00", 7}, // and extract_lane
		"i32x4.abs":     {"\x41\x7d\xfd\x11\xfd\xa0\x81\x00\xfd\x9b\x80\x00\x00", 3},
		"i8x16.splat":   {"\x41\x01\xfd\x8f\x80\x00\xfd\x1b\x00", 0x01010101},
		"i32.trunc_sat": {"\x43\x00\x00\x00\x41\xfc\x80\x80\x00", 8},
	} {
		onEach(t, func(t *testing.T, inner maker) {
			in := instantiate(t, compiled(t, newMetered(t, inner, metered.Config{}), running(test.code)))
			if got := in.call(t, "run"); got != test.want {
				t.Errorf("%s: %d, want %d", name, got, test.want)
			}
		})
	}
}

// An engine that takes 0x8c for an opcode of one byte sees an end, a loop that nobody
// counts, and the start of a block, where others see a constant.
func TestCodeIsNotHiddenInConstants(t *testing.T) {
	const hidden = "\x0b\x03\x40\x0c\x00\x0b\x02\x40\x01\x01\x01\x01\x01\x01\x01\x01"
	wasm := running("\x02\x40\x41\x01\x0d\x00\xfd\x0c", strings.Repeat("\x00", 16), "\x41\x00\xfd\x8c\x00", hidden, "\x0b\x41\x07")
	onEach(t, func(t *testing.T, inner maker) {
		_, err := newMetered(t, inner, metered.Config{}).Compile(t.Context(), wasm)
		if _, ok := errors.AsType[*engine.CompileError](err); !ok {
			t.Errorf("error %v, want one of a module that is invalid", err)
		}
	})
}

// An active data segment has been dropped when code runs: nothing is left to be copied.
func TestActiveDataIsDropped(t *testing.T) {
	for _, test := range []struct {
		segment string // in the data section
		length  string
		fails   bool
	}{
		{"\x00\x41\x00\x0b\x01x", "\x01", true}, {"\x00\x41\x00\x0b\x01x", "\x00", false},
		{"\x02\x00\x41\x00\x0b\x01x", "\x01", true}, {"\x01\x01x", "\x01", false},
	} {
		code := []byte("\x00\x41\x05\x41\x00\x41" + test.length + "\xfc\x08\x00\x00\x41\x05\x2d\x00\x00\x0b")
		wasm := slices.Concat([]byte("\x00asm\x01\x00\x00\x00"), part(1, []byte("\x01\x60\x00\x01\x7f")), part(3, []byte("\x01\x00")),
			part(5, []byte("\x01\x00\x01")), part(7, []byte("\x01\x03run\x00\x00")), part(12, []byte{1}),
			part(10, []byte{1}, uleb(len(code)), code), part(11, []byte{1}, []byte(test.segment)))
		onEach(t, func(t *testing.T, inner maker) {
			_, err := instantiate(t, compiled(t, newMetered(t, inner, metered.Config{}), wasm)).try(t, "run")
			var trap *engine.TrapError
			if errors.As(err, &trap) != test.fails || test.fails && trap.Reason != "out of bounds memory access" {
				t.Errorf("%x, a length of %x: error %v", test.segment, test.length, err)
			}
		})
	}
}
