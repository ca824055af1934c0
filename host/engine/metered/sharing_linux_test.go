//go:build linux && cgo

package metered_test

import (
	"encoding/binary"
	"os"
	"slices"
	"testing"
	"unsafe"

	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// wasmtime maps what the data segments of a module hold, and copies a page when an
// instance writes to it. Putting an instance back, and giving it the state of another
// one, leave all other pages shared. (wazero's instances have memories of their own.)
func TestInstancesShareThePagesThatTheyDoNotWriteTo(t *testing.T) {
	const pages, mebibyte = 32, 1 << 20
	data := binary.AppendUvarint([]byte{1, 0, 0x41, 0, 0x0b}, mebibyte) // one segment, at 0
	data = append(data, slices.Repeat([]byte("data"), mebibyte/4)...)
	wasm := slices.Concat(module(
		section(5, 1, 0, pages),
		section(7, []byte("\x01\x06memory\x02\x00")...),
	), binary.AppendUvarint([]byte{11}, uint64(len(data))), data)
	m := compile(t, newMetered(t, engines["wasmtime"], metered.Config{}), wasm)
	one, other := instantiate(t, m), instantiate(t, m)
	at := func(in tester, offset uint32) []byte {
		view, _ := in.Memory().View(offset, 4)
		return view
	}
	copy(at(one, 0), "made")
	copy(at(one, mebibyte+4096), "made") // of the zeros
	s := snapshot(t, one)
	for range 3 {
		copy(at(one, 2*4096), "late")
		restore(t, one, s)
		restore(t, other, s)
	}
	for name, in := range map[string]tester{"put back": one, "another": other} {
		if string(at(in, 0)) != "made" || string(at(in, 2*4096)) != "data" || string(at(in, mebibyte+4096)) != "made" {
			t.Errorf("%s: it isn't as it was", name)
		}
		if own := ownPages(t, in); own < 1 || own > 8 {
			t.Errorf("%s: of 256 pages with data and as many without, %d are its own", name, own)
		}
	}
}

// ownPages counts the pages with data that are mapped from nowhere but the instance, as
// the kernel tells.
func ownPages(t *testing.T, in tester) (own int) {
	t.Helper()
	const present, ofFile, size = 1 << 63, 1 << 61, 4096
	if os.Getpagesize() != size {
		t.Skip("pages have another size")
	}
	table, err := os.Open("/proc/self/pagemap")
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = table.Close() }()
	memory, _ := in.Memory().View(0, uint32(in.Memory().Size()))
	entries := make([]byte, len(memory)/2/size*8)
	start := int64(uintptr(unsafe.Pointer(unsafe.SliceData(memory)))) / size * 8
	if _, err := table.ReadAt(entries, start); err != nil {
		t.Skip(err)
	}
	for entry := range slices.Chunk(entries, 8) {
		if e := binary.LittleEndian.Uint64(entry); e&present != 0 && e&ofFile == 0 {
			own++
		}
	}
	return own
}
