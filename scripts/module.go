package scripts

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// module is a guest, command or program that a script names.
type module struct {
	name     string
	field    string
	node     *node        // the whole, or just a path
	loaded   *host.Module // at most one of these three
	command  *host.Command
	program  *host.Program
	tool     bool // a program, whatever its keys
	used     bool // by a step
	problems problems
}

// loadModules loads all guests and tools at once. Those that can't be loaded are
// reported.
func (p *parser) loadModules(ctx context.Context, document *node) []*host.Module {
	all := append(modulesAt(document.get("modules"), "modules", p.modules), modulesAt(document.get("tools"), "tools", p.tools)...)
	if len(all) == 0 {
		return nil
	}
	files, err := p.openFiles()
	if err != nil {
		p.add(all[0].node.position, all[0].field, "can't be loaded: "+err.Error(), err)
		return nil
	}
	defer files.close()

	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0) + 1) // one may wait for a compiler
	for _, m := range all {
		m.problems.file = p.file
		if len(p.violations[m.field]) == 0 {
			group.Go(func() error {
				m.load(ctx, p.config, files)
				return nil
			})
		}
	}
	_ = group.Wait() // modules keep their own problems

	var loaded []*host.Module
	for _, m := range all {
		p.list = append(p.list, m.problems.list...)
		if m.loaded != nil {
			loaded = append(loaded, m.loaded)
		}
	}
	return loaded
}

// modulesAt are the modules of a map, ordered by name. They are put into a set.
func modulesAt(list *node, field string, set map[string]*module) (all []*module) {
	for _, e := range nodeEntries(list) {
		set[e.key] = &module{name: e.key, field: at(field, e.key), node: e.value, tool: field == "tools"}
	}
	for _, name := range sortedKeys(set) {
		all = append(all, set[name])
	}
	return all
}

// load reads or builds the module, compiles it, and checks its configuration.
func (m *module) load(ctx context.Context, c config, files *files) {
	if !m.checkKeys() {
		return
	}
	r := c.runtime
	if r == nil {
		var err error
		if r, err = host.DefaultRuntime(); err != nil {
			m.fail(m.node, m.field, err)
			return
		}
	}
	if key := m.runnableKey(); key != "" {
		m.loadRunnable(ctx, c, r, files, key)
		return
	}
	code, ok := m.code(ctx, c, files)
	if !ok {
		return
	}
	values, ok := m.configuration()
	if !ok {
		return
	}
	loaded, err := code.load(ctx, r, m.name, m.node.get("sha256").text(), host.WithConfig(values), host.WithModuleLimits(m.limits(c.limits)))
	if err != nil {
		m.refused(err)
		return
	}
	if m.checkConfig(ctx, loaded) {
		m.loaded = loaded
	}
}

// configuration is what the guest is given. Guests know no fractions.
func (m *module) configuration() (values map[string]any, ok bool) {
	n, field := m.node.get("config"), at(m.field, "config")
	if n == nil {
		return nil, true
	}
	if bad, part := n.makeWhole(field); bad != nil {
		m.problems.add(bad.position, part, "can't have a fraction", nil)
		return nil, false
	}
	values, bad := withBytes(n)
	if bad != nil {
		m.problems.add(bad.position, field, badBase64, nil)
		return nil, false
	}
	return values, true
}

func (m *module) fail(where *node, field string, err error) {
	m.problems.add(where.position, field, "can't be loaded: "+err.Error(), err)
}

// refused reports what the host says of the module, at the key it is about.
func (m *module) refused(err error) {
	where, field := m.node, m.field
	for kind, key := range map[host.ModuleErrorKind]string{
		host.ModuleWrongDigest: "sha256", host.ModuleBadConfig: "config", host.ModuleOverLimit: "limits",
	} {
		if n := m.node.get(key); errors.Is(err, kind) && n != nil {
			where, field = n, at(field, key)
		}
	}
	m.fail(where, field, err)
}

// moduleOf finds the module of a handler. One that couldn't be loaded has been
// reported: the step is left out without another word.
func (s *stepParser) moduleOf(n *node, key string, reason host.StepReason, detail string) (*module, bool) {
	name := n.get("module").text()
	m, ok := s.modules[name]
	if !ok {
		known := suggest(name, sortedKeys(s.modules))
		if known == "" {
			known = "; the script has no modules"
		}
		s.invalid(n.get("module"), at(key, "module"), reason, detail, fmt.Sprintf("names no module: %q%s", name, known), nil)
		return nil, false
	}
	m.used = true
	return m, m.isLoaded()
}

// mismatch is the error for a handler that exists, but not for the method.
func mismatch(m *host.Module, kind, name string, method host.Method) error {
	var serves, others []string
	for _, h := range m.Description().Handlers {
		if h.Kind.String() != kind {
			continue
		}
		if h.Name == name {
			for _, m := range h.Methods {
				serves = append(serves, m.String())
			}
		}
		if len(h.Methods) == 0 || slices.Contains(h.Methods, method) {
			others = append(others, h.Name)
		}
	}
	detail := fmt.Sprintf("%s %q serves %s, not %s", kind, name, strings.Join(serves, ", "), method)
	if len(others) > 0 {
		detail += "; for that there is " + strings.Join(others, ", ")
	}
	return &host.ModuleError{Kind: host.ModuleHandlerMismatch, Module: m.Name(), Detail: detail}
}
