package host_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Package host stays free of cgo, and of what only scripts and matchers need.
func TestHostReachesNeitherCgoNorScripts(t *testing.T) {
	const ours = "github.com/wasmsandbox/wasmsandbox/"
	allowed := []string{
		ours + "abi", ours + "host", ours + "host/engine", ours + "host/engine/metered", ours + "host/engine/wazero",
		ours + "host/metering", ours + "host/wasi",
	}
	out, err := exec.Command("go", "list", "-deps", "-f", "{{.ImportPath}} {{.CgoFiles}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		path, cgo, _ := strings.Cut(strings.TrimSpace(line), " ")
		first, _, _ := strings.Cut(path, "/")
		switch {
		case !strings.Contains(first, "."): // the standard library
		case cgo != "[]":
			t.Errorf("host reaches %s, which needs cgo", path)
		case strings.HasPrefix(path, "github.com/tetratelabs/wazero"), strings.HasPrefix(path, "golang.org/x/sys/"):
		case strings.HasPrefix(path, ours) && slices.Contains(allowed, path):
		default:
			t.Errorf("host reaches %s", path)
		}
	}
}
