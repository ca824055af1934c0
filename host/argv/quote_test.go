package argv_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/argv"
)

func TestAQuotedArgumentIsOneWord(t *testing.T) {
	for _, test := range []struct{ rule, text, want string }{
		{"S6.4 nothing", "", "''"},
		{"S6.4 letters and digits", "azAZ09", "azAZ09"},
		{"S6.4 other harmless characters", "_@%+=:,./-", "_@%+=:,./-"},
		{"S6.4 a space", "a b", "'a b'"},
		{"S6.4 a line break", "a\nb", "'a\nb'"},
		{"S6.4 a dollar", "$HOME", "'$HOME'"},
		{"S6.4 a tilde", "~", "'~'"},
		{"S6.4 a glob", "*", "'*'"},
		{"S6.4 a backslash", `\`, `'\'`},
		{"S6.4 a single quote", "it's", `'it'"'"'s'`},
		{"S6.4 only a single quote", "'", `''"'"''`},
		{"S6.4 a double quote", `"`, `'"'`},
		{"S6.4 a letter that isn't ASCII", "é", "'é'"},
		{"S6.4 a digit that isn't ASCII", "٣", "'٣'"},
		{"S6.4 bytes that aren't UTF-8", "\xff", "'\xff'"},
	} {
		if got := argv.Quote(test.text); got != test.want {
			t.Errorf("%s: %q is quoted as %s, want %s", test.rule, test.text, got, test.want)
		}
	}
}

// FuzzJoin makes sure that quoted parts have no character that a shell minds.
func FuzzJoin(f *testing.F) {
	f.Add("a b", "it's", "")
	f.Add("$(x)", "\xff\n", "é")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		line := argv.Join([]string{a, b, c})
		if got := unquote(t, line); strings.Join(got, "\x00") != strings.Join([]string{a, b, c}, "\x00") {
			t.Errorf("%s is parted into %q", line, got)
		}
	})
}

// unquote parts a line in which all but harmless characters is in quotes.
func unquote(t *testing.T, line string) []string {
	words, quote := []string{""}, byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			words[len(words)-1] += string([]byte{c})
		case c == '\'' || c == '"':
			quote = c
		case c == ' ':
			words = append(words, "")
		case c >= 0x80 || strings.IndexByte("$`\\\n\t|&;<>()*?[]#~!{}", c) >= 0:
			t.Fatalf("%q isn't in quotes in %s", c, line)
		default:
			words[len(words)-1] += string([]byte{c})
		}
	}
	return words
}

func TestAShellTakesQuotedPartsAsTheyAre(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell")
	}
	parts := []string{"it's", "", "a  b", "$HOME `x` $(y)", "*", "~", "\\n", "é\n\"", "-e"}
	out, err := exec.Command(sh, "-c", "printf '%s|' "+argv.Join(parts)).Output()
	if want := strings.Join(parts, "|") + "|"; string(out) != want || err != nil {
		t.Errorf("it takes %q (%v), want %q", out, err, want)
	}
}
