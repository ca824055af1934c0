package wasi

import (
	"context"
	"errors"
	"testing"

	wz "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

func TestAllOfPreview1IsOfferedWithTheRightTypes(t *testing.T) {
	r := wz.NewRuntime(t.Context())
	defer r.Close(t.Context())
	reference, err := wasi_snapshot_preview1.NewBuilder(r).Compile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := reference.ExportedFunctions()
	if len(all) != len(want) || len(functions)+1 != len(want) {
		t.Errorf("%d functions in a table of %d and one, want %d", len(all), len(functions), len(want))
	}
	for name, d := range want {
		if got := all[name].Type; string(bytes(got.Params)) != string(d.ParamTypes()) ||
			string(bytes(got.Results)) != string(d.ResultTypes()) {
			t.Errorf("%s has the type %s, want %v -> %v", name, got, d.ParamTypes(), d.ResultTypes())
		}
	}
}

func bytes(types []engine.ValueType) (b []byte) {
	for _, t := range types {
		b = append(b, byte(t))
	}
	return b
}

func TestWhatIsNotOfferedAnswersWithTheErrorThatFits(t *testing.T) {
	w := newWorld(t, Config{})
	for _, test := range []struct {
		name   string
		onFd   errno // on a standard stream
		params []uint64
		fds    []int // parameters that are descriptors
	}{
		{"fd_advise", espipe, make([]uint64, 4), []int{0}},
		{"fd_allocate", espipe, make([]uint64, 3), []int{0}},
		{"fd_datasync", success, make([]uint64, 1), []int{0}},
		{"fd_fdstat_set_flags", success, make([]uint64, 2), []int{0}},
		{"fd_filestat_set_size", einval, make([]uint64, 2), []int{0}},
		{"fd_filestat_set_times", enotsup, make([]uint64, 4), []int{0}},
		{"fd_pread", espipe, make([]uint64, 5), []int{0}},
		{"fd_prestat_get", ebadf, make([]uint64, 2), []int{0}},
		{"fd_prestat_dir_name", ebadf, make([]uint64, 3), []int{0}},
		{"fd_pwrite", espipe, make([]uint64, 5), []int{0}},
		{"fd_readdir", enotdir, make([]uint64, 5), []int{0}},
		{"fd_seek", espipe, make([]uint64, 4), []int{0}},
		{"fd_sync", success, make([]uint64, 1), []int{0}},
		{"fd_tell", espipe, make([]uint64, 2), []int{0}},
		{"path_create_directory", enotdir, make([]uint64, 3), []int{0}},
		{"path_filestat_get", enotdir, make([]uint64, 5), []int{0}},
		{"path_filestat_set_times", enotdir, make([]uint64, 7), []int{0}},
		{"path_link", enotdir, make([]uint64, 7), []int{0, 4}},
		{"path_open", enotdir, make([]uint64, 9), []int{0}},
		{"path_readlink", enotdir, make([]uint64, 6), []int{0}},
		{"path_remove_directory", enotdir, make([]uint64, 3), []int{0}},
		{"path_rename", enotdir, make([]uint64, 6), []int{0, 3}},
		{"path_symlink", enotdir, make([]uint64, 5), []int{2}},
		{"path_unlink_file", enotdir, make([]uint64, 3), []int{0}},
		{"sock_accept", enotsock, make([]uint64, 3), []int{0}},
		{"sock_recv", enotsock, make([]uint64, 6), []int{0}},
		{"sock_send", enotsock, make([]uint64, 5), []int{0}},
		{"sock_shutdown", enotsock, make([]uint64, 2), []int{0}},
	} {
		w.wants(test.onFd, test.name, test.params...)
		for _, i := range test.fds {
			for _, fd := range []uint64{3, 0xffff_ffff} {
				test.params[i] = fd
				w.wants(ebadf, test.name, test.params...)
			}
			test.params[i] = 0
		}
	}
	w.wants(enosys, "proc_raise", 6)
	w.wants(success, "sched_yield")
}

func TestThereAreNoArgumentsAndNoEnvironment(t *testing.T) {
	w := newWorld(t, Config{})
	for _, kind := range []string{"args", "environ"} {
		w.put(0, "xxxxxxxx")
		w.wants(success, kind+"_sizes_get", 0, 4)
		if w.u64(0) != 0 {
			t.Errorf("%s: sizes %d and %d, want none", kind, w.u32(0), w.u32(4))
		}
		w.wants(efault, kind+"_sizes_get", memorySize-3, 4)
		w.wants(efault, kind+"_sizes_get", 0, memorySize)
		w.wants(success, kind+"_get", 0, 0)
	}
}

func TestAnExitIsTheErrorOfTheHostFunction(t *testing.T) {
	w := newWorld(t, Config{})
	err := all["proc_exit"].Call(t.Context(), w.in, []uint64{0xdead_0000_0003})
	if exit, ok := errors.AsType[*ExitError](err); !ok || exit.Code != 3 {
		t.Errorf("error %v, want an *ExitError with code 3", err)
	}
}

func TestAnInstanceWithoutAWorldIsAnError(t *testing.T) {
	w := newWorld(t, Config{})
	for _, f := range Imports(func(engine.Instance) *Env { return nil }) {
		if err := f.Call(t.Context(), w.in, make([]uint64, 9)); err == nil {
			t.Errorf("%s: no error", f.Name)
		}
	}
}

func TestAGuestWithoutMemoryGetsEFAULT(t *testing.T) {
	e := NewEnv(Config{})
	for name, p := range map[string]params{
		"clock_time_get": {0, 0, 0}, "random_get": {0, 0}, "fd_write": {1, 0, 0, 0},
		"poll_oneoff": {0, 0, 1, 0}, "args_sizes_get": {0, 4}, "fd_fdstat_get": {1, 0},
	} {
		for _, f := range functions {
			if f.name == name {
				if got, err := f.call(t.Context(), e, memory{}, p); got != efault || err != nil {
					t.Errorf("%s answers %d and %v, not EFAULT", name, got, err)
				}
			}
		}
	}
}

func TestNoFunctionRunsOnceTheContextHasEnded(t *testing.T) {
	w := newWorld(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range functions {
		if err := w.callError(ctx, f.name, make([]uint64, 9)...); err != context.Canceled {
			t.Errorf("%s: error %v", f.name, err)
		}
	}
}
