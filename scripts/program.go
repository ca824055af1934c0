package scripts

import (
	"context"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// runnableKeys name modules that are run anew for each call.
var runnableKeys = []string{"command", "program"}

// runnableKey is the one of these keys that the module has, or "".
func (m *module) runnableKey() string {
	if m.tool {
		return "program"
	}
	for _, key := range runnableKeys {
		if m.node.get(key) != nil {
			return key
		}
	}
	return ""
}

// misplaced are the keys that a module can't have because of what it is, and what
// to say of them.
var misplaced = map[string]map[string]string{
	"":        {"env": "is for a program", "stdin": "is for a program"},
	"command": {"lang": "is for source", "env": "is for a program", "stdin": "is for a program: a command reads the call there"},
	"program": {"lang": "is for source", "config": "is for a guest or a command: a program has env and stdin"},
}

// checkKeys reports keys that don't belong to what the module is.
func (m *module) checkKeys() bool {
	ok := true
	for _, e := range nodeEntries(m.node) {
		if problem := misplaced[m.runnableKey()][e.key]; problem != "" {
			m.problems.add(e.at, at(m.field, e.key), problem, nil)
			ok = false
		}
	}
	return ok
}

// loadRunnable reads or builds a command or program, and compiles it.
func (m *module) loadRunnable(ctx context.Context, c config, r *host.Runtime, files *files, key string) {
	options, ok := m.runnableOptions(c.limits)
	if !ok {
		return
	}
	wasm, ok := m.runnableBytes(ctx, c, files, key)
	if !ok {
		return
	}
	var err error
	if key == "command" {
		m.command, err = r.LoadCommand(ctx, m.name, wasm, options...)
	} else {
		m.program, err = r.LoadProgram(ctx, m.name, wasm, options...)
	}
	if err != nil {
		m.refused(err)
	}
}

// runnableBytes are those of a file, or of what is built from a folder of source.
func (m *module) runnableBytes(ctx context.Context, c config, files *files, key string) (wasm []byte, ok bool) {
	path, field := m.node.get(key), at(m.field, key)
	if path == nil { // a tool that is a path alone
		path, field = m.node, m.field
	}
	dir, err := files.dir(path.text())
	if err == nil && dir != "" {
		built, ok := m.build(ctx, c, dir, path, key)
		return built.bytes, ok
	}
	if err == nil {
		wasm, err = files.read(path.text())
	}
	if err != nil {
		m.fail(path, field, err)
		return nil, false
	}
	return wasm, true
}

func (m *module) runnableOptions(session host.Limits) ([]host.ModuleOption, bool) {
	options := append(pinned(m.node.get("sha256").text()), host.WithModuleLimits(m.limits(session)))
	values, ok := m.configuration()
	if !ok {
		return nil, false
	}
	if values != nil {
		options = append(options, host.WithConfig(values))
	}
	if env := m.problems.environment(m.node.get("env"), at(m.field, "env")); env != nil {
		options = append(options, host.WithEnv(env))
	}
	stdin, ok := m.stdin()
	if stdin != nil {
		options = append(options, host.WithStdin(stdin))
	}
	return options, ok && len(m.problems.list) == 0
}

// environment reads names and values. What can't be in one is reported.
func (p *problems) environment(n *node, field string) map[string]string {
	if n == nil {
		return nil
	}
	env := make(map[string]string, len(n.entries))
	for _, e := range n.entries {
		problem := ""
		switch value := e.value.text(); {
		case e.key == "":
			problem = "has a name that is empty"
		case strings.ContainsAny(e.key, "=\x00"):
			problem = "has a name with a = or a NUL character"
		case strings.Contains(value, "\x00"):
			problem = "has a value with a NUL character"
		default:
			env[e.key] = value
		}
		if problem != "" {
			p.add(e.at, field, problem, nil)
		}
	}
	return env
}

// stdin is text, {text: …} or {base64: …}.
func (m *module) stdin() (data []byte, ok bool) {
	n := m.node.get("stdin")
	if n == nil || n.isNull() {
		return nil, true
	}
	if n.kind == scalarNode {
		return []byte(n.text()), true
	}
	value, bad := valueWithBytes(n)
	if bad != nil {
		m.problems.add(bad.position, at(m.field, "stdin"), badBase64, nil)
		return nil, false
	}
	if data, ok := value.([]byte); ok {
		return data, true
	}
	return []byte(n.get("text").text()), true
}

// isLoaded reports whether the module was loaded, as whatever it is.
func (m *module) isLoaded() bool { return m.loaded != nil || m.command != nil || m.program != nil }

// runnables are the commands and programs of the script, ordered by name.
func (p *parser) runnables() (commands []*host.Command, programs []*host.Program) {
	for _, name := range sortedKeys(p.modules) {
		if m := p.modules[name]; m.command != nil {
			commands = append(commands, m.command)
		} else if m.program != nil {
			programs = append(programs, m.program)
		}
	}
	return commands, programs
}

// runnableResponder makes a command or program the answer of a step. A program
// has no handlers, and answers exec only.
func (s *stepParser) runnableResponder(step *host.Step, m *module, n *node, detail string) bool {
	if m.command != nil {
		step.Outcome = host.Respond(m.command.Responder(n.get("handler").text()))
		return true
	}
	responder := m.program.Responder()
	switch handler := n.get("handler"); {
	case handler != nil:
		s.invalid(handler, "responder.handler", host.ReasonInvalidOutcome, detail,
			"isn't there: "+m.name+" is a program, which has no handlers", nil)
		return false
	case !responder.Serves(s.method):
		s.invalid(n.get("module"), "responder.module", host.ReasonInvalidOutcome, detail,
			"can't be used: "+m.name+" is a program, which answers exec, not "+s.method.String(), host.ModuleHandlerMismatch)
		return false
	}
	step.Outcome = host.Respond(responder)
	return true
}

// runnableMatcher makes a command the matcher of a step.
func (s *stepParser) runnableMatcher(step *host.Step, m *module, n *node) bool {
	if m.command == nil {
		s.badMatcher(n.get("module"), "match.module", "can't be used: "+m.name+" is a program, which can't match", nil)
		return false
	}
	step.Match = m.command.Matcher(n.get("handler").text())
	return true
}
