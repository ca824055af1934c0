package metering_test

import (
	"bytes"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// Constants that appear once mark the places that are compared.
func TestOffsetsLeadToTheOriginal(t *testing.T) {
	mark := func(n byte) []byte { return []byte{0x41, 0xd0 | n, 0xa5, 0xab, 0x03, 0x1a} } // i32.const …, drop
	wasm := codeOf(slicesOf(mark(0), []byte{0x03, 0x40}, mark(1), []byte{0x41, 0, 0x0d, 0}, mark(2), []byte{0x0b},
		[]byte{0x10, 0}, mark(3), []byte{0x41, 1, 0x40, 0, 0x1a}, mark(4),
		[]byte{0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0xbf, 0x9f, 0xbd, 0x1a}, mark(5))...)
	for _, options := range allOptions {
		result := rewrite(t, wasm, options)
		for n := range byte(6) {
			from, want := bytes.Index(result.Wasm, mark(n)), bytes.Index(wasm, mark(n))
			for i := range len(mark(n)) {
				if got, ok := result.Offsets.Original(from + i); !ok || got != want+i {
					t.Errorf("mark %d, byte %d: %d leads to %d, %v, want %d", n, i, from+i, got, ok, want+i)
				}
			}
		}
		before, ok := result.Offsets.Original(bytes.Index(result.Wasm, mark(1)) - 1)
		if loop := bytes.Index(wasm, mark(1)); !ok || before != loop {
			t.Errorf("the charge of the loop is at %d, %v, want %d", before, ok, loop)
		}
		for _, outside := range []int{-1, 0, 20, len(result.Wasm), 1 << 30} {
			if got, ok := result.Offsets.Original(outside); ok {
				t.Errorf("%d, outside of the code, leads to %d", outside, got)
			}
		}
	}
}

// Each place has to lead to one in the same function, and none backwards.
func TestOffsetsOfARealGuest(t *testing.T) {
	for _, name := range []string{"sorthash", "floats"} {
		wasm := testGuest(t, name)
		result := rewrite(t, wasm, metering.Options{MaxDepth: 100})
		last, places := 0, 0
		for i := range result.Wasm {
			original, ok := result.Offsets.Original(i)
			if !ok {
				continue
			}
			if original < last || original >= len(wasm) {
				t.Fatalf("%s: %d leads to %d, after %d", name, i, original, last)
			}
			last = original
			places++
		}
		if places < len(wasm)/2 {
			t.Errorf("%s: %d places are in the code", name, places)
		}
	}
}
