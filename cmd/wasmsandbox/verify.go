package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

const verifyLong = `Show that runs of scripts are the same, bit by bit, or where they part first. Each
script is run several times on each engine, and compared are the calls and what came of
them, what guests said, the fuel they used, their memory at the end, and the files of the
workspace with their modes and times. The memory of a guest that has died, or whose state
can't be copied, isn't: inspect tells which can't.

` + scriptArgs + `

The runs are made in fresh sessions of this process, and then once more in a process of
its own. With --shuffle all but the first are made in processes of their own, with what
must not matter changed: the order of scripts and engines, the number of processors used,
how often memory is collected, the seeds of maps, the time zone, the language, other
variables, and the current folder. What was chosen follows from a seed, which is printed;
--shuffle-seed takes it.

Sessions are what the script says, and --calls, --seed, --workspace and the flags of
limits override that, as they do for run. They are kept in a manifest, too.

Whether the script held is told, but decides nothing: a run that fails the same way each
time is the same. The real clock may make runs differ: it ends commands of the workspace
at their timeout. Where that may be why, a hint says so. A call that takes longer than its limit of time is told as inconclusive.

--write keeps what was seen, and what the runs were made with, in a manifest. --check
makes the runs of a manifest again, perhaps with another version of this command or on
another machine, and compares them with it. Scripts and modules have to be the ones that
the manifest was written with.`

const verifyExample = `  wasmsandbox verify greeter
  wasmsandbox verify testdata/*.yaml --repeat 10 --shuffle
  wasmsandbox verify greeter --engines wazero,wasmtime   # in a tool built with -tags wasmtime
  wasmsandbox verify agent --calls agent.jsonl --workspace project --fuel 1000000
  wasmsandbox verify greeter --write greeter.json
  wasmsandbox verify --check greeter.json`

const verifyExitHelp = `Exit codes:
  0  all runs of each script were the same, whether or not they held
  1  runs differ, from each other or from the manifest; or there is no file of --write
  2  wrong usage; a script, module or manifest that can't be used; or a script or module
     that isn't the one that the manifest was written with
  4  inconclusive: not all runs were made to their end, as because of --timeout or a limit
     of time
Of several scripts the worst decides: 2, then 1, then 4. A signal ends the command with 128 plus
its number: 130 after Ctrl-C.`

const (
	defaultRepeat = 3
	mostRepeat    = 10_000
)

// verifyFlags are the flags of verify.
type verifyFlags struct {
	load        *loadFlags
	format      *choice
	repeat      *once
	engines     *once
	shuffle     bool
	shuffleSeed *once
	write       *once
	check       *once
	timeout     *timeLimit
	over        *verifyOverrides

	// Made of the above.
	times int
	names []string // of engines; nil: as the manifest or the build says
	seed  uint64
}

func (a *app) newVerify() *cobra.Command {
	f := new(verifyFlags)
	cmd := &cobra.Command{
		Use:         "verify SCRIPT...",
		Short:       "Show that runs of scripts are the same, or where they part",
		Long:        verifyLong,
		Example:     verifyExample,
		Annotations: map[string]string{footerKey: verifyExitHelp},
		Args: func(cmd *cobra.Command, args []string) error {
			switch given := f.over.given(cmd); {
			case !f.check.set:
				return atLeastOne("SCRIPT")(cmd, args)
			case len(args) > 0:
				return errors.New("--check goes without SCRIPT: the manifest names them")
			case given != "":
				return fmt.Errorf("--check goes without --%s: the runs are made as those of the manifest", given)
			}
			return nil
		},
		ValidArgsFunction: completeFiles("yaml", "yml", "json"),
	}
	f.format = addChoice(cmd, false, "format", "output format", "text", "json")
	f.repeat = addOnce(cmd, "repeat", "NUMBER", fmt.Sprintf("runs on each engine, besides the one more (default %d)", defaultRepeat))
	f.engines = addOnce(cmd, "engines", "NAMES", "engines to run on, with commas between (default "+strings.Join(engineNames(), ",")+")")
	cmd.Flags().BoolVar(&f.shuffle, "shuffle", false, "change between runs what must not matter")
	f.shuffleSeed = addOnce(cmd, "shuffle-seed", "NUMBER", "--shuffle as another time")
	f.write = addOnce(cmd, "write", "FILE", "write a manifest of the runs")
	f.check = addOnce(cmd, "check", "FILE", "make the runs of a manifest again, and compare")
	f.timeout = addTimeout(cmd, "verification")
	f.load = addLoadFlags(cmd)
	f.over = addVerifyOverrides(cmd)
	for _, flag := range []string{"repeat", "shuffle-seed"} {
		mustComplete(cmd, flag, cobra.NoFileCompletions)
	}
	mustComplete(cmd, "engines", cobra.FixedCompletions(engineNames(), cobra.ShellCompDirectiveNoFileComp))
	mustComplete(cmd, "write", completeFiles("json"))
	mustComplete(cmd, "check", completeFiles("json"))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.parse(args); err != nil {
			return &usageHint{err: err, command: cmd.CommandPath()}
		}
		ctx, cancel := f.timeout.start(cmd.Context())
		defer cancel()
		return a.verify(ctx, args, f)
	}
	return cmd
}

func (f *verifyFlags) parse(args []string) (err error) {
	f.times = defaultRepeat
	if f.repeat.set {
		if f.times, err = strconv.Atoi(f.repeat.value); err != nil || f.times < 1 || f.times > mostRepeat {
			return fmt.Errorf("--repeat wants a whole number from 1 to %d, not %q", mostRepeat, f.repeat.value)
		}
	}
	if f.engines.set {
		for name := range strings.SplitSeq(f.engines.value, ",") {
			if _, err := findEngine(name); err != nil {
				return fmt.Errorf("--engines: %w", err)
			}
			if slices.Contains(f.names, name) {
				return fmt.Errorf("--engines names %s twice", name)
			}
			f.names = append(f.names, name)
		}
	}
	if f.write.set && f.check.set {
		return errors.New("--write doesn't go with --check")
	}
	if f.over.calls.set && len(args) > 1 {
		return errors.New("--calls goes with one SCRIPT")
	}
	if f.over.calls.value == "-" && f.write.set {
		return errors.New("--write wants the calls in a file: what comes from stdin can't be read again")
	}
	if err := f.over.parse(); err != nil {
		return err
	}
	f.seed = rand.Uint64()
	if f.shuffleSeed.set {
		f.shuffle = true
		if f.seed, err = strconv.ParseUint(f.shuffleSeed.value, 10, 64); err != nil {
			return fmt.Errorf("--shuffle-seed wants a whole number from 0 on, not %q", f.shuffleSeed.value)
		}
	}
	return f.timeout.parse()
}

// verify makes all runs, and tells what came of them.
func (a *app) verify(ctx context.Context, paths []string, f *verifyFlags) error {
	plan := &verifyPlan{load: *f.load, engines: f.names, times: f.times, shuffle: f.shuffle, seed: f.seed}
	var manifest *verify.Manifest
	if f.check.set {
		var err error
		if manifest, err = plan.readManifest(ctx, f.check.value); err != nil {
			return fail(exitUsage, "%w", err)
		}
	} else {
		if err := f.over.readCalls(ctx, a.stdin); err != nil {
			return fail(exitUsage, "%w", err)
		}
		plan.add(paths, f.over.task)
	}
	if plan.engines == nil {
		plan.engines = engineNames()
	}
	v := newVerifier(plan.load)
	defer v.close(ctx)
	plan.run(ctx, v)

	document := plan.document(f)
	if f.write.set {
		document.written(f.write.value, plan.writeManifest(ctx, v, f.write.value))
	}
	if f.format.value == "json" {
		if err := printJSON(a.stdout, document); err != nil {
			return err
		}
	} else {
		a.printVerification(document, manifest)
	}
	return exitWith(document.code)
}
