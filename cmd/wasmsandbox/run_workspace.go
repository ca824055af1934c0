package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// workspaceFlags are the flags of run that are about the workspace.
type workspaceFlags struct {
	seed *once // a folder or a tar
	save *once
	show bool
}

func addWorkspaceFlags(cmd *cobra.Command) *workspaceFlags {
	f := &workspaceFlags{
		seed: addWorkspaceSeed(cmd),
		save: addOnce(cmd, "save", "FILE", "write the workspace to a tar after the run"),
	}
	cmd.Flags().BoolVar(&f.show, "show-workspace", false, "print the workspace after the run, and what the calls have changed in it")
	mustComplete(cmd, "save", completeFiles("tar"))
	return f
}

// parse finds what can be known to be wrong before anything is run.
func (f *workspaceFlags) parse(args []string) error {
	if f.seed.set {
		if _, err := os.Stat(f.seed.value); err != nil {
			return fmt.Errorf("--workspace %w", pathError(f.seed.value, err))
		}
	}
	if !f.save.set {
		return nil
	}
	if len(args) > 1 {
		return errors.New("--save goes with one SCRIPT")
	}
	return checkSave(f.save.value)
}

// packed are how names of compressed tars end.
var packed = []string{".gz", ".tgz", ".xz", ".txz", ".zst", ".tzst", ".bz2", ".tbz2", ".tbz", ".zip"}

// checkSave makes sure that a tar can be written, as far as that can be known.
func checkSave(name string) error {
	if ending := strings.ToLower(filepath.Ext(name)); slices.Contains(packed, ending) {
		return fmt.Errorf("--save writes a tar that isn't compressed: %s must not end in %s", name, ending)
	}
	return checkTarget("--save", name)
}

// checkTarget makes sure that the file of a flag can be written, as far as that can be
// known.
func checkTarget(flag, name string) error {
	info, err := os.Stat(name)
	switch {
	case name == "-":
		return errors.New(flag + " wants a file: what is printed is the report")
	case err == nil && info.IsDir():
		return fmt.Errorf("%s wants a file, and %s is a folder", flag, name)
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s wants a file, and %s isn't a regular one", flag, name)
	}
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s %s: the folder %s doesn't exist", flag, name, filepath.Dir(name))
	}
	return nil
}

// options are those of --workspace.
func (f *workspaceFlags) options(ctx context.Context, script *scripts.Script) []host.Option {
	if !f.seed.set {
		return nil
	}
	return []host.Option{workspaceOver(ctx, script, f.seed.value)}
}

var errNothingToSave = errors.New("the script has no workspace to save: give it the key workspace, or use --workspace")

// check makes sure that a script has the workspace that is to be saved.
func (f *workspaceFlags) check(script *scripts.Script) error {
	if f.save.set && !f.seed.set && script.Workspace == nil {
		return errNothingToSave
	}
	return nil
}
