package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

const runLong = `Make the calls of scripts, and print what happened: each call, the step that
answered it, and what isn't as it should be.

` + scriptArgs + `

With --calls the calls come from a file, or with - from standard input, where each
is made as soon as it is read. A line is one call; kwargs that are left out take
their defaults:

  {"method": "exec", "args": ["pwd"], "kwargs": {"timeout": 5}}

--workspace copies a folder, or what a tar holds, over the files of the script's
workspace; a script that has none gets one, which answers what its steps don't. The
folder and the tar are only read. --show-workspace prints the files after the run, and
what the calls have changed. --save writes the files to a tar, also when the run
didn't go as scripted.

--checkpoint writes the whole session to a file after the calls: how far it is in the
script, its history, its guests with all that they remember, its files and its clock.
Steps that are left are no failure then. --from goes on from there, any number of
times, on this machine or another one; it wants the same script. Without --calls it
makes the script's calls, but for those at their beginning that were made before.
Nothing but these files is ever written.

Guests are limited as the script says, and the flags --fuel, --session-fuel, --max-depth,
--max-memory, --max-table, --max-reply, --max-log, --max-blob and --call-timeout override
that. Fuel is a count of what
guests execute, the same on every machine; --show-fuel prints it. A call that
--call-timeout ends makes the run inconclusive, and no failure.

--format json prints one document, at the end; --format jsonl prints a line for
each call as it is made, and one for each script at its end. All fields and values:
https://github.com/wasmsandbox/wasmsandbox/blob/main/docs/json-output.md`

const runExample = `  wasmsandbox run greeter
  wasmsandbox run testdata/*.yaml
  wasmsandbox run greeter --calls agent.jsonl
  echo '{"method": "exec", "args": ["pwd"]}' | wasmsandbox run greeter --calls -
  wasmsandbox run agent --workspace project --show-workspace --save after.tar
  wasmsandbox run agent --calls first.jsonl --checkpoint first.checkpoint
  wasmsandbox run agent --calls second.jsonl --from first.checkpoint
  wasmsandbox run greeter --format json | jq '.calls[].outcome'`

// runFlags are the flags of run.
type runFlags struct {
	load    *loadFlags
	engine  *engineFlag
	format  *choice
	calls   *once
	seed    seedFlag
	timeout *timeLimit
	limits  *limitFlags
	files   *workspaceFlags
	keep    *checkpointFlags
	fuel    *bool // is shown

	// Made of the above.
	seeded  []host.Option
	limited host.Limits
	loading []scripts.Option
}

func (a *app) newRun() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "run SCRIPT...",
		Short:             "Make the calls of scripts, and print what happened",
		Long:              runLong,
		Example:           runExample,
		Annotations:       map[string]string{footerKey: exitHelp},
		Args:              atLeastOne("SCRIPT"),
		ValidArgsFunction: completeFiles("yaml", "yml", "json"),
	}
	f := &runFlags{
		format:  addChoice(cmd, false, "format", "output format", "text", "json", "jsonl"),
		calls:   addCalls(cmd),
		timeout: addTimeout(cmd, "run"),
		limits:  addLimitFlags(cmd),
		fuel:    cmd.Flags().Bool("show-fuel", false, "print the fuel that guests used for each call"),
		seed:    addSeed(cmd),
		load:    addLoadFlags(cmd),
		engine:  addEngine(cmd),
		files:   addWorkspaceFlags(cmd),
		keep:    addCheckpointFlags(cmd),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.parse(args); err != nil {
			return &usageHint{err: err, command: cmd.CommandPath()}
		}
		return a.runScripts(cmd.Context(), args, f)
	}
	return cmd
}

func (f *runFlags) parse(args []string) error {
	if f.calls.set && len(args) > 1 {
		return errors.New("--calls goes with one SCRIPT")
	}
	seed, err := f.seed.parse()
	if err != nil {
		return err
	}
	if seed != nil {
		f.seeded = []host.Option{host.WithSeed(*seed)}
	}
	if err := f.files.parse(args); err != nil {
		return err
	}
	if err := f.keep.parse(args, f.files); err != nil {
		return err
	}
	if f.limited, err = f.limits.parse(); err != nil {
		return err
	}
	return f.timeout.parse()
}

// runScripts runs scripts one after the other, and goes on after one that fails.
func (a *app) runScripts(ctx context.Context, paths []string, f *runFlags) error {
	ctx, cancel := f.timeout.start(ctx)
	defer cancel()
	loading, end, err := f.engine.load(ctx)
	if err != nil {
		return fail(exitUsage, "%w", err)
	}
	defer end()
	f.loading = append(append(f.load.options(), loading...), scripts.WithLimits(f.limited))
	out := a.newReporter(f.format.value, len(paths), *f.fuel)
	code := exitOK
	for _, path := range paths {
		report := runScript(ctx, a.stdin, path, f, out)
		code = worse(code, report.code)
		out.script(report)
		if ctx.Err() != nil {
			break
		}
	}
	out.end(code)
	return exitWith(code)
}

// runScript loads and runs one script. Calls are reported as they are made.
func runScript(ctx context.Context, stdin io.Reader, path string, f *runFlags, out reporter) *scriptReport {
	report := newScriptReport(path)
	calls, err := f.readCalls(ctx, stdin)
	if err != nil {
		return report.refuse(ctx, f.calls.value, err)
	}
	script, err := loadScript(ctx, path, f.loading...)
	if err != nil {
		report.refuse(ctx, path, err)
		if report.Error != nil && len(report.Error.Problems) > 0 {
			report.File = report.Error.Problems[0].File // in a folder
		}
		return report
	}
	report.File = script.File
	if calls == nil && len(script.Calls) == 0 {
		return report.refuse(ctx, script.File, errors.New("the script has no calls to make: give it the key calls, or use --calls"))
	}
	if volatile := script.Volatile(); f.keep.to.set && len(volatile) > 0 {
		return report.refuse(ctx, script.File, &scripts.Error{Problems: volatile})
	}
	session, err := f.newSession(ctx, script)
	if err != nil {
		return report.refuse(ctx, script.File, err)
	}
	if calls == nil {
		left := notMade(script.Calls, session)
		if len(left) == 0 {
			defer closeSession(ctx, session, report)
			return report.refuse(ctx, script.File, errAllMade)
		}
		calls = withoutErrors(left)
	}
	report.before = len(script.Steps) - session.RemainingSteps()
	f.drive(ctx, session, calls, report, out)
	return report
}

// newSession makes a session, unless --workspace is a pipe that nobody writes to, or
// goes on with that of --from.
func (f *runFlags) newSession(ctx context.Context, script *scripts.Script) (*host.Scripted, error) {
	if f.keep.from.set {
		return f.resume(ctx, script)
	}
	if err := f.files.check(script); err != nil {
		return nil, err
	}
	return await(ctx, 0, func() (*host.Scripted, error) {
		return script.NewSession(append(f.files.options(ctx, script), f.seeded...)...)
	})
}

// drive starts the session if it has a workspace, makes the calls, and closes it.
func (f *runFlags) drive(ctx context.Context, session *host.Scripted, calls iter.Seq2[scripts.Call, error], report *scriptReport, out reporter) {
	defer closeSession(ctx, session, report)
	var before []workspace.Entry
	if files := session.Workspace(); files != nil {
		if err := session.Start(ctx); err != nil {
			report.refuse(ctx, report.File, startProblem(err))
			return
		}
		if f.files.show {
			before = files.Snapshot()
		}
	}
	driver := scripts.NewDriver(session)
	for call, err := range calls {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			report.refuse(ctx, report.File, err)
			break
		}
		result := report.add(driver.Do(ctx, call))
		out.call(report, result)
		if !out.atOnce() {
			report.Calls = append(report.Calls, result)
		}
	}
	report.mayStop = f.keep.to.set
	report.finish(ctx, driver.Report())
	if before != nil {
		report.Workspace = newWorkspaceReport(session.Workspace().Policy().Root(), before, session.Workspace().Snapshot())
	}
	report.bare = f.files.show && before == nil
	if f.files.save.set {
		report.saved(f.files.save.value, saveTo(context.WithoutCancel(ctx), session, f.files.save.value))
	}
	if f.keep.to.set {
		report.kept(f.keep.to.value, keepSession(context.WithoutCancel(ctx), session, f.keep.to.value))
	}
}

// startProblem is why a session can't be started, such as an entry of the manifest.
func startProblem(err error) error {
	if entry, ok := errors.AsType[*host.ManifestEntryError](err); ok {
		return fmt.Errorf("can't be started: the entry %s of the manifest can't be made: %w", entry.Path, withoutCall(entry.Err))
	}
	return err
}

func closeSession(ctx context.Context, session *host.Scripted, report *scriptReport) {
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := session.Close(closing); err != nil {
		report.closed(err)
	}
	report.Fuel = session.Fuel()
}

// readCalls gives the calls of --calls, or nil. Those of a file are all read, so
// that none is made when a line is wrong; those of stdin are made as they come.
func (f *runFlags) readCalls(ctx context.Context, stdin io.Reader) (iter.Seq2[scripts.Call, error], error) {
	switch f.calls.value {
	case "":
		return nil, nil
	case "-":
		return until(ctx, scripts.ReadCalls(stdin, "stdin")), nil
	}
	calls, err := await(ctx, 0, func() ([]scripts.Call, error) { return readAllCalls(ctx, f.calls.value) })
	if err != nil {
		return nil, err
	}
	return withoutErrors(calls), nil
}

func readAllCalls(ctx context.Context, path string) ([]scripts.Call, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("is a folder, not a file of calls")
	}
	return scripts.ReadAllCalls(readUntil(ctx, file), path)
}

func withoutErrors(calls []scripts.Call) iter.Seq2[scripts.Call, error] {
	return func(yield func(scripts.Call, error) bool) {
		for call := range slices.Values(calls) {
			if !yield(call, nil) {
				return
			}
		}
	}
}

// until ends a sequence when the context ends, also while it waits for input. The
// read that it waits for then goes on; it ends with the process.
func until(ctx context.Context, calls iter.Seq2[scripts.Call, error]) iter.Seq2[scripts.Call, error] {
	type item struct {
		call scripts.Call
		err  error
	}
	return func(yield func(scripts.Call, error) bool) {
		items, done := make(chan item), make(chan struct{})
		defer close(done)
		go func() {
			defer close(items)
			for call, err := range calls {
				select {
				case items <- item{call, err}:
				case <-done:
					return
				}
			}
		}()
		for {
			select {
			case next, ok := <-items:
				if !ok || !yield(next.call, next.err) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}
