package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// CheckpointVersion is the version of the form in which checkpoints are written.
const CheckpointVersion = 1

// MaxCheckpoint is the most that a checkpoint may have, in bytes before they are
// compressed.
const MaxCheckpoint = 1 << 30

// The most bytes of the index, and of the state of a guest's Env, which has its input.
const (
	maxIndex = 64 << 20
	maxEnv   = 256 << 20
)

// The members of the archive, in their order; docs/checkpoint.md describes them. Those
// of the guests and the files have a number or a path behind their names.
const (
	indexMember   = "checkpoint.json"
	historyMember = "history.jsonl"
	guestsFolder  = "guests/"
	filesFolder   = "files"
)

// WriteTo writes the checkpoint in the form that [ReadCheckpoint] reads, a compressed
// tar that docs/checkpoint.md describes: the same checkpoint gives the same bytes. What
// it needs that can't be written is given to ReadCheckpoint again: the steps with their
// matchers, responders and modules, and the tools and other settings of the workspace.
//
// It fails with a *CheckpointError if there is more than MaxCheckpoint, or if a guest
// works for a handler in Go and no step names its module; other errors are the writer's.
// It implements [io.WriterTo].
func (c *Checkpoint) WriteTo(w io.Writer) (n int64, err error) {
	out := newCheckpointWriter(w)
	err = guarded("writer", func() error {
		if err := c.write(out); err != nil {
			return err
		}
		return out.close()
	})
	return out.written(), err
}

func (c *Checkpoint) write(out *checkpointWriter) error {
	script, modules := newScriptForm(c)
	index := newIndex(c, script)
	for _, kept := range c.guests {
		at := slices.Index(modules, kept.module)
		if at < 0 {
			return &CheckpointError{Kind: CheckpointGuest, Module: kept.module.name, Err: errHiddenModule}
		}
		index.Guests = append(index.Guests, newGuestForm(c, kept, at))
	}
	if err := out.index(index); err != nil {
		return err
	}
	if err := out.history(c); err != nil {
		return err
	}
	for i, kept := range c.guests {
		if kept.image == nil {
			continue
		}
		memory, _ := kept.image.memory.MarshalBinary() // neither fails
		env, _ := kept.image.env.MarshalBinary()
		if err := out.member(memoryMember(i), memory); err != nil {
			return err
		}
		if err := out.member(envMember(i), env); err != nil {
			return err
		}
	}
	if c.files == nil {
		return nil
	}
	return out.files(c.files.tree.Image())
}

func memoryMember(guest int) string { return fmt.Sprintf("%s%d/memory", guestsFolder, guest) }
func envMember(guest int) string    { return fmt.Sprintf("%s%d/world", guestsFolder, guest) }

// ReadCheckpoint reads what [Checkpoint.WriteTo] has written, on this machine or
// another one, by this engine or another one. It is given what NewScripted was given
// for the session, as far as it isn't in the file: the steps, all of them, also those
// that are consumed, and the options, of which the manifest, the workspace and the
// limits count. Seed and start time are the file's, and the workspace isn't seeded.
// NewSession replaces what it can.
//
// What is given has to be what the session was made of, as far as that can be told: the
// number of steps, their methods, how they match and answer, their results and errors; of
// modules the SHA-256, name, configuration and standard input; the root and the grants,
// and the names of the tools. Handlers in Go are told apart by their types only, and
// tools by their names. Otherwise the error is a *CheckpointError with
// CheckpointOtherScript or CheckpointOtherModule, which says what differs.
//
// Errors in the history that a step has answered with are the very same ones. Those of
// this package come back with their fields, the others as a [RestoredError].
//
// It doesn't trust what it reads: whatever is wrong with a file is a *CheckpointError, and
// memory is taken for what comes out of the file, up to MaxCheckpoint, not for what it
// claims. It reads to the end, and fails if there is more. Errors of the reader and of the
// context are given as they are; those of the steps and options are NewScripted's.
func ReadCheckpoint(ctx context.Context, r io.Reader, steps []Step, opts ...Option) (*Checkpoint, error) {
	c, err := newBlankCheckpoint(steps, opts)
	if err != nil {
		return nil, err
	}
	if r == nil {
		r = eofReader{}
	}
	in := &checkpointReader{ctx: ctx, source: sourceReader{ctx: ctx, r: r}, room: MaxCheckpoint}
	err = guarded("reader", func() error {
		return in.explain(c.read(in))
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// newBlankCheckpoint is one of a session that has just been made.
func newBlankCheckpoint(steps []Step, opts []Option) (*Checkpoint, error) {
	unseeded := func(c *config) {
		if c.workspace != nil {
			w := *c.workspace
			w.Seed, c.workspace = nil, &w
		}
	}
	s, err := NewScripted(steps, append(slices.Clip(opts), unseeded)...)
	if err != nil {
		return nil, err
	}
	return &Checkpoint{config: s.config, steps: s.steps, visible: s.visible}, nil
}

func (c *Checkpoint) read(in *checkpointReader) error {
	if err := in.open(); err != nil {
		return err
	}
	var index checkpointIndex
	if err := in.index(&index); err != nil {
		return err
	}
	script, modules := newScriptForm(c)
	if err := index.Script.compare(script); err != nil {
		return err
	}
	if err := index.apply(c); err != nil {
		return err
	}
	if err := in.history(c, index.Calls); err != nil {
		return err
	}
	for i, form := range index.Guests {
		kept, err := in.guest(c, i, form, modules)
		if err != nil {
			return err
		}
		c.guests = append(c.guests, kept)
	}
	if index.Workspace != nil {
		if err := in.files(c, index.Workspace); err != nil {
			return err
		}
	}
	if err := c.checkEnvs(); err != nil {
		return err
	}
	return in.end()
}

// guest reads one guest.
func (in *checkpointReader) guest(c *Checkpoint, i int, form guestForm, modules []*Module) (checkpointedGuest, error) {
	if form.Module < 0 || form.Module >= len(modules) || modules[form.Module] == nil {
		return checkpointedGuest{}, malformed("a guest is of no module")
	}
	kept := checkpointedGuest{module: modules[form.Module]}
	if slices.ContainsFunc(c.guests, func(g checkpointedGuest) bool { return g.module == kept.module }) {
		return checkpointedGuest{}, malformed("a module has two guests")
	}
	if form.Dead != nil {
		dead, ok := errors.AsType[*GuestError](form.Dead.restore(c))
		if !ok || form.Open || form.Dead.Kind != errorKindGuest {
			return checkpointedGuest{}, malformed("a dead guest didn't die")
		}
		kept.dead = dead
	}
	if !form.Open {
		return kept, nil
	}
	memory, err := in.member(memoryMember(i), MaxCheckpoint)
	if err != nil {
		return checkpointedGuest{}, err
	}
	env, err := in.member(envMember(i), maxEnv)
	if err != nil {
		return checkpointedGuest{}, err
	}
	kept.image, err = form.image(kept.module, memory, env)
	return kept, err
}

// A guestForm is a guest in the index.
type guestForm struct {
	Module int        `json:"module"`         // in the list of the script
	Open   bool       `json:"open"`           // it has been opened, and so has a memory and an Env
	Dead   *errorForm `json:"dead,omitempty"` // why it can't be called any more

	InputAddress uint32 `json:"input_address"` // of its input buffer
	InputSize    uint32 `json:"input_size"`
	Stderr       []byte `json:"stderr,omitempty"` // the end of what it printed there
}

func newGuestForm(c *Checkpoint, kept checkpointedGuest, module int) guestForm {
	form := guestForm{Module: module}
	if kept.dead != nil {
		form.Dead = newErrorForm(c, kept.dead)
	}
	if im := kept.image; im != nil {
		form.Open, form.Stderr = true, im.stderr
		form.InputAddress, form.InputSize = im.input.address, im.input.size
	}
	return form
}

// image decodes what a guest was: its memory and the state of its Env.
func (f *guestForm) image(module *Module, memory, env []byte) (*image, error) {
	im := &image{memory: new(metered.State), env: new(wasi.State), stderr: f.Stderr}
	im.input = inputBuffer{f.InputAddress, f.InputSize}
	if err := im.memory.UnmarshalBinary(memory); err != nil {
		return nil, &CheckpointError{Kind: CheckpointMalformed, Module: module.name, Err: err}
	}
	if err := im.env.UnmarshalBinary(env); err != nil {
		return nil, &CheckpointError{Kind: CheckpointMalformed, Module: module.name, Err: err}
	}
	code, counts := module.compiled.module().(*metered.Module)
	switch {
	case im.memory.Module() != module.compiled.hash:
		return nil, &CheckpointError{Kind: CheckpointOtherModule, Module: module.name, Detail: "the memory is of another module"}
	case len(f.Stderr) > wasi.DefaultMaxStderr:
		return nil, malformed("a guest has printed more than it can")
	case !counts:
		return nil, &CheckpointError{Kind: CheckpointGuest, Module: module.name, Err: errNotMetered}
	}
	switch err := code.Fits(im.memory); {
	case errors.Is(err, metered.Volatile):
		return nil, &CheckpointError{Kind: CheckpointGuest, Module: module.name, Err: err}
	case err != nil:
		return nil, &CheckpointError{Kind: CheckpointMalformed, Module: module.name, Err: err}
	}
	return im, nil
}

// checkEnvs makes sure that guests find what they had open.
func (c *Checkpoint) checkEnvs() error {
	var files *workspace.Tree
	if c.files != nil {
		files = c.files.tree
	}
	for _, kept := range c.guests {
		if kept.image == nil {
			continue
		}
		env := wasi.NewEnv(wasi.Config{Files: files})
		err := env.Restore(kept.image.env)
		env.Close()
		if err != nil {
			return &CheckpointError{Kind: CheckpointMalformed, Module: kept.module.name, Err: err}
		}
	}
	return nil
}

// abiVersion is the version of the contract with guests.
func abiVersion() string { return fmt.Sprintf("%d.%d", abi.VersionMajor, abi.VersionMinor) }
