package sourcebuild

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A tool is a program to be run in the folder of source.
type tool struct {
	title   string // for errors, such as "go build"
	command []string
	env     []string // comes after the environment of this process
	answers bool     // standard output isn't for people
}

// run runs a tool to its end. It gives what an answering tool printed on standard
// output. All else that it prints is in the error, an *Error, if it fails.
func (b *build) run(ctx context.Context, t tool) (answer []byte, err error) {
	shown, out := capped{limit: maxShown}, capped{limit: maxAnswer}
	cmd := exec.CommandContext(ctx, t.command[0], t.command[1:]...)
	cmd.Dir = b.dir
	cmd.Env = slices.Concat(os.Environ(), b.environment(), t.env)
	cmd.Stdout, cmd.Stderr = &shown, &shown
	if t.answers {
		cmd.Stdout = &out
	}
	leadGroup(cmd)
	cmd.Cancel = func() error { return interruptGroup(cmd) }
	cmd.WaitDelay = 2 * time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		killGroup(cmd)
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &Error{Language: b.language, Dir: b.dir, Command: t.title, Output: shown.text(), Err: err}
	}
	if out.dropped > 0 {
		return nil, &Error{Language: b.language, Dir: b.dir, Command: t.title, Output: shown.text(), Err: errAnswer}
	}
	return out.kept, nil
}

// How many bytes are kept of what a tool prints, for people and as an answer.
const (
	maxShown  = 1 << 20
	maxAnswer = 64 << 20
)

var errAnswer = errors.New("it printed more than any build does")

// capped keeps the beginning of what is written to it.
type capped struct {
	limit   int
	kept    []byte
	dropped int
}

// Write never fails: a tool must not be ended for what it prints.
func (c *capped) Write(p []byte) (int, error) {
	n := min(len(p), c.limit-len(c.kept))
	c.kept = append(c.kept, p[:n]...)
	c.dropped += len(p) - n
	return len(p), nil
}

func (c *capped) text() string {
	if c.dropped == 0 {
		return string(c.kept)
	}
	return fmt.Sprintf("%s\n… and %d bytes more", c.kept, c.dropped)
}

// environment has the folders for what the tools write for a while: one that is
// interrupted leaves it behind.
func (b *build) environment() []string {
	return []string{"PWD=" + b.dir, "TMPDIR=" + b.work, "TMP=" + b.work, "TEMP=" + b.work, "GOTMPDIR=" + b.work}
}

// ask runs a tool that answers with a line or more of text.
func (b *build) ask(ctx context.Context, env []string, command ...string) (string, error) {
	answer, err := b.run(ctx, tool{title: strings.Join(command, " "), command: command, env: env, answers: true})
	return strings.TrimSpace(string(answer)), err
}

// lookPath finds the first of some programs that is there, or "".
func lookPath(programs ...string) string {
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// words are what an environment variable such as CC names: a program, perhaps with
// arguments.
func words(variable string) []string { return strings.Fields(os.Getenv(variable)) }
