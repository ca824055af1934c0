package host

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A Command is a program of WASI preview 1 that answers calls in JSON: it reads a
// call from standard input, and prints the outcome. Any language will do that has
// these two; docs/json-mapping.md says what the documents are like. What it prints
// on standard error is kept in the record of the call.
//
// A Command is immutable, and safe for concurrent use; each call runs an instance
// of its own, so it can't remember. Runtime.LoadCommand makes one; the zero
// Command can't be used.
type Command struct {
	name     string
	config   json.RawMessage // an object
	limits   Limits          // of its own
	compiled *compilation
}

// LoadCommand compiles a command with the default runtime. The name is what errors
// and logs call it.
func LoadCommand(ctx context.Context, name string, wasm []byte, opts ...ModuleOption) (*Command, error) {
	r, err := DefaultRuntime()
	if err != nil {
		return nil, err
	}
	return r.LoadCommand(ctx, name, wasm, opts...)
}

// LoadCommand compiles a command, unless the runtime has compiled the same bytes
// before, and checks that it is a program, as LoadProgram does. None of it runs.
// What is wrong with the module or an option is a *ModuleError.
func (r *Runtime) LoadCommand(ctx context.Context, name string, wasm []byte, opts ...ModuleOption) (*Command, error) {
	compiled, config, err := r.loadProgram(ctx, wasm, opts, envOption|stdinOption)
	if err != nil {
		return nil, named(err, name)
	}
	document, err := configDocument(config.entries)
	if err != nil {
		return nil, &ModuleError{Kind: ModuleBadConfig, Module: name, Err: err}
	}
	return &Command{name: name, config: document, limits: config.limits, compiled: compiled}, nil
}

// Name is what the command was loaded under.
func (c *Command) Name() string { return c.name }

// SHA256 is the digest of the command's bytes.
func (c *Command) SHA256() [sha256.Size]byte { return c.compiled.hash }

// Size is the length of the command in bytes.
func (c *Command) Size() int { return c.compiled.size }

// Matcher is the command as a matcher. The name of the handler is given to the
// command, which alone knows its handlers; it may be empty.
func (c *Command) Matcher(handler string) *CommandMatcher { return &CommandMatcher{c, handler} }

// Responder is the command as a responder. The name of the handler is given to the
// command, which alone knows its handlers; it may be empty.
func (c *Command) Responder(handler string) *CommandResponder { return &CommandResponder{c, handler} }

// A CommandMatcher is a [Matcher] that runs a command.
type CommandMatcher struct {
	command *Command
	handler string
}

// Match runs the command. The context has to come from a session, and its end ends
// the command. A command that can't answer is a *GuestError.
func (m *CommandMatcher) Match(ctx context.Context, call Call) (Verdict, error) {
	if m.command == nil {
		return Verdict{}, errNoSession
	}
	answer, err := m.command.answer(ctx, kindMatch, m.handler, call)
	if err != nil {
		return Verdict{}, err
	}
	return *answer.verdict, nil
}

// A CommandResponder is a [Responder] that runs a command.
type CommandResponder struct {
	command *Command
	handler string
}

// Respond runs the command. The context has to come from a session, and its end
// ends the command. A command that can't answer is a *GuestError; a sandbox error
// that it raises is a *SandboxError.
func (r *CommandResponder) Respond(ctx context.Context, call Call) (any, error) {
	if r.command == nil {
		return nil, errNoSession
	}
	answer, err := r.command.answer(ctx, kindRespond, r.handler, call)
	switch {
	case err != nil:
		return nil, err
	case answer.failure != nil:
		return nil, answer.failure
	default:
		return answer.result, nil
	}
}

// answer runs the command for a call, and reads what it printed.
func (c *Command) answer(ctx context.Context, kind commandKind, handler string, call Call) (*commandAnswer, error) {
	r, end, err := runFor(ctx, c.name, handler, c.limits, call)
	if err != nil {
		return nil, err
	}
	defer end()
	document, err := callDocument(r, c.config, kind, call)
	if err != nil {
		return nil, r.fail(&GuestError{Kind: GuestRefused, Message: "the call can't be written as JSON", Err: err}, wasi.Output{})
	}
	ended, failure := r.start(ctx, c.compiled, wasi.Config{
		Args: []string{c.name}, Stdin: document,
		MaxStdout: r.limits.ReplyBytes, StrictStdout: true,
		MaxStderr: r.limits.LogBytes,
	})
	room := r.limits.LogBytes
	room -= r.log(SourceStderr, ended.stderr, room)
	var answer *commandAnswer
	if failure == nil {
		answer, failure = readAnswer(kind, call.Method(), ended)
	}
	if failure != nil {
		if failure.Kind != GuestFailed { // what it printed isn't told by the error
			r.log(SourceStdout, ended.stdout, room)
		}
		return nil, r.fail(failure, ended.stderr)
	}
	return answer, nil
}
