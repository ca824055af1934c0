package host

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A Program is a program of WASI preview 1 that answers exec: what it prints and
// the code that it exits with are the result. It needs to know nothing of
// sessions. It is immutable, and safe for concurrent use; each call runs an
// instance of its own. Runtime.LoadProgram makes one; the zero Program can't be
// used.
type Program struct {
	name     string
	env      []string
	stdin    []byte
	limits   Limits // of its own
	compiled *compilation
}

// LoadProgram compiles a program with the default runtime. The name is what errors
// and logs call it.
func LoadProgram(ctx context.Context, name string, wasm []byte, opts ...ModuleOption) (*Program, error) {
	r, err := DefaultRuntime()
	if err != nil {
		return nil, err
	}
	return r.LoadProgram(ctx, name, wasm, opts...)
}

// LoadProgram compiles a program, unless the runtime has compiled the same bytes
// before, and checks that it is one: that it exports _start and a memory, and
// imports nothing but WASI preview 1. None of it runs. The runtime keeps a copy of
// wasm. What is wrong with the module or an option is a *ModuleError.
func (r *Runtime) LoadProgram(ctx context.Context, name string, wasm []byte, opts ...ModuleOption) (*Program, error) {
	compiled, config, err := r.loadProgram(ctx, wasm, opts, configOption)
	if err != nil {
		return nil, named(err, name)
	}
	env, err := config.environment()
	if err != nil {
		return nil, named(err, name)
	}
	return &Program{name: name, env: env, stdin: config.stdin, limits: config.limits, compiled: compiled}, nil
}

// loadProgram loads what is run by _start, without some of the options.
func (r *Runtime) loadProgram(ctx context.Context, wasm []byte, opts []ModuleOption, without optionSet) (*compilation, *moduleConfig, error) {
	compiled, config, err := r.load(ctx, wasm, opts)
	if err == nil {
		err = config.without(without)
	}
	if err == nil {
		err = preflightProgram(compiled.module())
	}
	return compiled, config, err
}

// Name is what the program was loaded under.
func (p *Program) Name() string { return p.name }

// SHA256 is the digest of the program's bytes.
func (p *Program) SHA256() [sha256.Size]byte { return p.compiled.hash }

// Size is the length of the program in bytes.
func (p *Program) Size() int { return p.compiled.size }

// Responder is the program as an answer to exec.
func (p *Program) Responder() *ProgramResponder { return &ProgramResponder{p} }

// A ProgramResponder is a [Responder] that runs a program.
type ProgramResponder struct{ program *Program }

// Serves reports whether the responder takes calls of a method: of exec only.
func (r *ProgramResponder) Serves(method Method) bool {
	return r.program != nil && method == MethodExec
}

// Respond runs the program, whose arguments are the command as it was called: the
// first part is the program's name, no shell is involved whatever the call asks
// for, and its timeout and user mean nothing. The result is an ExecResult with
// all that the program printed, and the exit code as POSIX has it, the lowest
// eight bits. The context has to come from a session.
//
// A program that traps is a *GuestError. So is one that prints more than
// Limits.ReplyBytes on one of the two streams, which ends it. What it printed is
// then in the record of the call. The end of the context ends the program.
func (r *ProgramResponder) Respond(ctx context.Context, call Call) (any, error) {
	if r.program == nil {
		return nil, errNoSession
	}
	run, end, err := runFor(ctx, r.program.name, "", r.program.limits, call)
	if err != nil {
		return nil, err
	}
	defer end()
	request, ok := call.request.(*ExecRequest)
	if !ok { // passed on by a responder in Go
		return nil, run.fail(&GuestError{Kind: GuestRefused, Message: "a program answers exec, not " + call.Method().String()}, wasi.Output{})
	}
	result, failure := r.program.exec(ctx, run, request)
	if failure != nil {
		return nil, failure
	}
	return result, nil
}

func (p *Program) exec(ctx context.Context, r *run, request *ExecRequest) (ExecResult, *GuestError) {
	if slices.ContainsFunc(request.Command, func(part string) bool { return strings.Contains(part, "\x00") }) {
		return ExecResult{}, r.fail(&GuestError{Kind: GuestRefused, Message: "the command has a NUL byte, which no argument can have"}, wasi.Output{})
	}
	end, failure := r.start(ctx, p.compiled, wasi.Config{
		Args: request.Command, Env: p.env, Stdin: p.stdin, Pipes: [3]bool{true, true, true},
		MaxStdout: r.limits.ReplyBytes, StrictStdout: true,
		MaxStderr: r.limits.ReplyBytes, StrictStderr: true,
	})
	if failure != nil {
		room := r.limits.LogBytes
		room -= r.log(SourceStderr, end.stderr, room)
		r.log(SourceStdout, end.stdout, room)
		return ExecResult{}, r.fail(failure, end.stderr)
	}
	return ExecResult{Stdout: end.stdout.Bytes, Stderr: end.stderr.Bytes, ExitCode: int(end.exitCode & 0xff)}, nil
}
