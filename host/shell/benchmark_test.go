package shell_test

import (
	"io"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

func BenchmarkShell(b *testing.B) {
	for name, script := range map[string]string{
		"a command":         `true`,
		"a tool":            `cat /dev/null`,
		"a pipeline":        `echo a | cat | wc -l`,
		"a substitution":    `x=$(echo a)`,
		"1000 assignments":  `i=0; while ((i < 1000)); do i=$((i+1)); done`,
		"1000 lines read":   `seq 1000 | while read -r x; do :; done`,
		"a megabyte handed": `head -c 1000000 /dev/zero | wc -c`,
	} {
		b.Run(name, func(b *testing.B) {
			s := &shell.Shell{Files: newTree(b), Lookup: shell.Tools(builtin.Tools()), Limits: shell.Limits{Commands: 1 << 30}}
			b.ReportAllocs()
			for b.Loop() {
				if code, err := s.Run(b.Context(), shell.Process{Args: []string{"sh", "-c", script}, Stdout: io.Discard}); code != 0 || err != nil {
					b.Fatal(code, err)
				}
			}
		})
	}
}
