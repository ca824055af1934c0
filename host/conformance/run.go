package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// Options change a run. The zero value tests everything.
type Options struct {
	// Unimplemented are features that the guest is known not to have. They are
	// tested, and must fail.
	Unimplemented []string
}

// A feature is a part of the ABI with the checks for it.
type feature struct {
	name  string
	about string
	check func(*tester)
	any   bool // it needs no handler of the kitchen-sink guest
}

func features() []feature {
	return slices.Concat(protocolFeatures(), resultFeatures(), stateFeatures(), contentFeatures(), failureFeatures())
}

// Features are the names of all features, in the order in which they are tested.
func Features() []string {
	var names []string
	for _, f := range features() {
		names = append(names, f.name)
	}
	return names
}

// Run tests a guest, whose own configuration isn't used. The error says that it
// can't be tested: an option is wrong, or the context has ended.
func Run(ctx context.Context, module *host.Module, opts Options) (*Report, error) {
	known := Features()
	for _, name := range opts.Unimplemented {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("conformance: there is no feature %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	d := module.Description()
	report := &Report{Guest: module.Name(), Language: d.Language, SDK: d.SDK, Toolchain: d.Toolchain}
	for _, f := range features() {
		if !f.any && d.Name != kitchenName {
			report.Rows = append(report.Rows, Row{Feature: f.name, About: f.about, Status: NotTested})
			continue
		}
		row, err := runFeature(ctx, module, f)
		if err != nil {
			return nil, err
		}
		if slices.Contains(opts.Unimplemented, f.name) {
			row.Status = expectFailure(row.Status)
		}
		report.Rows = append(report.Rows, row)
	}
	return report, nil
}

// expectFailure is the status of a feature that was said to fail.
func expectFailure(s Status) Status {
	if s == Failed {
		return Unimplemented
	}
	return Stale
}

func runFeature(ctx context.Context, module *host.Module, f feature) (Row, error) {
	t := &tester{ctx: ctx, module: module}
	f.check(t)
	t.closeAll()
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	row := Row{Feature: f.name, About: f.about, Status: Passed, Checks: t.checks, Problems: t.problems}
	if len(t.problems) > 0 {
		row.Status = Failed
	}
	copy(row.Digest[:], t.digest.Sum(nil))
	return row, nil
}

// handler finds a handler of the guest.
func handler(d *host.Description, kind abi.HandlerKind, name string) (abi.Handler, bool) {
	for _, h := range d.Handlers {
		if h.Kind == kind && h.Name == name {
			return h, true
		}
	}
	return abi.Handler{}, false
}
