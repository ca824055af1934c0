package shell

import (
	"context"
	"io"
	"io/fs"
	"math/rand/v2"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A Tool runs a command to its end. It gives the exit code, 0 to 255; an error is
// for what is no exit code, such as a context that ended or a guest that trapped,
// and ends the whole shell.
type Tool func(ctx context.Context, p Process) (exitCode int, err error)

// A Process is what a command is run with.
type Process struct {
	Args []string // the first is the command's name
	Env  []string // NAME=value; tools get it sorted by name
	Dir  string   // the absolute path of the working folder; "": the root

	// Stdin is read as far as the command wants; for a builtin that reads all, beyond,
	// and by a goroutine that ends no sooner than its Read does. Nil is empty.
	Stdin          io.Reader
	Stdout, Stderr io.Writer // nil: not wanted

	// Sleep lets time pass. Nil: on the clock of the workspace, at once.
	Sleep func(ctx context.Context, d time.Duration) error

	// Poll waits until Stdin has something to say, or a time has passed, and reports
	// which. Nil: Stdin doesn't let wait.
	Poll func(ctx context.Context, d time.Duration) (ready bool, err error)

	// Terminal says that the three are a terminal.
	Terminal bool

	// Umask is the permissions that new files don't get. 0 is 022 for Run, and is
	// what it says for a tool.
	Umask fs.FileMode

	// Below are set for tools by the shell.

	// Files is the workspace.
	Files *workspace.Tree
	// Run runs another command, as the shell would. Its fields that are not set are
	// those of this process. Calls at the same time wait for each other.
	Run func(ctx context.Context, p Process) (exitCode int, err error)
	// Interrupts has interrupt called when ^C is typed, until it is released; what reads or
	// sleeps fails meanwhile. Of several the last is called, at once if one before was and
	// isn't released either. Nil: Ctx ends. Only shells that run what is typed use it.
	Interrupts func(interrupt func()) (release func())
	// Look finds what a name would run: the path that a shell shows for it.
	Look func(name string) (path string, found bool)
	// Random is what $RANDOM is from: it gives the same numbers in each run. It must not be
	// used while Run runs.
	Random *rand.Rand
	// User is who the command runs as.
	User User
	// Accounts are those of the shell.
	Accounts Accounts
}

// A User is somebody that commands run as.
type User struct {
	Name     string // "": root
	UID, GID int
}

// A Shell runs commands and scripts. Its fields must not be changed once it is
// used. It is safe for concurrent use as far as its tools are.
type Shell struct {
	// Files is the workspace. It must be set.
	Files *workspace.Tree

	// Lookup finds the tool with a name. Nil: there are none.
	Lookup func(name string) (Tool, bool)

	// Module runs an executable file of the workspace that is a WebAssembly module, of
	// which it must not keep the bytes. One that it can't run is [ErrExecFormat]. Nil:
	// such files can't be executed.
	Module func(ctx context.Context, path string, wasm []byte, p Process) (exitCode int, err error)

	// Env is the environment of processes that bring none, as NAME=value.
	Env []string

	// User is who commands run as, unless sudo says otherwise.
	User User

	// Accounts are the users and groups that commands know.
	Accounts Accounts

	// Limits bound what a script may use.
	Limits Limits
}

// Tools makes a Lookup of sets of tools. One in an earlier set wins.
func Tools(sets ...map[string]Tool) func(name string) (Tool, bool) {
	return func(name string) (Tool, bool) {
		for _, set := range sets {
			if tool, found := set[name]; found {
				return tool, true
			}
		}
		return nil, false
	}
}
