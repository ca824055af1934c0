package builtin_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

var utilities = slices.Sorted(maps.Keys(builtin.Tools()))

// FuzzOptions runs any utility with any arguments, which are the lines of a text.
func FuzzOptions(f *testing.F) {
	for i := range utilities {
		for _, args := range []string{"", "-n\n-1\nfruit", "-w\n-5\nfruit", "-s-1", "-c\n+99999999999999999999\n-", "--\n-x", "%d%s%\nfruit"} {
			f.Add(uint8(i), args, "banana\nApple\napple\n10 20\n")
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, args, input string) {
		command := []string{utilities[int(which)%len(utilities)]}
		if args != "" {
			command = append(command, strings.Split(args, "\n")...)
		}
		fuzzed(t, input, command...)
	})
}

// values are what options are given that are about numbers, and that aren't.
var values = []string{"-5", "0", "+3", "4611686018427387904", "1.9223372036854775807,1.9223372036854775807", "99999999999999999999", "", "%d", "1-", "fruit"}

func TestNoOptionFailsTheShell(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for _, name := range utilities {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, letter := range letters {
				for _, value := range values {
					fuzzed(t, "a\na\n", name, "-"+string(letter), value, "noend")
				}
			}
		})
	}
}
