package builtin_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/internal/endingctx"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

func TestWhatExprCannotComputeIsRefused(t *testing.T) {
	nines, long := strings.Repeat("9", 4000), strings.Repeat("a", 500_000)
	for args, want := range map[string]string{
		strings.Repeat("9", 5000) + ` + 1`:                                "expr: the number is too long\n3\n",
		`1 = ` + strings.Repeat("9", 5000):                                "expr: the number is too long\n3\n",
		nines + ` '*' ` + nines + ` '*' 1`:                                "expr: the number is too long\n3\n",
		`length '(' ` + nines + ` '*' ` + nines + ` ')'`:                  "8000\n0\n",
		strings.Repeat("'(' ", 20_000) + "5":                              "expr: the expression is nested too deep\n3\n",
		strings.Repeat("length ", 20_000) + "x":                           "expr: the expression is nested too deep\n3\n",
		strings.Repeat("'(' ", 9000) + "5" + strings.Repeat(" ')'", 9000): "5\n0\n",
		strings.Repeat("1 + ", 30_000) + "1":                              "30001\n0\n",
		long + ` : '\(a\{0,500\}a\{0,500\}\)*b'`:                          "expr: the regular expression is too large for so long a text\n3\n",
		long + ` : 'a*'`:                                                  "500000\n0\n",
		`length match ` + long[:90_000] + ` '\(a*\)a\{9\}$'`:              "89991\n0\n",
		`a : ` + long + long[:30_000]:                                     "expr: Regular expression too big\n2\n",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, "expr "+args+"; echo $?"); out != want || err != nil {
			t.Errorf("%.40s: got %.200q, %v", args, out, err)
		}
	}
}

func TestAContextEndsExpr(t *testing.T) {
	text := strings.Repeat("a", 1<<18)
	for _, line := range []string{
		`expr ` + text + ` : \(a\{0,50\}a\{0,50\}\)*b`,
		`expr match ` + text + ` a*b`,
		`expr 1` + strings.Repeat(" + 1", 1000),
		`expr x` + strings.Repeat(" : x", 1000),
	} {
		_, err := runTool(endingctx.After(t.Context(), 8), newTree(t), io.Discard, line)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%.20s: got %v", line, err)
		}
	}
}
