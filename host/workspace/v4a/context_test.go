package v4a_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/internal/endingctx"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/v4a"
)

func TestTheEndOfTheContextIsSeenWhileADiffIsApplied(t *testing.T) {
	const lines = 50_000
	file := strings.Repeat("a\n", lines)
	for _, test := range []struct {
		name, diff string
		want       error
		least      int // looks
	}{
		{"a hunk that fits", "@@\n-a\n+b\n", nil, lines / 4096},
		{"a hunk that doesn't", "@@\n-b\n", v4a.InvalidContext, 3 * lines / 4096},
		{"hunks of which each is searched for", "@@\n" + strings.Repeat(" a\n", lines/2) + "-b\n", v4a.InvalidContext, 3 * lines / 4096},
		{"an anchor that isn't there", "@@ x\n@@ y\n-a\n", v4a.InvalidAnchor, 2 * lines / 4096},
		{"many hunks", strings.Repeat("@@\n-a\n+b\n", lines), nil, lines},
		{
			"hunks whose lines are there, but not together",
			strings.Repeat("@@\n \ta\n-\ta\n", 5) + "@@\n-\ta\n- a\n-b\n", v4a.InvalidContext, 3 * lines / 4096,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			const plenty = 1 << 30
			all := endingctx.After(t.Context(), plenty)
			if _, err := v4a.Apply(all, file, test.diff); !errors.Is(err, test.want) {
				t.Fatalf("error %v, want %v", err, test.want)
			}
			count := plenty - all.Left()
			if count < test.least {
				t.Errorf("it was looked at %d times, want at least %d", count, test.least)
			}
			for _, left := range []int{0, 1, count / 3, count / 2, count - 1} {
				if _, err := v4a.Apply(endingctx.After(t.Context(), left), file, test.diff); !errors.Is(err, context.Canceled) {
					t.Errorf("it ended after %d looks of %d: error %v", left, count, err)
				}
			}
		})
	}
}
