package host_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// withPrograms is a session whose workspace has programs as executable files.
func withPrograms(t *testing.T, w host.Workspace, opts ...host.Option) *host.Scripted {
	t.Helper()
	w.Seed = func(files *workspace.Tree) error {
		return errors.Join(
			files.MkdirAll("bin", 0),
			files.WriteFile("notes.txt", []byte("hello\n"), 0),
			files.WriteFile("bin/desk", readProgram(t, "desk"), 0o755),
			files.WriteFile("tool.wasm", readProgram(t, "tool"), 0o755),
			files.WriteFile("plain.wasm", readProgram(t, "tool"), 0o644),
			files.WriteFile("library.wasm", readProgram(t, "library"), 0o755),
			files.WriteFile("half.wasm", readProgram(t, "tool")[:1000], 0o755),
			files.WriteFile("magic.wasm", []byte("\x00asm"), 0o755),
		)
	}
	return withWorkspace(t, nil, w, opts...)
}

func TestExecutableModulesOfTheWorkspaceAreRun(t *testing.T) {
	for _, test := range []struct {
		script, stdout, stderr string
		code                   int
	}{
		{"./tool.wasm args 'a b'", "0=[./tool.wasm]\n1=[args]\n2=[a b]\n", "", 0},
		{"/workspace/tool.wasm both", "to stdout\n", "to stderr\n", 0},
		{"cd bin && ./desk show ../notes.txt", "hello\n", "", 0},
		{"PATH=$PWD/bin:$PATH; desk append notes.txt more; cat notes.txt", "hello\nmore", "", 0},
		{"echo in | ./tool.wasm cat | tr a-z A-Z", "IN\n", "", 0},
		{"X=1 ./bin/desk env X", "1\n", "", 0},
		{"find . -name desk -exec {} show notes.txt ';'", "hello\n", "", 0},
		{"cp tool.wasm copy; ./copy exit 3", "", "leaving\n", 3},
		{"chmod +x plain.wasm; ./plain.wasm args", "0=[./plain.wasm]\n1=[args]\n", "", 0},
		{"./plain.wasm args", "", "sh: 1: ./plain.wasm: Permission denied\n", 126},
		{"./library.wasm", "", "sh: 1: ./library.wasm: Exec format error\n", 126},
		{"./half.wasm", "", "sh: 1: ./half.wasm: Exec format error\n", 126},
		{"./magic.wasm || echo $?", "126\n", "sh: 1: ./magic.wasm: Exec format error\n", 0},
		{"tool.wasm args", "", "sh: 1: tool.wasm: not found\n", 127},
	} {
		t.Run(test.script, func(t *testing.T) {
			r := execIn(t, withPrograms(t, host.Workspace{}), test.script)
			if string(r.Stdout) != test.stdout || string(r.Stderr) != test.stderr || r.ExitCode != test.code {
				t.Errorf("got %q, %q and %d", r.Stdout, r.Stderr, r.ExitCode)
			}
		})
	}
}

func TestModulesOfTheWorkspaceKeepToTheLimits(t *testing.T) {
	s := withPrograms(t, host.Workspace{}, host.WithLimits(host.Limits{CallFuel: 1_000_000}))
	if r := execIn(t, s, "./tool.wasm args"); r.ExitCode != 0 || s.Fuel() == 0 {
		t.Errorf("got %+v for %d fuel", r, s.Fuel())
	}
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"./tool.wasm loop"}})
	if failed, ok := errors.AsType[*host.GuestError](err); !ok || failed.Kind != host.GuestOutOfFuel || failed.Module != "tool.wasm" {
		t.Errorf("the error is %v", err)
	}
	small := withPrograms(t, host.Workspace{}, host.WithLimits(host.Limits{MemoryBytes: 1 << 16}))
	if r := execIn(t, small, "./tool.wasm args"); r.ExitCode != 126 {
		t.Errorf("got %+v", r)
	}
}

func TestAModuleOfTheWorkspaceThatTrapsFailsTheCall(t *testing.T) {
	s := withPrograms(t, host.Workspace{})
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"./tool.wasm trap; echo on"}})
	if failed, ok := errors.AsType[*host.GuestError](err); !ok || failed.Kind != host.GuestTrap || failed.Stderr != "about to trap\n" {
		t.Errorf("the error is %v", err)
	}
}

func TestAModuleOfTheWorkspaceEndsAtItsTimeout(t *testing.T) {
	s := withPrograms(t, host.Workspace{})
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"./tool.wasm loop"}, Timeout: 20 * time.Millisecond})
	if !errors.Is(err, host.CodeExecTimeout) {
		t.Errorf("the error is %v", err)
	}
}

// All code that a session made of its files is freed: what it used last when it ends, and
// the others before.
func TestModulesOfTheWorkspaceAreFreedWithTheSession(t *testing.T) {
	runtime, counter := newCountingRuntime(t)
	loaded, err := runtime.LoadProgram(t.Context(), "tool", readProgram(t, "tool"))
	if err != nil {
		t.Fatal(err)
	}
	s := withPrograms(t, host.Workspace{Runtime: runtime, Tools: map[string]shell.Tool{"tool": loaded.Tool()}})
	const programs = 20
	script := ""
	for i := range programs { // each another module: a section with a name of its own is added
		script += fmt.Sprintf(`cp tool.wasm %[1]c; printf '\0\3\1%[1]c-' >>%[1]c; ./%[1]c args >/dev/null || exit; `, 'a'+rune(i))
	}
	if r := execIn(t, s, script+"./tool.wasm args"); r.ExitCode != 0 || string(r.Stderr) != "" {
		t.Fatalf("got %+v", r)
	}
	if compiled, kept := counter.compiled.Load(), counter.code.Load(); compiled != programs+1 || kept > programs {
		t.Errorf("%d modules were compiled, %d are kept", compiled, kept)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if kept := counter.code.Load(); kept != 1 {
		t.Errorf("%d modules are kept, and the runtime's own is 1", kept)
	}
	other := withPrograms(t, host.Workspace{Tools: map[string]shell.Tool{"tool": loaded.Tool()}})
	if r := execIn(t, other, "tool args"); r.ExitCode != 0 {
		t.Errorf("the runtime's own module is gone: %+v", r)
	}
}
