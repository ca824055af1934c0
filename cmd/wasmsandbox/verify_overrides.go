package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// verifyOverrides are the flags by which all runs get other things than their script says.
type verifyOverrides struct {
	calls     *once
	seed      seedFlag
	workspace *once
	limits    *limitFlags

	task verifyTask // with what they say
}

func addVerifyOverrides(cmd *cobra.Command) *verifyOverrides {
	return &verifyOverrides{
		calls: addCalls(cmd), seed: addSeed(cmd), workspace: addWorkspaceSeed(cmd), limits: addLimitFlags(cmd),
	}
}

// given is the name of one that was set, or "".
func (f *verifyOverrides) given(cmd *cobra.Command) string {
	for _, name := range append([]string{"calls", "seed", "workspace"}, limitFlagNames...) {
		if cmd.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

// parse finds what can be known to be wrong before anything is run.
func (f *verifyOverrides) parse() (err error) {
	if f.task.Seed, err = f.seed.parse(); err != nil {
		return err
	}
	if f.workspace.set {
		info, err := os.Stat(f.workspace.value)
		switch {
		case err != nil:
			return fmt.Errorf("--workspace %w", pathError(f.workspace.value, err))
		case !info.IsDir() && !info.Mode().IsRegular():
			return fmt.Errorf("--workspace %s can be read only once: all runs need it", f.workspace.value)
		}
		f.task.Workspace = f.workspace.value
	}
	f.task.Limits, err = f.limits.parse()
	return err
}

// readCalls reads the calls of --calls, once for all runs.
func (f *verifyOverrides) readCalls(ctx context.Context, stdin io.Reader) (err error) {
	switch f.calls.value {
	case "":
		return nil
	case "-":
		f.task.Calls, err = await(ctx, 0, func() (*callsText, error) {
			return readCallsText("stdin", io.LimitReader(readUntil(ctx, stdin), mostCallsText+1))
		})
	default:
		f.task.Calls, err = readCallsFile(ctx, f.calls.value)
	}
	return err
}

// mostCallsText is the most bytes that all runs get as calls.
const mostCallsText = 64 << 20

// A callsText is calls as they are written, one a line.
type callsText struct {
	Name string `json:"name"`
	Text []byte `json:"text"`

	list []scripts.Call
}

func readCallsFile(ctx context.Context, name string) (*callsText, error) {
	text, err := awaitFile(ctx, name, mostCallsText)
	if err != nil {
		return nil, err
	}
	return readCallsText(name, bytes.NewReader(text))
}

// readCallsText makes sure that the calls can be made.
func readCallsText(name string, from io.Reader) (*callsText, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	if len(text) > mostCallsText {
		return nil, fmt.Errorf("%s is longer than %s", name, byteSize(mostCallsText))
	}
	c := &callsText{Name: name, Text: text}
	return c, c.parse()
}

func (c *callsText) parse() (err error) {
	if c.list, err = scripts.ReadAllCalls(bytes.NewReader(c.Text), c.Name); err == nil && len(c.list) == 0 {
		err = errors.New(c.Name + " has no calls to make")
	}
	return err
}

// calls are those of a script, or those in their place.
func (t *verifyTask) calls(script *scripts.Script) ([]scripts.Call, error) {
	switch {
	case t.Calls == nil && len(script.Calls) == 0:
		return nil, &noCallsError{script.File}
	case t.Calls == nil:
		return script.Calls, nil
	case t.Calls.list == nil: // in another process
		if err := t.Calls.parse(); err != nil {
			return nil, err
		}
	}
	return t.Calls.list, nil
}
