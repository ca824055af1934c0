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
		ours + "abi", ours + "host", ours + "host/engine", ours + "host/engine/metered", ours + "host/engine/adapter", ours + "host/engine/outline",
		ours + "host/engine/wazero",
		ours + "host/metering", ours + "host/wasi", ours + "host/argv", ours + "host/shell", ours + "host/shell/builtin",
		ours + "host/similar", ours + "host/snapshot", ours + "host/terminal", ours + "host/workspace", ours + "host/workspace/archive",
		ours + "host/workspace/listing", ours + "host/workspace/v4a", ours + "host/internal/saturating", ours + "host/internal/uncleared",
		ours + "host/shell/internal/devices", ours + "host/shell/internal/paths", ours + "host/shell/internal/printf", ours + "host/shell/internal/regexpsize",
	}
	libraries := []string{
		"github.com/tetratelabs/wazero",                            // the engine
		"mvdan.cc/sh/v3",                                           // the workspace's shell
		"github.com/klauspost/compress", "github.com/ulikunitz/xz", // its archives
		"github.com/rogpeppe/go-internal/diff", "github.com/benhoyt/goawk", // its utilities
		"github.com/itchyny/gojq", "github.com/itchyny/timefmt-go",
		"golang.org/x/sys", "golang.org/x/term", "golang.org/x/text", // what these need
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
		case slices.ContainsFunc(libraries, func(l string) bool { return path == l || strings.HasPrefix(path, l+"/") }):
		case strings.HasPrefix(path, ours) && slices.Contains(allowed, path):
		default:
			t.Errorf("host reaches %s", path)
		}
	}
}
