//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process is the command, running. It is the test's own binary, with the race
// detector if the test has it.
type process struct {
	*exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	errors bytes.Buffer
	tmp    string
}

func start(t *testing.T, cache string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: &exec.Cmd{Path: self, Args: append([]string{"wasmsandbox"}, args...)}, tmp: t.TempDir()}
	p.Env = append(os.Environ(), "TMPDIR="+p.tmp, "WASMSANDBOX_CACHE="+cache)
	p.Stderr = &p.errors
	var errs [3]error
	p.stdin, errs[0] = p.StdinPipe()
	out, err := p.StdoutPipe()
	p.stdout, errs[1] = bufio.NewReader(out), err
	errs[2] = p.Start()
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() }) // when the test has failed
	return p
}

// interrupt sends SIGINT, and waits: for the exit code, and what was still
// printed.
func (p *process) interrupt(t *testing.T) (code int, rest string) {
	t.Helper()
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Minute, func() { _ = p.Process.Kill() })
	defer kill.Stop()
	text, _ := io.ReadAll(p.stdout)
	_ = p.Wait()
	if left, err := os.ReadDir(p.tmp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if p.errors.Len() > 0 {
		t.Errorf("stderr: %s", &p.errors)
	}
	return p.ProcessState.ExitCode(), string(text)
}

func writeScript(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "script.yaml")
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// needInterrupts skips a test in the background of a shell script, where the
// command ignores SIGINT, as it should.
func needInterrupts(t *testing.T) {
	t.Helper()
	if signal.Ignored(os.Interrupt) {
		t.Skip("SIGINT is ignored")
	}
}

func TestInterruptEndsTheWaitForCalls(t *testing.T) {
	needInterrupts(t)
	script := writeScript(t, "version: 1\nsteps:\n  - {method: rm, result: null}\n  - {method: rm, result: null}\n")
	p := start(t, "off", "run", script, "--calls", "-", "--format", "jsonl")
	if _, err := io.WriteString(p.stdin, `{"method": "rm", "args": ["a"]}`+"\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := p.stdout.ReadString('\n'); err != nil || !strings.Contains(line, `"type":"call"`) {
		t.Fatalf("a call isn't made at once: %q, %v", line, err)
	}
	code, rest := p.interrupt(t)
	if code != 130 || !strings.Contains(rest, `"call_count":1,`) || !strings.Contains(rest, `"ended by signal 2"`) {
		t.Errorf("exit code %d, %s", code, rest)
	}
}

// A guest can't tell that it is in its loop, but the command tells it afterwards: if
// the signal came before, the next one has to come later.
func TestInterruptEndsAGuest(t *testing.T) {
	needInterrupts(t)
	script := writeScript(t, misbehaving(t, 2))
	for pause := time.Duration(0); ; pause = 4*pause + time.Millisecond {
		p := start(t, sharedCache(), "run", script, "--allow-outside", "--calls", "-", "--format", "jsonl")
		calls := `{"method": "exec", "args": ["fine"]}` + "\n" + `{"method": "exec", "args": ["loop"]}` + "\n"
		if _, err := io.WriteString(p.stdin, calls); err != nil {
			t.Fatal(err)
		}
		if _, err := p.stdout.ReadString('\n'); err != nil {
			t.Fatalf("%v %s", err, &p.errors)
		}
		time.Sleep(pause)
		code, rest := p.interrupt(t)
		if code == 130 && !strings.Contains(rest, `"args":["loop"]`) && pause < time.Minute {
			continue
		}
		if code != 130 || !strings.Contains(rest, `"kind":"interrupted","module":"echo"`) {
			t.Errorf("exit code %d, %s", code, rest)
		}
		return
	}
}

// misbehaving is a script of so many steps that the guest echo answers.
func misbehaving(t *testing.T, steps int) string {
	t.Helper()
	return fmt.Sprintf("version: 1\nmodules: {echo: {wasm: %q}}\nsteps:\n", buildGuest(t, "../../testdata/guests/echo")) +
		strings.Repeat("  - {method: exec, responder: {module: echo, handler: misbehave}}\n", steps)
}

// The end of the run is in a guest's loop unless the machine is so slow that it
// comes while the guest is loaded; then there has to be more time.
func TestTheEndOfTheRunEndsAGuest(t *testing.T) {
	script := writeScript(t, misbehaving(t, 1)+"calls:\n  - {method: exec, args: [loop]}\n")
	for limit := 500 * time.Millisecond; ; limit *= 4 {
		p := start(t, sharedCache(), "run", script, "--allow-outside", "--timeout", limit.String())
		text, _ := io.ReadAll(p.stdout)
		_ = p.Wait()
		code := p.ProcessState.ExitCode()
		if code == exitTime && !strings.Contains(string(text), "exec loop") && limit < time.Minute {
			continue
		}
		for _, want := range []string{"TIME  1  exec loop  script.yaml:4  echo.misbehave was interrupted: ", "  error: the run didn't end within " + limit.String() + "\n"} {
			if code != exitTime || !strings.Contains(string(text), want) {
				t.Errorf("exit code %d, stdout lacks %q:\n%s%s", code, want, text, &p.errors)
			}
		}
		return
	}
}

func TestInterruptEndsABuild(t *testing.T) {
	needInterrupts(t)
	p := start(t, "off", "run", "../../scripts/examples/quickstart")
	for i := 0; ; i++ {
		if made, err := os.ReadDir(p.tmp); err != nil || len(made) > 0 {
			break
		}
		if i == 12000 {
			t.Fatal("nothing is built")
		}
		time.Sleep(5 * time.Millisecond)
	}
	if code, rest := p.interrupt(t); code != 130 {
		t.Errorf("exit code %d, %s", code, rest)
	}
}

func TestClosedPipeEndsTheCommandQuietly(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"version"}, {"run", "../../scripts/examples/none"}} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := read.Close(); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd := exec.Command("wasmsandbox", args...)
		cmd.Stdout, cmd.Stderr = write, &stderr
		err = cmd.Run()
		_ = write.Close()
		if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGPIPE) || stderr.Len() > 0 {
			t.Errorf("%v: exit code %d, %v, %s", args, code, err, &stderr)
		}
	}
}

func TestClosedPipeEndsARunThatGoesOn(t *testing.T) {
	script := writeScript(t, "version: 1\nsteps:\n  - {method: rm, result: null}\n")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "run", script, "--calls", "-", "--format", "jsonl")
	var stderr bytes.Buffer
	cmd.Args[0], cmd.Stdin, cmd.Stdout, cmd.Stderr = "wasmsandbox", endless{}, write, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	if line, err := bufio.NewReader(read).ReadString('\n'); err != nil || !strings.Contains(line, `"type":"call"`) {
		t.Errorf("got %q, %v", line, err)
	}
	_ = read.Close()
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 128+int(syscall.SIGPIPE) || stderr.Len() > 0 {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// endless is calls without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	const line = `{"method": "rm", "args": ["a"]}` + "\n"
	return copy(p, strings.Repeat(line, len(p)/len(line))), nil
}

func TestInterruptEndsTheWaitForWhatAPipeBrings(t *testing.T) {
	needInterrupts(t)
	pipe := newPipe(t)
	script := writeScript(t, "version: 1\nsteps:\n  - {method: rm, result: null}\n")
	for _, args := range [][]string{{"run", script, "--calls", pipe}, {"inspect", pipe}} {
		p := start(t, "off", args...)
		writer, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits until the command has opened it
		if err != nil {
			t.Fatal(err)
		}
		if code, rest := p.interrupt(t); code != 130 {
			t.Errorf("%v: exit code %d, %s", args, code, rest)
		}
		_ = writer.Close()
	}
}

// Were it waited for, the test wouldn't end: nothing else opens the pipe.
func TestTheEndOfTheContextEndsTheOpeningOfAPipe(t *testing.T) {
	pipe := newPipe(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := &runFlags{calls: &once{value: pipe, set: true}}
	for name, open := range map[string]func() error{
		"a module": func() error { _, err := awaitFile(ctx, pipe, maxModule); return err },
		"calls":    func() error { _, err := f.readCalls(ctx, nil); return err },
	} {
		if err := open(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func newPipe(t *testing.T) string {
	t.Helper()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	return pipe
}
