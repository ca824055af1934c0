package wasi

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A purse is an instance that notes what its guest pays, as long as it has something.
type purse struct {
	engine.Instance
	paid, has int64
}

var errPoor = errors.New("nothing is left")

func (p *purse) Charge(units int64) error {
	if p.paid += units; p.has > 0 && p.paid > p.has {
		return errPoor
	}
	return nil
}

// pays calls a function, and gives what the guest has paid for it.
func (w *world) pays(name string, params ...uint64) int64 {
	w.t.Helper()
	p := &purse{Instance: w.in}
	stack := make([]uint64, max(len(params), 1))
	copy(stack, params)
	if err := all[name].Call(w.t.Context(), p, stack); err != nil || stack[0] != 0 {
		w.t.Fatalf("%s%v: error number %d, %v", name, params, stack[0], err)
	}
	return p.paid
}

// A guest pays for what functions move, and for what looks at files.
func TestFunctionsHaveTheirPrice(t *testing.T) {
	tree := workspace.New(workspace.Config{})
	w := newWorld(t, Config{Files: tree, Args: []string{"name", "x"}, Stdin: make([]byte, 5000)})
	w.put(0, "file")
	w.put(16, "link")
	w.vectors(64, 1024, 800, 2048, 1600)
	file := uint64(len(w.env.fds.open)) // what the guest opens first
	for _, test := range []struct {
		name   string
		params []uint64
		want   int64
	}{
		{"sched_yield", nil, 0},
		{"clock_time_get", []uint64{0, 0, 512}, 0},
		{"random_get", []uint64{1024, 7}, 0},
		{"random_get", []uint64{1024, 8000}, 1000},
		{"args_get", []uint64{512, 600}, 2 * priceVector},
		{"fd_write", []uint64{1, 64, 2, 512}, 2*priceVector + 300},
		{"fd_read", []uint64{0, 64, 2, 512}, 2*priceVector + 300},
		{"poll_oneoff", []uint64{20_000, 30_000, 3, 512}, 3 * priceEvent},
		{"path_open", []uint64{3, 0, 0, 4, openCreate, rightFdRead | rightFdWrite | rightFdSetSize | rightFdAllocate, 0, 0, 512}, priceFiles + 4*pricePath},
		{"path_filestat_get", []uint64{3, 0, 0, 4, 600}, priceFiles + 4*pricePath},
		{"path_symlink", []uint64{0, 4, 3, 16, 4}, priceFiles + 8*pricePath},
		{"fd_write", []uint64{file, 64, 2, 512}, 2*priceVector + 300},
		{"fd_pwrite", []uint64{file, 64, 1, 10_400, 512}, priceVector + 100 + 1000},
		{"fd_pread", []uint64{file, 64, 2, 2400, 512}, 2*priceVector + 300},
		{"fd_pread", []uint64{file, 64, 2, 1 << 40, 512}, 2 * priceVector},
		{"fd_filestat_set_size", []uint64{file, 80_000}, priceFiles + 10_000},
		{"fd_filestat_set_size", []uint64{file, 80_000}, priceFiles},
		{"fd_allocate", []uint64{file, 0, 800}, priceFiles},
		{"fd_filestat_set_size", []uint64{file, 0}, priceFiles},
		{"fd_readdir", []uint64{3, 4096, 8192, 0, 512}, priceFiles + 4*priceEntry + (4*direntSize+4+4+1+2)/engine.BytesPerUnit},
	} {
		if got := w.pays(test.name, test.params...); got != test.want {
			t.Errorf("%s%v costs %d, want %d", test.name, test.params, got, test.want)
		}
	}
}

// A short path may lead through long symlinks, and a folder that is moved may have much
// below it: that has its price as well, even if nothing comes of it.
func TestWhatPathsLeadThroughHasItsPrice(t *testing.T) {
	policy, err := workspace.NewPolicy("", workspace.Grant{Path: "/rw"})
	if err != nil {
		t.Fatal(err)
	}
	tree := workspace.New(workspace.Config{Policy: policy})
	long := strings.Repeat("./", 1900)
	for _, failed := range []error{
		tree.MkdirAll("a/b/c", 0), tree.WriteFile("a/b/file", nil, 0), tree.Symlink("a", "l0"),
		tree.Symlink(long+"l0", "l1"), tree.Symlink(long+"l1", "l2"), tree.Symlink("oo", "oo"),
	} {
		if failed != nil {
			t.Fatal(failed)
		}
	}
	w := newWorld(t, Config{Files: tree})
	const chain = 2*(2*1900+2) + 1
	for _, test := range []struct {
		name     string
		path, to string
		want     int64
		fails    errno
	}{
		{name: "path_filestat_get", path: "l2/b", want: pricePath * (4 + chain)},
		{name: "path_filestat_get", path: "l2/b", want: pricePath * (4 + chain)}, // each time
		{name: "path_filestat_get", path: "l2/no", want: pricePath * (5 + chain), fails: enoent},
		{name: "path_filestat_get", path: "oo", want: pricePath * (2 + 40*2), fails: eloop},
		{name: "path_rename", path: "l2/b", to: "l0/b", want: pricePath * (4 + chain + 4 + 1)},
		{name: "path_rename", path: "a", to: "d", want: pricePath * 2},
		{name: "path_rename", path: "d", to: "longer", want: pricePath*(1+6) + priceEntry*3},
		{name: "path_rename", path: "longer", to: "/rw/x", want: pricePath*(6+5) + priceEntry*3},
		{name: "path_rename", path: "/rw/x", to: "/rw/" + strings.Repeat("x", 256), want: pricePath * (5 + 260), fails: enametoolong},
	} {
		w.put(atPath, test.path)
		w.put(atTarget, test.to)
		params := []uint64{3, 1, atPath, uint64(len(test.path)), atOut}
		if test.to != "" {
			params = []uint64{3, atPath, uint64(len(test.path)), 3, atTarget, uint64(len(test.to))}
		}
		p := &purse{Instance: w.in}
		if err := all[test.name].Call(t.Context(), p, params); err != nil || errno(params[0]) != test.fails {
			t.Errorf("%s of %s: error number %d, %v", test.name, test.path, params[0], err)
		}
		if want := priceFiles + test.want; p.paid != want {
			t.Errorf("%s of %s costs %d, want %d", test.name, test.path, p.paid, want)
		}
	}
}

// What is moved in pieces is paid for before it is moved, and ends with the context.
func TestWhatIsNotPaidForIsNotMoved(t *testing.T) {
	w := newWorld(t, Config{})
	w.vectors(64, 1024, 800)
	poor := &purse{Instance: w.in, has: 50}
	for name, params := range map[string][]uint64{
		"random_get": {1024, 800},
		"fd_write":   {1, 64, 1, 512},
	} {
		poor.paid = 0
		if err := all[name].Call(t.Context(), poor, params); !errors.Is(err, errPoor) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if out := w.env.DrainStdout(); out.Total != 0 || w.in.Bytes()[1024] != 0 {
		t.Errorf("it printed %d bytes", out.Total)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.env.move(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
