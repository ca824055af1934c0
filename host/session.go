package host

import (
	"context"
	"io"
)

// A Session is what an agent runtime programs against: a place to run commands
// and to work with files. *Scripted implements it for tests; a runtime has
// others, backed by containers or machines.
//
// All methods are safe for concurrent use.
type Session interface {
	// Exec runs a command to its end. A command that ends with a non-zero exit
	// code isn't an error.
	Exec(ctx context.Context, req ExecRequest) (ExecResult, error)

	// Read opens a file; the caller closes it.
	Read(ctx context.Context, req ReadRequest) (io.ReadCloser, error)

	// Write stores a file: the data from its current position on.
	Write(ctx context.Context, req WriteRequest) error

	// Ls lists a directory.
	Ls(ctx context.Context, req LsRequest) ([]FileEntry, error)

	// Rm removes a file or directory.
	Rm(ctx context.Context, req RmRequest) error

	// Mkdir makes a directory.
	Mkdir(ctx context.Context, req MkdirRequest) error

	// ApplyPatch changes files as a patch says, and returns a text for the model.
	ApplyPatch(ctx context.Context, req ApplyPatchRequest) (string, error)

	// PTYExecStart starts a command in a terminal, and waits for output.
	PTYExecStart(ctx context.Context, req PTYExecStartRequest) (PTYUpdate, error)

	// PTYWriteStdin types into a terminal, and waits for output.
	PTYWriteStdin(ctx context.Context, req PTYWriteStdinRequest) (PTYUpdate, error)

	// Supports reports whether a method can be called. One that can't be fails
	// with an error that matches errors.ErrUnsupported.
	Supports(method Method) bool

	// SupportsPTY reports whether both PTY methods can be called.
	SupportsPTY() bool

	// Methods lists the methods that can be called, in the order of their names.
	// The caller owns the slice.
	Methods() []Method

	// Start makes the session ready for use.
	Start(ctx context.Context) error

	// Running reports whether the session is started and not stopped.
	Running() bool

	// Stop ends the use of the session; Start may begin it again.
	Stop(ctx context.Context) error

	// Shutdown releases what is behind the session.
	Shutdown(ctx context.Context) error

	// Close runs the pre-stop hooks, stops, shuts down, and closes the
	// dependencies. The session can't be used after.
	Close(ctx context.Context) error
}
