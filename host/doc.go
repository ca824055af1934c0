// Package host is a scripted sandbox session: what a test gives to an AI agent
// in the place of a container. The session answers each call from a list of
// steps, first in, first out, and records it. A step's matcher and responder may
// be Go funcs, or WebAssembly modules written in any language.
//
// Most tests start with package hosttest, which closes the session and reports
// what didn't go as scripted. Scripts can be files, too: see package scripts.
//
//	s, err := host.NewScripted([]host.Step{
//		{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{Stdout: []byte("/workspace\n")})},
//		{Method: host.MethodRead, Outcome: host.Fail(host.NewSandboxError(host.CodeWorkspaceReadNotFound, nil, nil))},
//	})
//
// # How one call flows
//
// A method of [Scripted] hands its request to call (dispatch.go), which copies
// it (snapshot.go), records it (record.go) and looks at the head of the script. Exec,
// which most calls are, has a way of its own there, that allocates nothing.
// A step for another method, or one whose [Matcher] rejects, stays there, and the
// call fails. Otherwise the step is consumed and its [Outcome] is the answer.
//
// When the script has no step for the call and the session has a [Workspace], that
// answers (workspace_answer.go): files are read and changed (workspace_file.go,
// workspace_dir.go, workspace_patch.go), and commands run in the shell of package
// shell (workspace_exec.go), or in a terminal (workspace_terminal.go).
//
// If a guest responds, its session's instance of the module is looked up (guest_set.go).
// The call waits for its turn (ctx_mutex.go), and the guest is called (guest.go): the call
// is written into the guest's memory as a message (message.go), and its reply is read from
// there (guest_reply.go). A guest that matches, or that Go code passes a call on to, is
// called in the same way by its handler (handler.go). What guests use is counted in
// fuel.go. Large contents stay outside as blobs (blob.go). How an instance begins and ends
// is in guest_life.go, how it is put back for another session in guest_pool.go and
// guest_reuse.go, what it may import in imports.go, and why it may fail in guest_fail.go.
// A session is kept and copied in checkpoint.go.
//
// Before any call, a [Runtime] compiles modules (runtime.go, compilation.go) and sees
// whether they can be guests, commands or programs (preflight.go).
//
// A [Program] needs no ABI: it is run anew for each exec (run.go), with the command
// as its arguments, and what it prints is the result (program.go). A [Command]
// (command.go) is such a program that reads the call as JSON (command_document.go)
// and prints the outcome as JSON (command_answer.go).
//
// # Concurrency
//
// All that is exported here is safe for concurrent use where its documentation doesn't say
// otherwise. Inside, a turn is a lock that is waited for with a context (ctx_mutex.go), and
// that is held while other code runs. Turns are taken in this order:
//
//   - the session's, while a call is recorded and matched, and while a checkpoint is taken,
//   - the workspace's, while it is started, stopped or put into a checkpoint,
//   - a guest's, while it works for a call; calls that other guests answer go on,
//   - a compilation's, while code is made.
//
// A mutex guards fields, and nothing else is called or taken under it, but that the files
// that a workspace executes (workspace_program.go) give up their compilations under theirs.
//
// # Errors
//
// Four families are found with errors.As, and three of them with errors.Is as well:
//
//   - [ScriptError]: the call doesn't fit the script. Texts are free of payload.
//   - [*SandboxError]: what a script or guest answers as an error of the sandbox.
//     errors.Is finds its [Code].
//   - [*GuestError]: a guest, command or program couldn't answer. errors.Is finds
//     its [GuestErrorKind].
//   - [*ModuleError]: a module can't be what it was loaded as, found before any
//     call. errors.Is finds its [ModuleErrorKind].
//
// Others stand alone: [*UnsupportedError], [*CallTimeError], [*SnapshotError] of an
// argument, [*ResultTypeError] and [*PanicError] of responders in Go,
// [*ManifestEntryError], [*FieldError] of a call given as data, [*WorkspaceConfigError],
// [*CheckpointError], of which errors.Is finds its [CheckpointErrorKind], [*RestoredError]
// in the history of a session from a file, and the values whose names start with Err.
//
// Errors that a script configures, or that a matcher or responder in Go returns,
// reach the caller as they are.
//
// Numbers such as S3.11 in comments are those of the behaviour that docs/parity.md
// lists.
package host
