package sourcebuild

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// buildRust lets cargo find out what has changed since the last build.
func buildRust(ctx context.Context, b *build) ([]byte, error) {
	r, err := findRust(ctx, b)
	if err != nil {
		return nil, err
	}
	unlock, err := lock(ctx, b.place()+".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	answer, err := b.run(ctx, tool{
		title: fmt.Sprintf("cargo build (%s with %s)", r.cargo, r.compiler), answers: true,
		command: []string{r.cargo, "build", "--release", "--target", r.target, "--message-format=json-render-diagnostics"},
		env:     append(r.env(), "CARGO_TARGET_DIR="+b.rustTarget()),
	})
	if err != nil {
		return nil, err
	}
	made, err := cargoModules(answer, b)
	if err != nil {
		return nil, err
	}
	want := `Cargo.toml has to have one [lib] with crate-type = ["cdylib"]`
	if b.kind != Reactor {
		want = "the package has to have one program, such as src/main.rs"
	}
	return b.readOne(made, want)
}

// rustTarget is the folder that cargo builds in.
func (b *build) rustTarget() string { return b.place() + ".cargo" }

// cargoModules are the modules that cargo says it made or has made before, of the
// folder's package, or of all in it when the folder is a workspace.
func cargoModules(messages []byte, b *build) ([]string, error) {
	want := "cdylib"
	if b.kind != Reactor {
		want = "bin"
	}
	var own, all []string
	for decoder := json.NewDecoder(bytes.NewReader(messages)); ; {
		var m struct {
			Reason       string
			ManifestPath string `json:"manifest_path"`
			Target       struct{ Kind []string }
			Filenames    []string
		}
		if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("cargo build printed what isn't JSON: %w", err)
		}
		if m.Reason != "compiler-artifact" || !slices.Contains(m.Target.Kind, want) {
			continue
		}
		for _, name := range m.Filenames {
			if filepath.Ext(name) != ".wasm" {
				continue
			}
			all = append(all, name)
			if m.ManifestPath == filepath.Join(b.dir, "Cargo.toml") {
				own = append(own, name)
			}
		}
	}
	if len(own) > 0 {
		return own, nil
	}
	return all, nil
}

// A rust is a cargo with a compiler that has the standard library for a target.
type rust struct {
	cargo, compiler string
	target          string
	linker          string // "": the compiler's own
}

// env makes cargo use the compiler and the linker.
func (r *rust) env() []string {
	env := []string{"RUSTC=" + r.compiler}
	if r.linker != "" {
		env = append(env, r.linkerVariable()+"="+r.linker)
	}
	return env
}

func (r *rust) linkerVariable() string {
	return "CARGO_TARGET_" + strings.ToUpper(strings.ReplaceAll(r.target, "-", "_")) + "_LINKER"
}

// rustTargets are the names of a kind's target, the present one first.
func rustTargets(kind Kind) []string {
	if kind == Reactor {
		return []string{"wasm32-unknown-unknown"}
	}
	return []string{"wasm32-wasip1", "wasm32-wasi"}
}

func checkRust(ctx context.Context, b *build) error {
	_, err := findRust(ctx, b)
	return err
}

// findRust finds the cargo and rustc that CARGO and RUSTC name, those of PATH, or
// those of the system, which may be behind rustup's in PATH. It takes the first that
// have the target.
func findRust(ctx context.Context, b *build) (*rust, error) {
	problem := "there is no cargo and rustc"
	for _, r := range rusts() {
		for _, r.target = range rustTargets(b.kind) {
			has, err := r.hasTarget(ctx, b)
			if err != nil {
				return nil, err
			}
			if has {
				return &r, r.findLinker(ctx, b)
			}
		}
		problem = r.compiler + " doesn't have the target " + rustTargets(b.kind)[0]
	}
	ways := rustWays
	if b.kind != Reactor {
		ways = rustWasiWays
	}
	return nil, missing(Rust, problem, ways)
}

// rusts are the pairs of cargo and rustc that are there, in the order in which they
// are tried.
func rusts() (found []rust) {
	cargo, compiler := os.Getenv("CARGO"), os.Getenv("RUSTC")
	for _, system := range []string{"", "/usr/bin"} {
		r := rust{
			cargo:    lookPath(orElse(cargo, filepath.Join(system, "cargo"))),
			compiler: lookPath(orElse(compiler, filepath.Join(system, "rustc"))),
		}
		if r.cargo != "" && r.compiler != "" && !slices.Contains(found, r) {
			found = append(found, r)
		}
	}
	return found
}

func orElse(text, other string) string {
	if text != "" {
		return text
	}
	return other
}

// hasTarget asks where the standard library would be, and looks. The error is the
// context's.
func (r *rust) hasTarget(ctx context.Context, b *build) (bool, error) {
	dir, err := b.ask(ctx, nil, r.compiler, "--print", "target-libdir", "--target", r.target)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return false, nil // a target that it doesn't know
	}
	libraries, err := filepath.Glob(filepath.Join(dir, "*.rlib"))
	return err == nil && len(libraries) > 0, nil
}

var llvmVersion = regexp.MustCompile(`(?m)^LLVM version: ([0-9]+)`)

// findLinker finds a linker for a compiler without one of its own, such as Debian's.
// It should be of the version of the compiler's LLVM: another may not know what is
// in the standard library's archives.
func (r *rust) findLinker(ctx context.Context, b *build) error {
	if os.Getenv(r.linkerVariable()) != "" || lookPath("rust-lld") != "" {
		return nil
	}
	about, err := b.ask(ctx, nil, r.compiler, "-vV")
	if err != nil {
		return err
	}
	sysroot, err := b.ask(ctx, nil, r.compiler, "--print", "sysroot")
	if err != nil {
		return err
	}
	own, _ := filepath.Glob(filepath.Join(sysroot, "lib", "rustlib", "*", "bin", "rust-lld*"))
	if len(own) > 0 {
		return nil
	}
	linkers := []string{"wasm-ld"}
	if version := llvmVersion.FindStringSubmatch(about); version != nil {
		linkers = []string{"wasm-ld-" + version[1], "wasm-ld"}
	}
	if r.linker = lookPath(linkers...); r.linker == "" {
		return missing(Rust, r.compiler+" has no linker for WebAssembly, and there is no "+linkers[0], rustLinkerWays(linkers[0]))
	}
	return nil
}

// rustSources are those of the folder, and the files that cargo says the module is
// made of, also those of other packages that are named by path.
func rustSources(_ context.Context, b *build) (files []string) {
	_ = walkSources(b.dir, func(path string) error {
		files = append(files, path)
		return nil
	})
	rules, _ := filepath.Glob(filepath.Join(b.rustTarget(), "*", "release", "*.d"))
	for _, path := range rules {
		if text, err := os.ReadFile(path); err == nil {
			files = append(files, prerequisites(string(text))...)
		}
	}
	return files
}
