package host_test

import (
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestASessionTellsItsSettings(t *testing.T) {
	session, err := host.NewScripted(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := session.Settings()
	if s.Seed != 0 || !s.StartTime.Equal(host.DefaultStartTime) || s.Limits.InlineBytes != 64<<10 {
		t.Errorf("the defaults are %+v", s)
	}
	start := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	session, err = host.NewScripted(nil, host.WithSeed(7), host.WithStartTime(start), host.WithLimits(host.Limits{LogBytes: 8}))
	if err != nil {
		t.Fatal(err)
	}
	s = session.Settings()
	if s.Seed != 7 || !s.StartTime.Equal(start) || s.Limits.LogBytes != 8 || s.Limits.InlineBytes != 64<<10 {
		t.Errorf("the settings are %+v", s)
	}
}
