package host_test

import (
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// Whoever reads what a guest went over knows which key of a script to change.
func TestABreachNamesTheLimitAsScriptsDo(t *testing.T) {
	for _, limit := range []host.LimitName{
		host.LimitReply, host.LimitBlob, host.LimitFuel, host.LimitSessionFuel, host.LimitDepth, host.LimitMemory, host.LimitTable,
	} {
		b := host.Breach{Limit: limit, Reached: 5001, Allowed: 5000}
		if got, want := b.String(), " 5000 (limits."+string(limit)+")"; !strings.HasSuffix(strings.Replace(got, " deep (", " (", 1), want) {
			t.Errorf("%s: %q, want it to end with %q", limit, got, want)
		}
	}
}
