package hosttest

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A verdict is what became of a call, as a report tells it.
type verdict uint8

const (
	answered   verdict = iota // as scripted: with a result or an error
	unexpected                // no step was left, or one for another method
	rejected                  // by a matcher
	failed                    // what should have answered broke
	running                   // it hasn't returned
)

// judge tells what became of a call.
func judge(r *host.Record) verdict {
	switch {
	case !r.Done:
		return running
	case r.Err == nil:
		return answered
	case r.Step < 0 && is[*host.UnexpectedCallError](r.Err):
		return unexpected
	case r.Step < 0 && is[*host.MatcherRejectedError](r.Err):
		return rejected
	case r.Outcome != host.OutcomeError && broken(r.Err):
		return failed
	default:
		return answered
	}
}

// broken reports an error that nobody answers with on purpose.
func broken(err error) bool {
	return is[*host.GuestError](err) || is[*host.PanicError](err) || is[*host.ResultTypeError](err)
}

func is[T error](err error) bool {
	_, ok := errors.AsType[T](err)
	return ok
}

// problems lists what the configuration doesn't allow.
func (c Config) problems(r *report) []string {
	var counts [running + 1]int
	for i := range r.records {
		counts[judge(&r.records[i])]++
	}
	var problems []string
	add := func(allowed bool, n int, text string) {
		if n > 0 && !allowed {
			problems = append(problems, text)
		}
	}
	add(c.AllowUnexpected, counts[unexpected], count(counts[unexpected], "unexpected call"))
	add(c.AllowUnexpected, counts[rejected], count(counts[rejected], "rejected call"))
	for _, method := range slices.Sorted(maps.Keys(r.refused)) {
		add(c.AllowUnexpected, r.refused[method], count(r.refused[method], "call")+" of "+method.String()+", which no step is for")
	}
	add(c.AllowFailures, counts[failed], count(counts[failed], "failed call"))
	add(false, counts[running], count(counts[running], "call")+" not returned")
	left := len(r.pending)
	add(c.AllowUnused, left, fmt.Sprintf("%d of %s not used", left, count(left+r.used(), "step")))
	if r.closing != nil {
		problems = append(problems, "closing it failed")
	}
	return problems
}

// count is a number of things, such as "2 steps".
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// because is the cause of an error that doesn't tell it itself.
func because(err error) string {
	if step, ok := errors.AsType[*host.InvalidStepError](err); ok && step.Err != nil {
		return ": " + step.Err.Error()
	}
	return ""
}
