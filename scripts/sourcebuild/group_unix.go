//go:build unix

package sourcebuild

import (
	"os"
	"os/exec"
	"syscall"
)

// leadGroup makes a command the leader of a process group.
func leadGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interruptGroup asks all processes of a command's group to end.
func interruptGroup(cmd *exec.Cmd) error {
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGINT); err != nil {
		return os.ErrProcessDone
	}
	return nil
}

// killGroup ends what is left of a command's group.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
