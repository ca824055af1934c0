package host

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/snapshot"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/archive"
)

// A Workspace is files in memory that answer the calls which a script leaves to
// them. The zero value is an empty one. Its root and what else may be reached are
// the manifest's.
type Workspace struct {
	// Seed puts into a new tree what is there from the beginning; nil: nothing. It
	// is called once for each session.
	Seed func(*workspace.Tree) error

	// Answers says for methods who answers, where it isn't StepsFirst.
	Answers map[Method]Precedence

	// Limits bound what the workspace holds.
	Limits workspace.Limits

	// ExtractLimits bound the archives that are extracted, unless the caller of Extract
	// says something else. The zero value is none but the workspace's own (S6.22).
	ExtractLimits archive.Limits

	// Snapshot is where Stop keeps the workspace, and where Start finds it. Nil:
	// nowhere.
	Snapshot snapshot.Snapshot

	// Tools are commands, by name. They are found before the shell's own utilities.
	Tools map[string]shell.Tool

	// Runtime compiles executable files of the workspace that are WebAssembly modules,
	// when a command runs them as programs of WASI preview 1. Nil: the default one.
	Runtime *Runtime

	// WithoutUtilities leaves the shell with its builtins and the tools.
	WithoutUtilities bool
}

// A Precedence says who answers the calls of a method: the steps of the script or
// the workspace.
type Precedence uint8

const (
	// StepsFirst lets the next step answer if it is for the method, and the
	// workspace otherwise. A matcher that turns the call down fails it.
	StepsFirst Precedence = iota

	// WorkspaceOnly leaves all calls to the workspace. Steps for the method can't be
	// consumed any more.
	WorkspaceOnly

	// StepsOnly leaves no call to the workspace.
	StepsOnly
)

// String is "steps-first", "workspace" or "steps".
func (p Precedence) String() string {
	switch p {
	case WorkspaceOnly:
		return "workspace"
	case StepsOnly:
		return "steps"
	default:
		return "steps-first"
	}
}

// WithWorkspace gives the session a workspace: the files of the manifest's root.
// Without this option a script has to answer each call.
func WithWorkspace(w Workspace) Option {
	w.Answers, w.Tools = maps.Clone(w.Answers), maps.Clone(w.Tools)
	return func(c *config) { c.workspace = &w }
}

// backing is the workspace of one session, with what works on it.
type backing struct {
	session   *Scripted
	config    *Workspace
	files     *workspace.Tree
	shell     *shell.Shell
	terminals terminals
	programs  filePrograms
	started   preservation
}

// A WorkspaceConfigError says why a session can't have such a workspace.
type WorkspaceConfigError struct {
	Field  string // of Workspace, such as "Tools"
	Key    string // in the map; "": the field as a whole
	Reason string
}

func (e *WorkspaceConfigError) Error() string {
	where := e.Field
	if e.Key != "" {
		where += fmt.Sprintf("[%q]", e.Key)
	}
	return "host: workspace." + where + " " + e.Reason
}

// check says what a workspace can't be made of.
func (w *Workspace) check() error {
	for _, method := range slices.Sorted(maps.Keys(w.Answers)) {
		if !method.Valid() || w.Answers[method] > StepsOnly {
			return &WorkspaceConfigError{"Answers", method.String(), "has no such method, or no such precedence"}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.Tools)) {
		switch {
		case name == "":
			return &WorkspaceConfigError{"Tools", "", "has a tool without a name"}
		case w.Tools[name] == nil:
			return &WorkspaceConfigError{"Tools", name, "is nil"}
		case strings.ContainsAny(name, "/\x00"):
			return &WorkspaceConfigError{"Tools", name, "can't be found: no command has a / or a NUL byte in its name"}
		}
	}
	return w.ExtractLimits.Validate()
}

// newBacking makes and seeds the workspace of a session.
func newBacking(s *Scripted) (*backing, error) {
	if err := s.config.workspace.check(); err != nil {
		return nil, err
	}
	b := &backing{session: s, config: s.config.workspace}
	b.files = workspace.New(workspace.Config{Policy: s.config.policy, Limits: b.config.Limits, Now: s.config.callTime(0)})
	if b.config.Seed != nil {
		if err := guarded("seed", func() error { return b.config.Seed(b.files) }); err != nil {
			return nil, err
		}
	}
	b.programs.runtime = b.config.Runtime
	b.shell = b.newShell()
	return b, nil
}

// precedence is who answers a method. Without a workspace the steps do.
func (c *config) precedence(method Method) Precedence {
	if c.workspace == nil {
		return StepsOnly
	}
	return c.workspace.Answers[method]
}

// answers reports whether the workspace answers a call of a method, which fits the
// next step or doesn't.
func (b *backing) answers(method Method, fits bool) bool {
	switch b.config.Answers[method] {
	case WorkspaceOnly:
		return true
	case StepsOnly:
		return false
	default:
		return !fits
	}
}

// addWorkspaceMethods makes visible what the workspace answers.
func (s *Scripted) addWorkspaceMethods() {
	for _, method := range abi.Methods() {
		if s.config.precedence(method) != StepsOnly {
			s.visible = s.visible.with(method)
		}
	}
}

// unreachableStep is a step that would never be consumed, and so keep all after it.
func unreachableStep(index int, method Method) error {
	return &InvalidStepError{
		Reason: ReasonUnreachable, Index: index, Method: method.String(),
		Detail: "is never asked: the workspace alone answers this method",
	}
}

// Workspace is the session's files, or nil if it has none. Tests may look into them
// and change them at any time.
func (s *Scripted) Workspace() *workspace.Tree {
	if s.backing == nil {
		return nil
	}
	return s.backing.files
}
