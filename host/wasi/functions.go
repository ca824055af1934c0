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

// A function is one of the specification, its parameters written as in "iI":
// i for i32, I for i64.
type function struct {
	name   string
	params string
	run    handler
}

// functions lists all of preview 1 but proc_exit, in the specification's order.
var functions = []function{
	{"args_get", "ii", stringsGet(args)},
	{"args_sizes_get", "ii", stringsSizes(args)},
	{"environ_get", "ii", stringsGet(environ)},
	{"environ_sizes_get", "ii", stringsSizes(environ)},
	{"clock_res_get", "ii", clockResGet},
	{"clock_time_get", "iIi", clockTimeGet},
	{"fd_advise", "iIIi", onOpen(0, espipe)},
	{"fd_allocate", "iII", onOpen(0, espipe)},
	{"fd_close", "i", fdClose},
	{"fd_datasync", "i", onOpen(0, success)},
	{"fd_fdstat_get", "ii", fdFdstatGet},
	{"fd_fdstat_set_flags", "ii", fdFdstatSetFlags},
	{"fd_fdstat_set_rights", "iII", onOpen(0, enotsup)},
	{"fd_filestat_get", "ii", fdFilestatGet},
	{"fd_filestat_set_size", "iI", onOpen(0, einval)},
	{"fd_filestat_set_times", "iIIi", onOpen(0, enotsup)},
	{"fd_pread", "iiiIi", onOpen(0, espipe)},
	{"fd_prestat_get", "ii", noPreopen},
	{"fd_prestat_dir_name", "iii", noPreopen},
	{"fd_pwrite", "iiiIi", onOpen(0, espipe)},
	{"fd_read", "iiii", fdRead},
	{"fd_readdir", "iiiIi", onOpen(0, enotdir)},
	{"fd_renumber", "ii", fdRenumber},
	{"fd_seek", "iIii", onOpen(0, espipe)},
	{"fd_sync", "i", onOpen(0, success)},
	{"fd_tell", "ii", onOpen(0, espipe)},
	{"fd_write", "iiii", fdWrite},
	{"path_create_directory", "iii", onOpen(0, enotdir)},
	{"path_filestat_get", "iiiii", onOpen(0, enotdir)},
	{"path_filestat_set_times", "iiiiIIi", onOpen(0, enotdir)},
	{"path_link", "iiiiiii", onBothOpen(0, 4, enotdir)},
	{"path_open", "iiiiiIIii", onOpen(0, enotdir)},
	{"path_readlink", "iiiiii", onOpen(0, enotdir)},
	{"path_remove_directory", "iii", onOpen(0, enotdir)},
	{"path_rename", "iiiiii", onBothOpen(0, 3, enotdir)},
	{"path_symlink", "iiiii", onOpen(2, enotdir)},
	{"path_unlink_file", "iii", onOpen(0, enotdir)},
	{"poll_oneoff", "iiii", pollOneoff},
	{"proc_raise", "i", unsupported},
	{"sched_yield", "", succeed},
	{"random_get", "ii", randomGet},
	{"sock_accept", "iii", onOpen(0, enotsock)},
	{"sock_recv", "iiiiii", onOpen(0, enotsock)},
	{"sock_send", "iiiii", onOpen(0, enotsock)},
	{"sock_shutdown", "ii", onOpen(0, enotsock)},
}

// Imports lists all functions of WASI preview 1 for the constructor of an
// engine. env finds the world of the instance that calls, for example in what
// its Data is; when it answers nil, the guest's call fails.
//
// A call of proc_exit ends the guest's call with an *ExitError, and a write beyond
// the limit of a strict stream with ErrOutputLimit.
func Imports(env func(engine.Instance) *Env) []engine.HostFunc {
	imports := make([]engine.HostFunc, 0, len(functions)+1)
	for _, f := range functions {
		imports = append(imports, engine.HostFunc{
			Module: Module,
			Name:   f.name,
			Type:   engine.Func(paramTypes(f.params), engine.I32),
			Call: func(_ context.Context, caller engine.Instance, stack []uint64) error {
				e := env(caller)
				if e == nil {
					return errNoEnv
				}
				stack[0] = uint64(f.run(e, memory{caller.Memory()}, stack))
				if e.overflowed() {
					return ErrOutputLimit
				}
				return nil
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
func noPreopen(*Env, memory, params) errno   { return ebadf }
