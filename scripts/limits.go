package scripts

import (
	"cmp"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// WithLimits sets limits of the script's sessions. Fields that aren't zero override the
// script's own.
func WithLimits(l host.Limits) Option { return func(c *config) { c.limits = l } }

// override are limits with those of the options over them.
func (c *config) override(l host.Limits) host.Limits {
	over := c.limits
	return host.Limits{
		InlineBytes:  cmp.Or(over.InlineBytes, l.InlineBytes),
		ReplyBytes:   cmp.Or(over.ReplyBytes, l.ReplyBytes),
		LogBytes:     cmp.Or(over.LogBytes, l.LogBytes),
		BlobBytes:    cmp.Or(over.BlobBytes, l.BlobBytes),
		CallFuel:     cmp.Or(over.CallFuel, l.CallFuel),
		SessionFuel:  cmp.Or(over.SessionFuel, l.SessionFuel),
		CallDepth:    cmp.Or(over.CallDepth, l.CallDepth),
		MemoryBytes:  cmp.Or(over.MemoryBytes, l.MemoryBytes),
		TableEntries: cmp.Or(over.TableEntries, l.TableEntries),
		CallTime:     cmp.Or(over.CallTime, l.CallTime),
	}
}

// limits are those of the module, and what the session's mean when it is loaded.
func (m *module) limits(session host.Limits) host.Limits {
	n, field := m.node.get("limits"), at(m.field, "limits")
	own := limitsOf(n, func(_ *node, key string) int {
		size := n.get(key)
		if size == nil {
			return 0
		}
		bytes, problem := parseSize(size)
		if problem != "" {
			m.problems.add(size.position, at(field, key), problem, nil)
		}
		return bytes
	})
	return own.Stricter(host.Limits{
		CallFuel: session.CallFuel, CallDepth: session.CallDepth,
		MemoryBytes: session.MemoryBytes, TableEntries: session.TableEntries,
	})
}

// limitsOf are the limits that a script or a module has. What the schema objects to is
// left out.
func limitsOf(n *node, sizeOf func(n *node, key string) int) host.Limits {
	size := func(key string) int { return sizeOf(n, key) }
	return host.Limits{
		InlineBytes: size("inline"), ReplyBytes: size("reply"), LogBytes: size("log"), BlobBytes: size("blob"),
		CallFuel: numberOf(n.get("fuel")), SessionFuel: numberOf(n.get("session_fuel")),
		CallDepth:   int(numberOf(n.get("depth"))),
		MemoryBytes: int64(size("memory")), TableEntries: int(numberOf(n.get("table"))),
		CallTime: secondsOf(n.get("time")),
	}
}

// numberOf is a whole number above 0, or 0 if there is none.
func numberOf(n *node) int64 {
	if n == nil {
		return 0
	}
	count, _ := integer(n)
	return max(count, 0)
}

// secondsOf is a time in seconds, or 0 if there is none.
func secondsOf(n *node) time.Duration {
	if n == nil {
		return 0
	}
	switch v := n.value.(type) {
	case int64:
		return time.Duration(min(max(v, 0), maxSeconds)) * time.Second
	case float64:
		if v > 0 {
			return max(time.Duration(min(v, maxSeconds)*float64(time.Second)), 1)
		}
	}
	return 0
}

// maxSeconds is the longest time that a script can give a call.
const maxSeconds = 86_400
