package soak

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// usage is what the process uses when no session is open. What a system doesn't tell is 0.
type usage struct {
	heap       int // bytes of Go's values
	resident   int // bytes of the process in memory
	goroutines int
	files      int
	mappings   int // of memory
	code       int // bytes of those that can be executed and aren't of a file
}

func (u usage) String() string {
	return fmt.Sprintf("heap %.1f MiB, resident %.1f MiB, %d goroutines, %d files, %d mappings, code %.1f MiB",
		mebibytes(u.heap), mebibytes(u.resident), u.goroutines, u.files, u.mappings, mebibytes(u.code))
}

func mebibytes(n int) float64 { return float64(n) / (1 << 20) }

// measure gives the usage after all garbage is collected, and after goroutines that are
// at their end have had the time to reach it.
func measure(goroutines int) usage {
	for range 200 {
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	u := usage{goroutines: runtime.NumGoroutine()}
	runtime.GC() // runs finalizers, whose objects the next one collects
	debug.FreeOSMemory()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	u.heap = int(memory.HeapAlloc)
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		u.files = len(files)
	}
	if mappings, err := os.ReadFile("/proc/self/maps"); err == nil {
		for line := range strings.Lines(string(mappings)) {
			u.mappings++
			u.code += codeIn(line)
		}
	}
	if statm, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(statm)); len(fields) > 1 {
			pages, _ := strconv.Atoi(fields[1])
			u.resident = pages * os.Getpagesize()
		}
	}
	return u
}

// codeIn is the size of a mapping that can be executed, in bytes, and 0 for others and
// those of files: the code of guests is in none, and the C library loads a part of itself
// when it is first wanted.
func codeIn(mapping string) int {
	fields := strings.Fields(mapping) // addresses, rights, offset, device, inode, and the file if there is one
	var from, to uint64
	if len(fields) != 5 || !strings.Contains(fields[1], "x") {
		return 0
	}
	if _, err := fmt.Sscanf(fields[0], "%x-%x", &from, &to); err != nil {
		return 0
	}
	return int(to - from)
}

// quantities are what mustn't grow, and by how much each may differ for reasons that
// have nothing to do with sessions: Go's and C's allocators keep memory in pieces, and
// each thread has mappings of its own.
var quantities = []struct {
	name   string
	of     func(usage) int
	margin func(before int) int
}{
	{"bytes of heap", func(u usage) int { return u.heap }, func(n int) int { return 1<<20 + n/50 }},
	{"bytes in memory", func(u usage) int { return u.resident }, func(n int) int { return 16<<20 + n/20 }},
	{"goroutines", func(u usage) int { return u.goroutines }, none},
	{"files", func(u usage) int { return u.files }, none},
	{"mappings", func(u usage) int { return u.mappings }, func(int) int { return 64 }},
	{"bytes of code", func(u usage) int { return u.code }, none},
}

func none(int) int { return 0 }

// growth compares the last quarter of windows with the second one, as allocators take a
// while to have all that they will need. It compares medians, so that one window that is out of line says nothing.
func growth(seen []usage) (grown []string) {
	early, late := seen[len(seen)/4:len(seen)/2], seen[len(seen)*3/4:]
	for _, q := range quantities {
		a, b := median(early, q.of), median(late, q.of)
		if b > a+q.margin(a) {
			grown = append(grown, fmt.Sprintf("%s grow from %d to %d", q.name, a, b))
		}
	}
	return grown
}

// left is what is more than before of all that is counted. Memory isn't: what was loaded
// and made once is allowed to stay.
func left(before, after usage) (more []string) {
	for _, q := range quantities[2:] {
		if a, b := q.of(before), q.of(after); b > a+q.margin(a) {
			more = append(more, fmt.Sprintf("%d %s, before %d", b, q.name, a))
		}
	}
	return more
}

func median(seen []usage, of func(usage) int) int {
	values := make([]int, len(seen))
	for i, u := range seen {
		values[i] = of(u)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func TestGrowthIsSeen(t *testing.T) {
	at := usage{heap: 40 << 20, resident: 200 << 20, goroutines: 5, files: 8, mappings: 120, code: 9 << 20}
	tests := []struct {
		name   string
		change func(u *usage, window int)
		grown  int
	}{
		{"nothing changes", func(*usage, int) {}, 0},
		{"all grows at first", func(u *usage, window int) {
			n := min(window, windows/4)
			*u = usage{u.heap + n<<20, u.resident + n<<24, u.goroutines + n, u.files + n, u.mappings + 64*n, u.code + n<<12}
		}, 0},
		{"the heap goes up and down", func(u *usage, window int) { u.heap += window % 3 << 20 }, 0},
		{"one late window is out of line", func(u *usage, window int) {
			if window == windows-1 {
				*u = usage{u.heap * 2, u.resident * 2, u.goroutines + 9, u.files + 9, u.mappings * 2, u.code * 2}
			}
		}, 0},
		{"the heap grows with each session", func(u *usage, window int) { u.heap += window * 200 << 10 }, 1},
		{"memory outside of the heap grows", func(u *usage, window int) { u.resident += window * 4 << 20 }, 1},
		{"goroutines stay", func(u *usage, window int) { u.goroutines += window / 4 }, 1},
		{"files stay", func(u *usage, window int) { u.files += window / 4 }, 1},
		{"mappings stay", func(u *usage, window int) { u.mappings += window * 10 }, 1},
		{"code stays", func(u *usage, window int) { u.code += window / 4 << 12 }, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			seen := make([]usage, windows)
			for i := range seen {
				seen[i] = at
				test.change(&seen[i], i)
			}
			if grown := growth(seen); len(grown) != test.grown {
				t.Errorf("got %q, want %d", grown, test.grown)
			}
		})
	}
}
