package scripts

import (
	"math"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// settings are the options of a session that a script has. What the schema
// objects to is left out.
func (p *parser) settings(document *node) []host.Option {
	var options []host.Option
	if n := document.get("seed"); n != nil {
		seed, ok := seedOf(n)
		if !ok && len(p.violations["seed"]) == 0 {
			p.add(n.position, "seed", "must be at most 18446744073709551615, and have no exponent when it is large", nil)
		}
		options = append(options, host.WithSeed(seed))
	}
	if n := document.get("start_time"); n.text() != "" {
		options = append(options, p.startTime(n))
	}
	p.config.limits = p.config.override(limitsOf(document.get("limits"), p.size))
	return append(options, host.WithLimits(p.config.limits))
}

func seedOf(n *node) (seed uint64, ok bool) {
	if large, ok := n.value.(uint64); ok {
		return large, true
	}
	i, ok := integer(n)
	return uint64(i), ok && i >= 0
}

// The times that 64 bits of nanoseconds can hold.
var (
	firstTime = time.Unix(0, math.MinInt64)
	lastTime  = time.Unix(0, math.MaxInt64)
)

func (p *parser) startTime(n *node) host.Option {
	start, err := time.Parse(time.RFC3339Nano, n.text())
	switch {
	case err != nil:
		p.add(n.position, "start_time", "must be a time such as \"2026-01-31T12:00:00Z\"", err)
	case start.Before(firstTime) || start.After(lastTime):
		p.add(n.position, "start_time", "must be between the years 1678 and 2262", nil)
	}
	return host.WithStartTime(start)
}

// integer is a whole number, also one that is written as 5.0.
func integer(n *node) (int64, bool) {
	switch v := n.value.(type) {
	case int64:
		return v, true
	case float64:
		return int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<53
	default:
		return 0, false
	}
}
