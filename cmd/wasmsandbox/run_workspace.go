package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
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
		seed: addOnce(cmd, "workspace", "DIR|TAR", "copy a folder, or what a tar holds, into the workspace"),
		save: addOnce(cmd, "save", "FILE", "write the workspace to a tar after the run"),
	}
	cmd.Flags().BoolVar(&f.show, "show-workspace", false, "print the workspace after the run, and what the calls have changed in it")
	mustComplete(cmd, "workspace", completeFiles("tar", "tgz", "gz", "xz", "zst", "bz2"))
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

// checkSave makes sure that a file can be written, as far as that can be known.
func checkSave(name string) error {
	ending := strings.ToLower(filepath.Ext(name))
	info, err := os.Stat(name)
	switch {
	case name == "-":
		return errors.New("--save wants a file: what is printed is the report")
	case slices.Contains(packed, ending):
		return fmt.Errorf("--save writes a tar that isn't compressed: %s must not end in %s", name, ending)
	case err == nil && info.IsDir():
		return fmt.Errorf("--save wants a file, and %s is a folder", name)
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("--save wants a file, and %s isn't a regular one", name)
	}
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return fmt.Errorf("--save %s: the folder %s doesn't exist", name, filepath.Dir(name))
	}
	return nil
}

// options put what --workspace names into the workspace of a script, over what the
// script does, or into a new one.
func (f *workspaceFlags) options(script *scripts.Script) []host.Option {
	if !f.seed.set {
		return nil
	}
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
		return seedFrom(t, f.seed.value)
	}
	return []host.Option{host.WithWorkspace(w)}
}

var errNothingToSave = errors.New("has no workspace to save: give it the key workspace, or use --workspace")

// check makes sure that a script has the workspace that is to be saved.
func (f *workspaceFlags) check(script *scripts.Script) error {
	if f.save.set && !f.seed.set && script.Workspace == nil {
		return errNothingToSave
	}
	return nil
}
