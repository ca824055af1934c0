package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// Here are the flags by which run and verify give a session other things than its script
// does. Those for limits are limitFlags.

func addCalls(cmd *cobra.Command) *once {
	f := addOnce(cmd, "calls", "FILE", "read the calls from a file of JSON Lines, or from - (stdin)")
	mustComplete(cmd, "calls", completeFiles("jsonl", "json"))
	return f
}

func addWorkspaceSeed(cmd *cobra.Command) *once {
	f := addOnce(cmd, "workspace", "DIR|TAR", "copy a folder, or what a tar holds, into the workspace")
	mustComplete(cmd, "workspace", completeFiles("tar", "tgz", "gz", "xz", "zst", "bz2"))
	return f
}

// workspaceOver puts what --workspace names into the workspace of a script, over what the
// script does, or into a new one. The context ends that, and nothing else.
func workspaceOver(ctx context.Context, script *scripts.Script, name string) host.Option {
	var w host.Workspace
	if script.Workspace != nil {
		w = *script.Workspace
	}
	before := w.Seed
	w.Seed = func(t *workspace.Tree) error {
		if before != nil {
			if err := before(t); err != nil {
				return err
			}
		}
		return seedFrom(ctx, t, name)
	}
	return host.WithWorkspace(w)
}

// A seedFlag is the flag --seed.
type seedFlag struct{ *once }

func addSeed(cmd *cobra.Command) seedFlag {
	f := seedFlag{addOnce(cmd, "seed", "NUMBER", "seed of the guests' random numbers; overrides the script's")}
	mustComplete(cmd, "seed", cobra.NoFileCompletions)
	return f
}

// parse gives the seed, or nil if none was set.
func (f seedFlag) parse() (*uint64, error) {
	if !f.set {
		return nil, nil
	}
	seed, err := strconv.ParseUint(f.value, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("--seed wants a whole number from 0 on, not %q", f.value)
	}
	return &seed, nil
}
