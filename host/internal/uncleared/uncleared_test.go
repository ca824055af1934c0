package uncleared_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/internal/uncleared"
)

func TestMemoryIsOfItsSizeAndOfNobodyElse(t *testing.T) {
	for _, size := range []int{-1, 0, 1, 2, 31, 32, 33, 4096, 1<<20 + 1} {
		first, second := uncleared.Make(size), uncleared.Make(size)
		if want := max(size, 0); len(first) != want || cap(first) != want {
			t.Errorf("of %d bytes: it has %d of %d", size, len(first), cap(first))
		}
		for i := range first {
			first[i] = 1
			second[i] = 2
		}
		for i := range first {
			if first[i] != 1 {
				t.Fatalf("of %d bytes: byte %d is another one's too", size, i)
			}
		}
	}
}
