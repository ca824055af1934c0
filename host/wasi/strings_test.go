package wasi

import (
	"slices"
	"strings"
	"testing"
)

// readStrings asks for a list as a C library does: for its sizes, then for it.
func (w *world) readStrings(kind string) (list []string) {
	w.t.Helper()
	const sizes, addresses, text = 0, 1000, 2000
	w.wants(success, kind+"_sizes_get", sizes, sizes+4)
	count, size := w.u32(sizes), int(w.u32(sizes+4))
	w.put(text, strings.Repeat("x", size+1))
	w.wants(success, kind+"_get", addresses, text)
	if w.in.Bytes()[text+size] != 'x' {
		w.t.Errorf("%s_get writes beyond the %d bytes that it asked for", kind, size)
	}
	for i := range int(count) {
		s, _, ok := strings.Cut(string(w.in.Bytes()[w.u32(addresses+4*i):text+size]), "\x00")
		if !ok {
			w.t.Errorf("string %d of %s doesn't end", i, kind)
		}
		list = append(list, s)
	}
	return list
}

func TestArgumentsAndEnvironmentReachTheGuest(t *testing.T) {
	args := []string{"wc", "", "-l", "naïve ☃"}
	env := []string{"HOME=/workspace", "EMPTY="}
	w := newWorld(t, Config{Args: args, Env: env})
	if got := w.readStrings("args"); !slices.Equal(got, args) {
		t.Errorf("arguments %q, want %q", got, args)
	}
	if got := w.readStrings("environ"); !slices.Equal(got, env) {
		t.Errorf("environment %q, want %q", got, env)
	}
}

func TestStringsWithoutRoomAreNotWritten(t *testing.T) {
	w := newWorld(t, Config{Args: []string{"one", "two"}})
	w.put(0, strings.Repeat("x", 100))
	for name, params := range map[string][]uint64{
		"addresses outside":         {memorySize - 7, 50},
		"text outside":              {0, memorySize - 7},
		"text that overflows":       {0, 0xffff_fffc},
		"addresses that overflow":   {0xffff_fffc, 50},
		"both outside, far":         {0xffff_ffff, 0xffff_ffff},
		"text that begins at 2 GiB": {0, 1 << 31},
	} {
		if got := w.call("args_get", params...); got != efault {
			t.Errorf("%s: error number %d, want EFAULT", name, got)
		}
		if got := string(w.in.Bytes()[:100]); got != strings.Repeat("x", 100) {
			t.Errorf("%s: it wrote %q", name, got)
		}
	}
	w.wants(success, "args_get", memorySize-8, memorySize-16)
}

func TestListsThatOverlapAreNoCrash(t *testing.T) {
	w := newWorld(t, Config{Args: []string{"one", "two"}})
	w.wants(success, "args_get", 0, 0)
	w.wants(success, "args_get", 0, 2)
}
