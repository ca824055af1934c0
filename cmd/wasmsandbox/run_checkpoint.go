package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// checkpointFlags are the flags of run that keep a session, and go on with one.
type checkpointFlags struct {
	to   *once
	from *once
}

func addCheckpointFlags(cmd *cobra.Command) *checkpointFlags {
	f := &checkpointFlags{
		to:   addOnce(cmd, "checkpoint", "FILE", "write the session to a file after the calls; steps that are left wait there"),
		from: addOnce(cmd, "from", "FILE", "go on from a file of --checkpoint"),
	}
	mustComplete(cmd, "checkpoint", completeFiles("checkpoint"))
	mustComplete(cmd, "from", completeFiles("checkpoint"))
	return f
}

// parse finds what can be known to be wrong before anything is run.
func (f *checkpointFlags) parse(args []string, files *workspaceFlags) error {
	if f.from.set {
		info, err := os.Stat(f.from.value)
		switch {
		case len(args) > 1:
			return errors.New("--from goes with one SCRIPT")
		case files.seed.set:
			return errors.New("--workspace doesn't go with --from: the files are those of the checkpoint")
		case err != nil:
			return fmt.Errorf("--from %w", pathError(f.from.value, err))
		case !info.Mode().IsRegular():
			return fmt.Errorf("--from wants a file, and %s isn't a regular one", f.from.value)
		}
	}
	if !f.to.set {
		return nil
	}
	switch {
	case len(args) > 1:
		return errors.New("--checkpoint goes with one SCRIPT")
	case files.save.set && files.save.value == f.to.value:
		return errors.New("--checkpoint and --save can't write the same file")
	}
	return checkTarget("--checkpoint", f.to.value)
}

// read reads the checkpoint of --from.
func (f *checkpointFlags) read(ctx context.Context, script *scripts.Script) (*host.Checkpoint, error) {
	c, err := readCheckpoint(ctx, f.from.value, script)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("--from %s: %w", f.from.value, err)
	}
	return c, err
}

func readCheckpoint(ctx context.Context, name string, script *scripts.Script) (*host.Checkpoint, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer file.Close()
	c, err := script.ReadCheckpoint(ctx, file)
	if script.Workspace != nil || !errors.Is(err, host.CheckpointOtherScript) {
		return c, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, withoutPath(err)
	}
	bare := err // the run that wrote it may have got its workspace from --workspace
	if c, err = script.ReadCheckpoint(ctx, file, host.WithWorkspace(host.Workspace{})); errors.Is(err, host.CheckpointOtherScript) {
		return nil, bare
	}
	return c, err
}

// resume makes a session that goes on from the checkpoint of --from.
func (f *runFlags) resume(ctx context.Context, script *scripts.Script) (*host.Scripted, error) {
	c, err := f.keep.read(ctx, script)
	if err != nil {
		return nil, err
	}
	session, err := c.NewSession(f.seeded...)
	if err == nil && f.files.save.set && session.Workspace() == nil {
		return nil, errors.Join(errNothingToSave, session.Close(ctx))
	}
	return session, err
}

// errAllMade is why there is nothing to do.
var errAllMade = errors.New("the script has no calls to make: all were made before the checkpoint; give others with --calls")

// notMade are the calls of a script but for those at its beginning with which the
// history of the session begins as well, or which it has refused.
func notMade(all []scripts.Call, session *host.Scripted) []scripts.Call {
	made, refused := session.Calls(), session.Refused()
	for i := range all {
		request, err := all[i].Request()
		switch {
		case refused[all[i].Method] > 0:
			refused[all[i].Method]--
		case len(made) == 0:
			return all[i:]
		case err != nil: // it was as if it weren't made
		case !isCall(made[0], request):
			return all[i:]
		default:
			made = made[1:]
		}
	}
	return nil
}

// isCall reports whether a call is one with these arguments.
func isCall(made host.Call, request host.Request) bool {
	call, err := host.NewCall(made.Index(), request)
	return err == nil && call.Equal(made)
}

// keepSession writes the checkpoint of a session to a file that is never seen half
// written.
func keepSession(ctx context.Context, session *host.Scripted, name string) error {
	c, err := session.Checkpoint(ctx)
	if err != nil {
		return err
	}
	return replaceFile(name, func(w io.Writer) error {
		_, err := c.WriteTo(w)
		return err
	})
}
