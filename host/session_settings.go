package host

import "time"

// Settings are what a session goes by, whether an option has set it or it is the
// default.
type Settings struct {
	Seed      uint64
	StartTime time.Time
	Limits    Limits
}

// Settings tells what the session goes by.
func (s *Scripted) Settings() Settings {
	return Settings{Seed: s.config.seed, StartTime: s.config.startTime, Limits: s.config.limits}
}
