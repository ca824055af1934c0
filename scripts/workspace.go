package scripts

import (
	"context"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// precedences are the words of a script for who answers.
var precedences = map[string]host.Precedence{
	host.StepsFirst.String():    host.StepsFirst,
	host.WorkspaceOnly.String(): host.WorkspaceOnly,
	host.StepsOnly.String():     host.StepsOnly,
}

// workspace reads what the session's files are. Nil: the script has none. A key
// without a value counts.
func (p *parser) workspace(ctx context.Context, document *node, manifest host.Manifest) *host.Workspace {
	n := document.get("workspace")
	if n == nil && document.get("tools") == nil {
		return nil
	}
	w := &host.Workspace{
		Answers:          answers(n.get("answers")),
		Limits:           p.workspaceLimits(n.get("limits")),
		WithoutUtilities: n.get("utilities") != nil && n.get("utilities").value == false,
		Tools:            map[string]shell.Tool{},
		Runtime:          p.config.runtime,
	}
	for name, m := range p.tools {
		if m.program != nil {
			w.Tools[name] = m.program.Tool()
		}
	}
	w.Seed = p.seed(ctx, n, manifest, w.Limits)
	return w
}

// answers say who answers a method: one word for all, or a map.
func answers(n *node) map[host.Method]host.Precedence {
	answers := map[host.Method]host.Precedence{}
	if who, ok := precedences[n.text()]; ok {
		for _, method := range abi.Methods() {
			answers[method] = who
		}
	}
	for _, e := range nodeEntries(n) {
		if method, ok := host.ParseMethod(e.key); ok {
			answers[method] = precedences[e.value.text()]
		}
	}
	return answers
}

// workspaceLimits bound what the workspace may hold. What the schema objects to is
// left out.
func (p *parser) workspaceLimits(n *node) workspace.Limits {
	if n == nil {
		return workspace.Limits{}
	}
	limits := workspace.Limits{Bytes: int64(p.sizeOf(n.get("bytes"), "workspace.limits.bytes"))}
	if files := n.get("files"); files != nil {
		count, _ := integer(files)
		limits.Files = int(max(count, 0))
	}
	return limits
}
