package builtin_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

// Each match of a.*b|a looks for a b to the end of the text: all of them take hours.
func TestLookingForAllMatchesEndsWithItsContext(t *testing.T) {
	for _, script := range []string{
		`sed -E 's/a.*b|a/x/g'`, `sed -nE 's/a.*b|a/x/900000p'`, `sed -E 's/\ba.*b|a/x/g'`,
		`grep -oE 'a.*b|a'`, `grep -oP '\Ba.*b|a'`, `awk '{print gensub(/a.*b|a/, "x", "g")}'`, `awk '{print gensub(/a.*b|a/, "x", 900000)}'`,
	} {
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools())}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err := s.Run(ctx, shell.Process{
			Args: []string{"bash", "-c", script}, Stdin: strings.NewReader(strings.Repeat("a", 1<<20)), Stdout: io.Discard,
		})
		if cancel(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", script, err)
		}
	}
}

// The library of awk looks at no context while it does these.
func TestAwkDoesNotLookForMatchesAgainAndAgainInALongText(t *testing.T) {
	const long = `head -c 1000000 /dev/zero | tr '\0' a | `
	const some = `head -c 1000 /dev/zero | tr '\0' a | `
	const tooLong, tooOften = "the regular expression is too large for so long a text", "the separator has to be looked for again and again"
	for script, want := range map[string]string{
		long + `awk '{gsub(/a.*b|a/, "x")}'`:                     tooLong,
		long + `awk '{sub("a.*b|a", "x")}'`:                      tooLong,
		long + `awk '{r = "a.*b|a"; gsub(r, "x")}'`:              tooLong,
		long + `awk '{print split($0, x, /a.*b|a/)}'`:            tooLong,
		long + `awk -F'a.*b|a' '{print NF}'`:                     tooOften,
		long + `awk '{print NF}' FS='a.*b|a'`:                    tooOften,
		long + `awk 'BEGIN{FS="a.*b|a"}{print NF}'`:              tooOften,
		long + `awk 'BEGIN{RS="a.*b|a"}END{print NR}'`:           tooOften,
		some + `awk '{print split($0, x, /a(.|..){0,400}b|a/)}'`: tooLong,
		some + `awk '{gsub(/a(.|..){0,400}b|a/, "x")}'`:          tooLong,
		some + `awk '{print match($0, /a(.|..){0,400}b|a/)}'`:    "1",
		long + `awk '{gsub(/[0-9]{1,20}/, ""); print length}'`:   "1000000",
		long + `awk '{gsub(/a.*b/, "x"); print length}'`:         "1000000",
		long + `awk '{print match($0, /a.*b|a/)}'`:               "1",
		long + `awk -F' *, *' '{print NF}'`:                      "1",
		`echo abaa | awk '{gsub(/a.*b|a/, "x"); print}'`:         "xxx",
		`echo aaa | awk '{print split($0, x, /a.*b|a/)}'`:        "4",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, script); err != nil || strings.TrimPrefix(strings.TrimSpace(out), "awk: ") != want {
			t.Errorf("%s: got %.80q, %v", script, out, err)
		}
	}
}
