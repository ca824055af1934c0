package shell

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"

	"github.com/wasmsandbox/wasmsandbox/host/argv"
	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/printf"
	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/regexpsize"
)

// An internalCommand is what rewritten scripts call, and what is called in place of
// builtins of the interpreter.
type internalCommand func(s *session, ctx context.Context, hc interp.HandlerContext, args []string) (int, error)

// hidden begins the names of those that scripts must not call: call leaves no such
// byte in their arguments.
const hidden = "\x00"

var internal = map[string]internalCommand{
	":stage":           (*session).endOfStage,
	":pipeline":        (*session).endOfPipeline,
	":job":             (*session).job,
	":time":            (*session).startTime,
	":timed":           (*session).stopTime,
	":check":           (*session).check,
	":guard":           (*session).guard,
	":cat":             (*session).copyInput,
	":exit":            (*session).exit,
	":alone":           (*session).alone,
	":outside":         (*session).outside,
	":fresh":           (*session).fresh,
	":break":           (*session).leave,
	":going":           (*session).going,
	":hold":            (*session).hold,
	":atexit":          (*session).atExit,
	":parameters":      (*session).countParameters,
	":substitution":    (*session).substitution,
	":afresh":          (*session).afresh,
	":exempt":          (*session).exempt,
	":errexit":         (*session).errexit,
	":pending":         (*session).pending,
	":status":          (*session).endStatus,
	":keep":            (*session).keep,
	":kept":            (*session).kept,
	":first":           (*session).first,
	":again":           (*session).again,
	":turn":            (*session).turn,
	":looped":          (*session).looped,
	hidden + "refused": (*session).refuse,
	hidden + "printf":  (*session).printf,
	hidden + "shift":   (*session).shift,
	hidden + "trap":    (*session).trap,
	hidden + "command": (*session).describeCommand,
	hidden + "type":    (*session).typeOf,
	hidden + "ulimit":  (*session).ulimit,
	hidden + "kill":    (*session).kill,
	hidden + "wait":    (*session).wait,
	hidden + "jobs":    (*session).exit,
}

func (s *session) endOfStage(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	if st := s.run.stage(); st != nil {
		st.status = hc.LastExitStatus
		st.statuses = []int{st.status}
		if len(args) > 0 { // it is a pipeline
			st.statuses = s.run.statuses
		}
	}
	return 0, nil
}

func (s *session) endOfPipeline(ctx context.Context, hc interp.HandlerContext, args []string) (int, error) {
	pipefail := hc.Builtin(ctx, []string{"test", "-o", "pipefail"}) == nil
	return s.run.endStage(hc.LastExitStatus, pipefail, len(args) > 0), nil
}

// job is the end of what was to run in the background.
func (s *session) job(_ context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	s.run.jobs = append(s.run.jobs, hc.LastExitStatus)
	return 0, nil
}

func (s *session) wait(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	code := 0
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") || strings.HasPrefix(arg, "%") {
			continue
		}
		n, err := strconv.Atoi(arg)
		if n -= shellPID; err != nil || n < 1 || n > len(s.run.jobs) {
			fmt.Fprintf(hc.Stderr, "%swait: pid %s is not a child of this shell\n", s.at(int(hc.Pos.Line())), arg)
			code = 127
			continue
		}
		code = s.run.jobs[n-1]
	}
	return code, nil
}

func (s *session) kill(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			fmt.Fprintf(hc.Stderr, "%skill: (%s) - No such process\n", s.at(int(hc.Pos.Line())), arg)
		}
	}
	return 1, nil
}

func (s *session) startTime(context.Context, interp.HandlerContext, []string) (int, error) {
	s.run.times = append(s.run.times, s.run.shell.Files.Now())
	return 0, nil
}

func (s *session) stopTime(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	n := len(s.run.times)
	if n == 0 {
		return hc.LastExitStatus, nil
	}
	took := time.Duration(s.run.shell.Files.Now() - s.run.times[n-1])
	s.run.times = s.run.times[:n-1]
	if len(args) > 0 {
		fmt.Fprintf(hc.Stderr, "real %.2f\nuser 0.00\nsys 0.00\n", took.Seconds())
	} else {
		minutes := took / time.Minute
		fmt.Fprintf(hc.Stderr, "\nreal\t%dm%.3fs\nuser\t0m0.000s\nsys\t0m0.000s\n", minutes, (took - minutes*time.Minute).Seconds())
	}
	return hc.LastExitStatus, nil
}

// check has a look at how large variables have become.
func (s *session) check(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	for _, name := range args {
		if name == anyVariable {
			s.run.grown += s.run.largest + variableOverhead
			continue
		}
		size := sizeOf(hc.Env.Get(name))
		if size > s.run.limits.Variable {
			return 0, s.run.exceeded("variable", int64(s.run.limits.Variable))
		}
		s.run.largest = max(s.run.largest, size)
		s.run.grown += size + variableOverhead
	}
	if s.run.grown > maxVariables/4 {
		if err := s.measure(hc); err != nil {
			return 0, err
		}
	}
	return hc.LastExitStatus, nil
}

const (
	// maxVariables is how many bytes all variables may have together.
	maxVariables = 64 << 20
	// variableOverhead is what one takes besides its value.
	variableOverhead = 128
)

// measure adds up all variables, which is done as seldom as they can have grown
// much.
func (s *session) measure(hc interp.HandlerContext) error {
	s.run.grown = 0
	total := 0
	for name, v := range hc.Env.Each {
		size := sizeOf(v)
		s.run.largest = max(s.run.largest, size)
		if total += len(name) + size + variableOverhead; total > maxVariables {
			return s.run.exceeded("variables", maxVariables)
		}
	}
	return nil
}

// overhead is what an element of an array takes.
const overhead = 16

func sizeOf(v expand.Variable) int {
	size := len(v.Str)
	for _, element := range v.List {
		size += len(element) + overhead
	}
	for key, element := range v.Map {
		size += len(key) + len(element) + overhead
	}
	return size
}

// maxExpansion is how many bytes the expansions of one statement may have, by
// their weight.
const maxExpansion = 64 << 20

// maxPattern is how long a pattern may be.
const maxPattern = 16 << 10

// guard has a look at what will be expanded: its first argument is the weight of
// all expansions; what follows are replacements, and names of variables.
func (s *session) guard(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	s.run.status = hc.LastExitStatus
	if len(args) == 0 {
		return 0, nil
	}
	weight, _ := strconv.Atoi(args[0])
	if int64(weight)*int64(s.run.largest) > maxExpansion {
		return 0, s.run.exceeded("variable", maxExpansion/int64(max(weight, 1)))
	}
	for rest := args[1:]; len(rest) >= 3; rest = rest[3:] {
		switch rest[0] {
		case "times":
			if int64(len(rest[1])+1)*int64(len(rest[2])+1) > maxExpansion {
				return 0, s.run.exceeded("variable", int64(s.run.limits.Variable))
			}
		case "pattern":
			if len(rest[1]) > maxPattern {
				return 0, s.run.exceeded("pattern", maxPattern)
			}
			if most := maxExpansion / (len(rest[2]) + 1); len(rest[1]) > most {
				return 0, s.run.exceeded("pattern", int64(most))
			}
		case "pattern-of": // what is as large as a variable may be
			if most := max(4*maxExpansion/s.run.limits.Variable, smallPattern); len(rest[1]) > most {
				return 0, s.run.exceeded("pattern", int64(most))
			}
		case "index":
			if hc.Env.Get(rest[1]).Kind == expand.Associative {
				return s.refused(hc, "a key without quotes that looks like an expression")
			}
		case "statuses":
			if s.run.commands != s.run.piped { // the last one was no pipeline
				s.run.statuses = []int{s.run.status}
			}
		case "text":
			if !utf8.ValidString(rest[1]) {
				return s.refused(hc, notText)
			}
		case "regexp", "regexp-of":
			size := len(rest[2]) + 1
			if rest[0] == "regexp-of" {
				size = s.run.limits.Variable
			}
			if most := maxExpansion / size; regexpsize.Of(rest[1]) > most {
				return 0, s.run.exceeded("pattern", int64(most))
			}
		case "extglob":
			if !s.extglob {
				return s.refused(hc, "an extended pattern without shopt -s extglob")
			}
		case "name":
			if renamed[rest[1]] != "" {
				return s.refused(hc, "an indirect expansion of "+rest[1])
			}
		}
	}
	return 0, nil
}

// refused tells that a statement isn't run.
func (s *session) refused(hc interp.HandlerContext, what string) (int, error) {
	fmt.Fprintln(hc.Stderr, s.describe(&refusedError{what, int(hc.Pos.Line())}))
	return 2, nil
}

// callKeys assigns the keys of an array, in their order, to another one.
func (s *session) callKeys(ctx context.Context, args []string) ([]string, error) {
	var text strings.Builder
	for _, name := range args[1:] {
		v := interp.HandlerCtx(ctx).Env.Get(name)
		text.WriteString(keysPrefix + name + "=(")
		for _, key := range slices.Sorted(maps.Keys(v.Map)) {
			text.WriteString(argv.Quote(key) + " ")
		}
		for i := range v.List {
			if v.Indexes != nil {
				i = v.Indexes[i]
			}
			fmt.Fprintf(&text, "%d ", i)
		}
		text.WriteString(")\n")
	}
	return []string{"eval", text.String()}, nil
}

func (s *session) copyInput(_ context.Context, hc interp.HandlerContext, _ []string) (int, error) {
	_, err := io.Copy(hc.Stdout, s.input(hc))
	return 0, err
}

func (s *session) exit(_ context.Context, _ interp.HandlerContext, args []string) (int, error) {
	if len(args) == 0 {
		return 0, nil
	}
	code, _ := strconv.Atoi(args[0])
	return code, nil
}

func (s *session) refuse(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	fmt.Fprintf(hc.Stderr, "%s%s: not supported\n", s.at(int(hc.Pos.Line())), strings.Join(args, " "))
	return 2, nil
}

func (s *session) printf(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	if len(args) == 0 {
		return 2, nil
	}
	out, complaints := printf.Format(args[0], args[1:], s.run.limits.Arguments*2)
	if len(out) > s.run.limits.Arguments*2 {
		return 0, s.run.exceeded("arguments", int64(s.run.limits.Arguments))
	}
	for _, c := range complaints {
		fmt.Fprintf(hc.Stderr, "%sprintf: %s\n", s.at(int(hc.Pos.Line())), c)
	}
	_, _ = hc.Stdout.Write(out) // as builtins do
	return min(len(complaints), 1), nil
}

func (s *session) ulimit(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	for _, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			return 0, nil // the limits are others
		}
	}
	fmt.Fprintln(hc.Stdout, "unlimited")
	return 0, nil
}
