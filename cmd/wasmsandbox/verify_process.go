package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// A verifyJob is what another process of this command is to run.
type verifyJob struct {
	Scripts      []verifyTask `json:"scripts"`
	Turns        []verifyTurn `json:"turns"`
	NoBuild      bool         `json:"no_build"`
	AllowOutside bool         `json:"allow_outside"`
}

// A verifyTurn is one run.
type verifyTurn struct {
	Script int    `json:"script"`
	Engine string `json:"engine"`
}

// A verifyResult is what came of it.
type verifyResult struct {
	verifyTurn
	Transcript *verify.Transcript `json:"transcript"`
	Error      string             `json:"error"`
	TimeLimit  time.Duration      `json:"time_limit"` // of a call that took longer; else 0
}

func (r *verifyResult) error() error {
	switch {
	case r.TimeLimit > 0:
		return &host.CallTimeError{Limit: r.TimeLimit}
	case r.Error != "":
		return errors.New(r.Error)
	default:
		return nil
	}
}

// processCommand is what the other process is called with.
const processCommand = "__verify"

// newVerifyProcess is the command of the other process. It reads a job and prints
// results, one a line.
func (a *app) newVerifyProcess() *cobra.Command {
	return &cobra.Command{
		Use:    processCommand,
		Short:  "Make runs for verify",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var job verifyJob
			if err := json.NewDecoder(a.stdin).Decode(&job); err != nil {
				return fail(exitUsage, "the job can't be read: %w", err)
			}
			return job.run(cmd.Context(), a.stdout)
		},
	}
}

// run makes the runs of a job.
func (j *verifyJob) run(ctx context.Context, out io.Writer) error {
	v := newVerifier(loadFlags{noBuild: j.NoBuild, allowOutside: j.AllowOutside})
	defer v.close(ctx)
	encoder := json.NewEncoder(out)
	for _, turn := range j.Turns {
		if turn.Script < 0 || turn.Script >= len(j.Scripts) {
			return fail(exitUsage, "the job has no script %d", turn.Script)
		}
		result := verifyResult{verifyTurn: turn}
		transcript, err := v.run(ctx, &j.Scripts[turn.Script], turn.Engine)
		if result.Transcript = transcript; err != nil {
			result.Error = err.Error()
		}
		if late, ok := errors.AsType[*host.CallTimeError](err); ok {
			result.TimeLimit = late.Limit
		}
		if err := encoder.Encode(&result); err != nil {
			return err
		}
	}
	return nil
}

// start runs a job in another process of this executable. Paths are made absolute,
// since the other's folder may be another.
func (j *verifyJob) start(ctx context.Context, conditions verifyConditions, each func(*verifyResult)) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	job := *j
	job.Scripts = make([]verifyTask, len(j.Scripts))
	for i, task := range j.Scripts {
		job.Scripts[i] = task
		if job.Scripts[i].Path, err = filepath.Abs(task.Path); err != nil {
			return err
		}
		if task.Workspace == "" {
			continue
		}
		if job.Scripts[i].Workspace, err = filepath.Abs(task.Workspace); err != nil {
			return err
		}
	}
	text, err := json.Marshal(&job)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, processCommand)
	cmd.Args[0] = "wasmsandbox" // whatever the file is called
	cmd.Stdin = bytes.NewReader(text)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if runtime.GOOS != "windows" {
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	}
	cmd.WaitDelay = 5 * time.Second
	if cmd.Env, err = conditions.environment(); err != nil {
		return err
	}
	if conditions.folder {
		if cmd.Dir, err = os.MkdirTemp("", "wasmsandbox-verify-"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(cmd.Dir) }()
	}
	return readResults(cmd, len(job.Turns), each, &stderr)
}

// readResults starts a process and reads what it prints.
func readResults(cmd *exec.Cmd, turns int, each func(*verifyResult), stderr *bytes.Buffer) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	decoder, read := json.NewDecoder(out), error(nil)
	for ; turns > 0; turns-- {
		var result verifyResult
		if read = decoder.Decode(&result); read != nil {
			break
		}
		each(&result)
	}
	_, _ = io.Copy(io.Discard, out)
	err = cmd.Wait()
	switch text := strings.TrimSpace(stderr.String()); {
	case err != nil && text != "":
		return fmt.Errorf("%w: %s", err, text)
	case err != nil:
		return err
	default:
		return read
	}
}

// verifyConditions are what must not matter to a run. The zero value changes nothing.
type verifyConditions struct {
	variables []string // NAME=value
	folder    bool     // another current folder
}

// chooseConditions leaves all to chance.
func chooseConditions(chance *rand.Rand) verifyConditions {
	pick := func(values ...string) string { return values[chance.IntN(len(values))] }
	return verifyConditions{
		variables: []string{
			"GOMAXPROCS=" + strconv.Itoa(1+chance.IntN(8)),
			"GOGC=" + pick("20", "100", "400"),
			"TZ=" + pick("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati"),
			"LC_ALL=" + pick("C", "C.UTF-8", "tr_TR.UTF-8", "de_DE.UTF-8"),
			fmt.Sprintf("WASMSANDBOX_CANARY=%016x", chance.Uint64()),
		},
		folder: true,
	}
}

// settings are the conditions as a person is shown them.
func (c verifyConditions) settings() []string {
	list := append([]string{}, c.variables...)
	if c.folder {
		list = append(list, "another folder")
	}
	return list
}

// environment is that of the other process. What names a folder is made to name it from
// anywhere.
func (c verifyConditions) environment() ([]string, error) {
	env := append(os.Environ(), c.variables...)
	if dir, named := host.CacheDir(); named && dir != "" {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		env = append(env, host.CacheEnv+"="+dir)
	}
	return env, nil
}

// digestText is a digest as it is printed.
func digestText(sum [32]byte) string { return hex.EncodeToString(sum[:]) }
