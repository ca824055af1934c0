package wasi

import (
	"context"
	"errors"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// Module is the name that guests import the functions from.
const Module = "wasi_snapshot_preview1"

var errNoEnv = errors.New("wasi: the instance has no environment")

// A handler does the work of a function that returns an error number.
type handler func(*Env, memory, params) errno

// A waiter is the handler of a function that may wait, or end the guest's call with
// an error.
type waiter func(context.Context, *Env, memory, params) (errno, error)

// A function is one of the specification, its parameters written as in "iI":
// i for i32, I for i64.
type function struct {
	name   string
	params string
	run    handler
	wait   waiter // instead
}

func (f *function) call(ctx context.Context, e *Env, m memory, p params) (errno, error) {
	if f.wait != nil {
		return f.wait(ctx, e, m, p)
	}
	return f.run(e, m, p), nil
}

// functions lists all of preview 1 but proc_exit, in the specification's order.
var functions = []function{
	{name: "args_get", params: "ii", run: stringsGet(args)},
	{name: "args_sizes_get", params: "ii", run: stringsSizes(args)},
	{name: "environ_get", params: "ii", run: stringsGet(environ)},
	{name: "environ_sizes_get", params: "ii", run: stringsSizes(environ)},
	{name: "clock_res_get", params: "ii", run: clockResGet},
	{name: "clock_time_get", params: "iIi", run: clockTimeGet},
	{name: "fd_advise", params: "iIIi", run: fdAdvise},
	{name: "fd_allocate", params: "iII", run: fdAllocate},
	{name: "fd_close", params: "i", run: fdClose},
	{name: "fd_datasync", params: "i", run: fdSync(rightFdDatasync)},
	{name: "fd_fdstat_get", params: "ii", run: fdFdstatGet},
	{name: "fd_fdstat_set_flags", params: "ii", run: fdFdstatSetFlags},
	{name: "fd_fdstat_set_rights", params: "iII", run: fdFdstatSetRights},
	{name: "fd_filestat_get", params: "ii", run: fdFilestatGet},
	{name: "fd_filestat_set_size", params: "iI", run: fdFilestatSetSize},
	{name: "fd_filestat_set_times", params: "iIIi", run: fdFilestatSetTimes},
	{name: "fd_pread", params: "iiiIi", wait: fdPread},
	{name: "fd_prestat_get", params: "ii", run: fdPrestatGet},
	{name: "fd_prestat_dir_name", params: "iii", run: fdPrestatDirName},
	{name: "fd_pwrite", params: "iiiIi", wait: fdPwrite},
	{name: "fd_read", params: "iiii", wait: fdRead},
	{name: "fd_readdir", params: "iiiIi", run: fdReaddir},
	{name: "fd_renumber", params: "ii", run: fdRenumber},
	{name: "fd_seek", params: "iIii", run: fdSeek},
	{name: "fd_sync", params: "i", run: fdSync(rightFdSync)},
	{name: "fd_tell", params: "ii", run: fdTell},
	{name: "fd_write", params: "iiii", wait: fdWrite},
	{name: "path_create_directory", params: "iii", run: pathCreateDirectory},
	{name: "path_filestat_get", params: "iiiii", run: pathFilestatGet},
	{name: "path_filestat_set_times", params: "iiiiIIi", run: pathFilestatSetTimes},
	{name: "path_link", params: "iiiiiii", run: pathLink},
	{name: "path_open", params: "iiiiiIIii", run: pathOpen},
	{name: "path_readlink", params: "iiiiii", run: pathReadlink},
	{name: "path_remove_directory", params: "iii", run: pathRemoveDirectory},
	{name: "path_rename", params: "iiiiii", run: pathRename},
	{name: "path_symlink", params: "iiiii", run: pathSymlink},
	{name: "path_unlink_file", params: "iii", run: pathUnlinkFile},
	{name: "poll_oneoff", params: "iiii", wait: pollOneoff},
	{name: "proc_raise", params: "i", run: unsupported},
	{name: "sched_yield", params: "", run: succeed},
	{name: "random_get", params: "ii", wait: randomGet},
	{name: "sock_accept", params: "iii", run: onOpen(enotsock)},
	{name: "sock_recv", params: "iiiiii", run: onOpen(enotsock)},
	{name: "sock_send", params: "iiiii", run: onOpen(enotsock)},
	{name: "sock_shutdown", params: "ii", run: onOpen(enotsock)},
}

// Imports lists all functions of WASI preview 1 for the constructor of an
// engine. env finds the Env of the instance that calls, for example in what
// its Data is; when it answers nil, the guest's call fails.
//
// What they do is paid for with [engine.Charge]: see the package's documentation.
//
// A call of proc_exit ends the guest's call with an *ExitError, and a write beyond
// the limit of a strict stream with ErrOutputLimit. So do errors of what Config has
// for input, output and sleep.
func Imports(env func(engine.Instance) *Env) []engine.HostFunc {
	imports := make([]engine.HostFunc, 0, len(functions)+1)
	for _, f := range functions {
		looks := looksAtFiles(f.name)
		imports = append(imports, engine.HostFunc{
			Module: Module,
			Name:   f.name,
			Type:   engine.Func(paramTypes(f.params), engine.I32),
			Call: func(ctx context.Context, caller engine.Instance, stack []uint64) error {
				e := env(caller)
				if e == nil {
					return errNoEnv
				}
				// A call may take long for one instruction, and there may be many.
				if err := ctx.Err(); err != nil {
					return err
				}
				e.caller = caller
				if looks {
					e.looked = true
					e.owes(priceFiles)
				}
				answer, err := f.call(ctx, e, memory{caller.Memory()}, stack)
				e.owesWork()
				stack[0] = uint64(answer)
				if err == nil && e.overflowed() {
					err = ErrOutputLimit
				}
				if err != nil {
					return err
				}
				return e.pay()
			},
		})
	}
	return append(imports, engine.HostFunc{
		Module: Module,
		Name:   "proc_exit",
		Type:   engine.Func(paramTypes("i")),
		Call: func(_ context.Context, _ engine.Instance, stack []uint64) error {
			return &ExitError{Code: uint32(stack[0])}
		},
	})
}

func paramTypes(params string) []engine.ValueType {
	types := make([]engine.ValueType, len(params))
	for i, c := range params {
		switch c {
		case 'i':
			types[i] = engine.I32
		case 'I':
			types[i] = engine.I64
		default:
			panic(fmt.Sprintf("wasi: the table names a parameter type %q", c))
		}
	}
	return types
}

func succeed(*Env, memory, params) errno     { return success }
func unsupported(*Env, memory, params) errno { return enosys }
