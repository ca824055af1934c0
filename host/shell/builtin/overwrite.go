package builtin

import "github.com/wasmsandbox/wasmsandbox/host/workspace"

// An overwriting says which files that are there cp and mv write over. The zero value is
// all of them.
type overwriting struct {
	never bool // -n
	asks  bool // -i
	newer bool // -u: only those that are older
}

// option takes an option; of -n, -i and -f the last one counts.
func (o *overwriting) option(letter byte) {
	switch letter {
	case 'n':
		o.never, o.asks = true, false
	case 'i':
		o.never, o.asks = false, true
	case 'f':
		o.never, o.asks = false, false
	case 'u':
		o.newer = true
	}
}

// mayOverwrite asks, if it has to.
func (c *command) mayOverwrite(to string, from, there workspace.Info, over overwriting) bool {
	if over.newer && there.Modified >= from.Modified && !there.Mode.IsDir() {
		return false
	}
	return !over.asks || c.confirmed("overwrite '%s'? ", to)
}
