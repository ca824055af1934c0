package workspace_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// heap is how many bytes are in use.
func heap() int64 {
	var stats runtime.MemStats
	for range 3 { // what finalizers keep goes as well
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func TestATreeNeedsLittleMoreMemoryThanItsContent(t *testing.T) {
	for name, fill := range map[string]func(*workspace.Tree){
		"10 000 files of 4 KiB": func(w *workspace.Tree) {
			for i := range 10_000 {
				check(t, w.WriteFile(fmt.Sprintf("file-%05d", i), make([]byte, 4096), 0))
			}
			must(w.ReadDir("."))(t)
		},
		"10 000 files of 4 KiB in 1 000 folders": func(w *workspace.Tree) {
			for i := range 10_000 {
				check(t, w.MkdirAll(fmt.Sprintf("dir-%03d", i%1000), 0))
				check(t, w.WriteFile(fmt.Sprintf("dir-%03d/file-%05d", i%1000, i), make([]byte, 4096), 0))
			}
			_ = w.Snapshot()
		},
		"one file of 100 MiB": func(w *workspace.Tree) {
			check(t, w.WriteFile("file", make([]byte, 100<<20), 0))
		},
		"a file that grew to 40 MiB": func(w *workspace.Tree) {
			h := must(w.Open("file", readWrite))(t)
			for piece := make([]byte, 1<<16); h.Info().Size < 40<<20; {
				must(h.Append(piece))(t)
			}
		},
		"a file that was 100 MiB": func(w *workspace.Tree) {
			check(t, w.WriteFile("file", make([]byte, 100<<20), 0))
			check(t, must(w.Open("file", readWrite))(t).Truncate(51<<20))
		},
		"files that grew to 64 KiB": func(w *workspace.Tree) {
			for i := range 500 {
				h := must(w.Open(fmt.Sprint(i), readWrite))(t)
				for piece := make([]byte, 100); h.Info().Size < 64<<10; {
					must(h.Append(piece))(t)
				}
				check(t, h.Close())
			}
		},
		"a tree with ten clones": func(w *workspace.Tree) {
			for i := range 1000 {
				check(t, w.WriteFile(fmt.Sprint(i), make([]byte, 64<<10), 0))
			}
			for range 10 {
				clones = append(clones, w.Clone())
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			clones = nil
			before := heap()
			w := workspace.New(workspace.Config{})
			fill(w)
			used := heap() - before
			content, _ := w.Usage()
			t.Logf("%.1f MiB of content in %.1f MiB, %.3f times as much", mib(content), mib(used), float64(used)/float64(content))
			if float64(used) > 1.3*float64(content) {
				t.Errorf("%.1f MiB of content need %.1f MiB", mib(content), mib(used))
			}
			runtime.KeepAlive(w)
			clones = nil
		})
	}
}

var clones []*workspace.Tree

func mib(n int64) float64 { return float64(n) / (1 << 20) }
