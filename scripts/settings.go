package scripts

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// settings are the options of a session that a script has. What the schema
// objects to is left out.
func (p *parser) settings(document *node) []host.Option {
	var options []host.Option
	if n := document.get("manifest"); n != nil {
		options = append(options, p.manifest(n))
	}
	if n := document.get("seed"); n != nil {
		if seed, ok := integer(n); ok {
			options = append(options, host.WithSeed(uint64(seed)))
		}
	}
	if n := document.get("start_time"); n.text() != "" {
		options = append(options, p.startTime(n))
	}
	if n := document.get("limits"); n != nil {
		options = append(options, host.WithLimits(host.Limits{
			InlineBytes: size(n.get("inline")),
			ReplyBytes:  size(n.get("reply")),
			LogBytes:    size(n.get("log")),
			BlobBytes:   size(n.get("blob")),
		}))
	}
	return options
}

func (p *parser) manifest(n *node) host.Option {
	option := host.WithManifest(host.Manifest{
		Root: n.get("root").text(), Ephemeral: texts(n.get("ephemeral")), Mounts: texts(n.get("mounts")),
	})
	for item := range p.violations {
		if isWithin(item, "manifest") {
			return option
		}
	}
	if _, err := host.NewScripted(nil, option); err != nil {
		p.add(n.position, "manifest", "can't be used: "+err.Error(), err)
	}
	return option
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
		p.add(n.position, "start_time", "must be a time such as 2026-01-31T12:00:00Z", err)
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

// units are how sizes end.
var units = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"B", 1}}

// size is a number of bytes, at most 2 GiB; 0 when there is none.
func size(n *node) int {
	if n == nil {
		return 0
	}
	if i, ok := integer(n); ok {
		return int(i)
	}
	for _, unit := range units {
		if digits, ok := strings.CutSuffix(n.text(), unit.name); ok {
			i, err := strconv.ParseInt(digits, 10, 32)
			if err != nil {
				return maxSize
			}
			return int(min(i*unit.bytes, maxSize))
		}
	}
	return 0
}

const maxSize = 1<<31 - 1

// texts are the items of a list of text.
func texts(n *node) []string {
	if n == nil {
		return nil
	}
	list := make([]string, len(n.items))
	for i, item := range n.items {
		list[i] = item.text()
	}
	return list
}
