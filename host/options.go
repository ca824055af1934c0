package host

import (
	"math"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// An Option changes how a session behaves.
type Option func(*config)

type config struct {
	manifest    Manifest
	streamLimit int64
	seed        uint64
	startTime   time.Time
	limits      Limits
	workspace   *Workspace       // nil: none
	policy      workspace.Policy // of the manifest
}

func defaultConfig() config {
	return config{
		manifest:    Manifest{Root: DefaultRoot},
		streamLimit: DefaultStreamLimit,
		startTime:   DefaultStartTime,
		limits:      Limits{}.withDefaults(),
	}
}

// WithManifest describes the workspace: its root, its grants, mounts and entries. The
// session keeps a copy (S5.2).
func WithManifest(m Manifest) Option { return func(c *config) { c.manifest = m.clone() } }

// WithStreamLimit sets how many bytes of a reader are recorded; a longer one is
// a *SnapshotError. Readers whose content is in memory already, as that of
// *bytes.Reader and *StreamReader is, count too.
func WithStreamLimit(bytes int64) Option { return func(c *config) { c.streamLimit = bytes } }

// WithSeed sets what the guests' random numbers come from. The default is zero:
// two sessions with the same script behave the same.
func WithSeed(seed uint64) Option { return func(c *config) { c.seed = seed } }

// WithStartTime sets where the guests' clock starts. It is virtual: it advances
// by [CallStep] with each call, and never follows the real time.
func WithStartTime(t time.Time) Option { return func(c *config) { c.startTime = t } }

// WithLimits bounds what the guests, commands, programs and tools of the session may use.
func WithLimits(l Limits) Option { return func(c *config) { c.limits = l.withDefaults() } }

// DefaultStartTime is where the guests' clock starts, unless WithStartTime says
// otherwise.
var DefaultStartTime = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// CallStep is how far the guests' clock advances with each call.
const CallStep = time.Second

// These are the first and the last time that fit nanoseconds since 1970 in 64
// bits.
var (
	earliestTime = time.Unix(0, math.MinInt64)
	latestTime   = time.Unix(0, math.MaxInt64)
)

// callTime is the virtual time of a call, in nanoseconds since 1970. The clock
// stops at the last time that fits, and doesn't begin before the first.
func (c *config) callTime(index int) int64 {
	const most = math.MaxInt64 / int64(CallStep)
	t := c.startTime
	if int64(index) <= most {
		t = t.Add(time.Duration(index) * CallStep)
	}
	switch {
	case t.After(latestTime):
		return math.MaxInt64
	case t.Before(earliestTime):
		return math.MinInt64
	default:
		return t.UnixNano()
	}
}
