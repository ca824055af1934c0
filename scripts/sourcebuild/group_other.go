//go:build !unix

package sourcebuild

import "os/exec"

// leadGroup does nothing: there are no process groups.
func leadGroup(*exec.Cmd) {}

func interruptGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killGroup(*exec.Cmd) {}
