package soak

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A picture is all that can be seen of a session.
type picture struct {
	Answers []string
	Records []string
	Guests  map[string][32]byte
	Files   *workspace.Image
	Fuel    int64
	Left    int
}

func takePicture(s *host.Scripted, answers []string) picture {
	p := picture{Answers: answers, Guests: s.GuestDigests(), Files: s.Workspace().Image(), Fuel: s.Fuel(), Left: s.RemainingSteps()}
	for _, r := range s.History() {
		p.Records = append(p.Records, fmt.Sprint(r.Call.Method(), r.Step, r.Outcome, r.Done, r.Err, r.Logs, r.Fuel))
	}
	return p
}

// A draft is a script and the calls that are made in its sessions, drawn by chance.
type draft struct {
	random *rand.Rand
	steps  []stepDraft
	calls  []func(context.Context, *host.Scripted) string
}

// A stepDraft is a step, whose module is another one on each engine.
type stepDraft struct {
	method             host.Method
	responder, matcher string
}

// newDraft draws a script for the kitchen-sink guest in a workspace, in which not all
// calls fit.
func newDraft(seed uint64, calls int) *draft {
	d := &draft{random: rand.New(rand.NewPCG(seed, 0))}
	for range calls {
		d.steps = append(d.steps, d.step())
		d.calls = append(d.calls, d.call(d.steps[len(d.steps)-1]))
		if d.random.IntN(3) == 0 {
			d.calls = append(d.calls, d.workspaceCall())
		}
	}
	return d
}

func (d *draft) step() stepDraft {
	all := []stepDraft{
		{host.MethodExec, "count", ""}, {host.MethodExec, "count", "only_git"}, {host.MethodExec, "log", ""},
		{host.MethodExec, "session", "accept"}, {host.MethodExec, "big", ""}, {host.MethodExec, "raise", ""},
		{host.MethodExec, "render", "undecided"}, {host.MethodExec, "broken", ""}, {host.MethodWrite, "store", ""},
		{host.MethodWrite, "store", ""}, {host.MethodWrite, "checksum", ""}, {host.MethodRead, "store", ""},
		{host.MethodRead, "generate", "accept"}, {host.MethodLs, "store", ""}, {host.MethodRm, "store", ""},
	}
	return all[d.random.IntN(len(all))]
}

// call draws a call for a step.
func (d *draft) call(step stepDraft) func(context.Context, *host.Scripted) string {
	n := d.random.IntN(100)
	path := fmt.Sprintf("f%d", n%3)
	switch step.method {
	case host.MethodWrite:
		data := strings.Repeat("0123456789", n*150) // some travel as blobs
		return func(ctx context.Context, s *host.Scripted) string {
			return fmt.Sprint(s.Write(ctx, host.WriteRequest{Path: path, Data: strings.NewReader(data)}))
		}
	case host.MethodRead:
		if step.responder == "generate" {
			path = fmt.Sprint(n * 200)
		}
		return func(ctx context.Context, s *host.Scripted) string { return reading(ctx, s, path) }
	case host.MethodLs:
		return func(ctx context.Context, s *host.Scripted) string {
			entries, err := s.Ls(ctx, host.LsRequest{Path: "."})
			return fmt.Sprint(entries, err)
		}
	case host.MethodRm:
		return func(ctx context.Context, s *host.Scripted) string {
			return fmt.Sprint(s.Rm(ctx, host.RmRequest{Path: path}))
		}
	}
	command := []string{[]string{"git", "svn"}[n%2], "x"}
	switch step.responder {
	case "big":
		command = []string{fmt.Sprint(n * 1000), fmt.Sprint(n), "3"}
	case "raise":
		command = []string{string(host.CodeExecNonZero), "exec", "no luck", "no", "full"}
	}
	return executing(command...)
}

func reading(ctx context.Context, s *host.Scripted, path string) string {
	r, err := s.Read(ctx, host.ReadRequest{Path: path})
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	return fmt.Sprint(len(data), string(data[:min(len(data), 20)]), err)
}

func executing(command ...string) func(context.Context, *host.Scripted) string {
	return func(ctx context.Context, s *host.Scripted) string {
		r, err := s.Exec(ctx, host.ExecRequest{Command: command})
		return fmt.Sprint(string(r.Stdout), string(r.Stderr), r.ExitCode, err)
	}
}

// workspaceCall draws one that mostly the workspace answers.
func (d *draft) workspaceCall() func(context.Context, *host.Scripted) string {
	n := d.random.IntN(5)
	switch d.random.IntN(5) {
	case 0:
		return executing(fmt.Sprintf("echo %d >> d/log; ln -f d/log l%d; wc d/log", n, n))
	case 1:
		return executing(fmt.Sprintf("sleep %d; date; rm -f l%d; ls -la . d", n, n))
	case 2:
		return func(ctx context.Context, s *host.Scripted) string {
			return fmt.Sprint(s.Mkdir(ctx, host.MkdirRequest{Path: fmt.Sprintf("d/%d", n), Parents: true}))
		}
	case 3:
		return func(ctx context.Context, s *host.Scripted) string {
			u, err := s.PTYExecStart(ctx, host.PTYExecStartRequest{Command: []string{"echo", fmt.Sprint(n)}})
			return fmt.Sprint(string(u.Output), err)
		}
	default:
		return func(ctx context.Context, s *host.Scripted) string { return reading(ctx, s, "d/log") }
	}
}

// on gives the steps with the module of an engine.
func (d *draft) on(t *testing.T, m *host.Module) []host.Step {
	t.Helper()
	steps := make([]host.Step, len(d.steps))
	for i, draft := range d.steps {
		step, err := answeredBy(m, draft.method, draft.responder)
		if err == nil && draft.matcher != "" {
			step.Match, err = m.Matcher(draft.matcher)
		}
		if err != nil {
			t.Fatal(err)
		}
		steps[i] = step
	}
	return steps
}

// goOn makes the calls from one on to another.
func (d *draft) goOn(ctx context.Context, s *host.Scripted, answers []string, from, to int) []string {
	answers = slices.Clip(answers)
	for _, call := range d.calls[from:to] {
		answers = append(answers, call(ctx, s))
	}
	return answers
}

// options are those of all sessions here.
func options() []host.Option {
	return []host.Option{host.WithSeed(5), host.WithWorkspace(host.Workspace{
		Seed: func(w *workspace.Tree) error {
			if err := w.MkdirAll("d", 0); err != nil {
				return err
			}
			return w.WriteFile("d/log", []byte("begin\n"), 0)
		},
	})}
}

var kitchenLanguages = []string{"assemblyscript", "c", "go", "rust", "zig", "javascript"}

// loadOnEach loads the kitchen-sink guest of a language on each engine.
func loadOnEach(t *testing.T, language string) map[string]*host.Module {
	t.Helper()
	modules := map[string]*host.Module{}
	for name, start := range engines {
		r, err := host.NewRuntime(t.Context(), host.WithEngine(start))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close(context.Background()) })
		if language == "javascript" {
			modules[name], err = load(t.Context(), r, "js", "../../guest/js/kitchen/kitchen.js")
		} else {
			modules[name], err = loadKitchen(t.Context(), r, language)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return modules
}

// Whatever a session has done, a copy of it goes on as it does: a fork, a fork of a
// fork, and one from a file, on the same engine or on another. What one does, no other
// one sees.
func TestCopiesOfASessionGoOnAsItDoes(t *testing.T) {
	for _, language := range kitchenLanguages {
		t.Run(language, func(t *testing.T) {
			modules := loadOnEach(t, language)
			for seed := range uint64(3) {
				for _, name := range slices.Sorted(maps.Keys(modules)) {
					compareCopies(t, newDraft(seed, 14), modules, name)
				}
			}
		})
	}
}

// compareCopies has a session make calls on an engine, and copies of it at two times.
func compareCopies(t *testing.T, d *draft, modules map[string]*host.Module, on string) {
	t.Helper()
	ctx := t.Context()
	s, err := host.NewScripted(d.on(t, modules[on]), options()...)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(ctx)
	end := len(d.calls)
	first, second := d.random.IntN(end), d.random.IntN(end)
	first, second = min(first, second), max(first, second)
	early := d.goOn(ctx, s, nil, 0, first)
	c := take(t, s)
	then := takePicture(s, early)
	late := d.goOn(ctx, s, early, first, second)
	want := takePicture(s, d.goOn(ctx, s, late, second, end))

	var idle []*host.Scripted // nobody touches these
	for _, copied := range copiesOf(t, d, c, modules, on) {
		idle = append(idle, session(t, copied))
		fork := session(t, copied)
		wantPicture(t, then, fork, early)
		answers := d.goOn(ctx, fork, early, first, second)
		again := take(t, fork)
		wantPicture(t, want, fork, d.goOn(ctx, fork, answers, second, end))
		further := session(t, again)
		wantPicture(t, want, further, d.goOn(ctx, further, answers, second, end))
	}
	for _, fork := range idle {
		wantPicture(t, then, fork, early)
	}
	wantPicture(t, want, s, want.Answers)
}

// copiesOf gives a checkpoint, and what becomes of it by way of a file on each engine.
func copiesOf(t *testing.T, d *draft, c *host.Checkpoint, modules map[string]*host.Module, on string) []*host.Checkpoint {
	t.Helper()
	var file bytes.Buffer
	if _, err := c.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	copies := []*host.Checkpoint{c}
	for name, m := range modules {
		read, err := host.ReadCheckpoint(t.Context(), bytes.NewReader(file.Bytes()), d.on(t, m), options()...)
		if err != nil {
			t.Fatalf("from %s on %s: %v", on, name, err)
		}
		copies = append(copies, read)
	}
	return copies
}

func take(t *testing.T, s *host.Scripted) *host.Checkpoint {
	t.Helper()
	c, err := s.Checkpoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// session makes one that goes on from a checkpoint, and is closed with the test.
func session(t *testing.T, c *host.Checkpoint) *host.Scripted {
	t.Helper()
	s, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

func wantPicture(t *testing.T, want picture, s *host.Scripted, answers []string) {
	t.Helper()
	if diff := cmp.Diff(want, takePicture(s, answers), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(-session +copy):\n%s", diff)
	}
}
