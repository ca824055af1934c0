package scripts

import "github.com/wasmsandbox/wasmsandbox/host/shell"

// toolWarnings tells of tools whose names mean something to the shell itself. Other
// commands, such as ls, a tool replaces.
func (p *parser) toolWarnings(tools *node) (warnings []*Problem) {
	list := problems{file: p.file}
	for _, e := range nodeEntries(tools) {
		what := ""
		switch shell.Meaning(e.key) {
		case shell.Builtin:
			what = "is a builtin of the shell: scripts run the tool only as /usr/bin/" + e.key
		case shell.Keyword:
			what = "is a keyword of the shell: scripts run the tool only by its name in quotes, or as /usr/bin/" + e.key
		case shell.Itself:
			what = "takes the place of the shell: the tool runs what would be scripts for it"
		}
		if what != "" {
			list.add(e.at, at("tools", e.key), what, nil)
		}
	}
	return list.list
}
