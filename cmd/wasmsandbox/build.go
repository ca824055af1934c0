package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

const buildLong = `Build a module from a folder of source, check that it is what it should be, and
write it to a file: NAME.wasm in the current folder, NAME being the folder's.

The language is told by the files of the folder: go.mod or *.go, Cargo.toml,
build.zig, asconfig.json or a package.json with assemblyscript, *.c. The compilers
have to be installed; what is missing is told. A script that names the folder with
source builds it in the same way, when it is loaded.

A reactor is a guest, with handlers. A command is a WASI program that reads a call
as JSON and prints the outcome as JSON; a program is any other WASI program.`

func (a *app) newBuild() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "build FOLDER",
		Short: "Build a module from source",
		Long:  buildLong,
		Example: `  wasmsandbox build greeter/responder -o greeter.wasm
  wasmsandbox build guests/both --lang rust -o both.wasm
  wasmsandbox build wordcount --kind program`,
		Args:              exactlyOne("FOLDER"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	output := &once{kind: "FILE"}
	cmd.Flags().VarP(output, "output", "o", "the file to write")
	mustComplete(cmd, "output", completeFiles("wasm"))
	lang := addOptionalChoice(cmd, "lang", "language of the source", texts(sourcebuild.Languages())...)
	kind := addChoice(cmd, false, "kind", "what to build", texts(sourcebuild.Kinds())...)
	format := addChoice(cmd, false, "format", "output format", "text", "json")
	timeout := addTimeout(cmd, "build")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := timeout.parse(); err != nil {
			return &usageHint{err: err, command: cmd.CommandPath()}
		}
		ctx, cancel := timeout.start(cmd.Context())
		defer cancel()
		r := &buildReport{Source: args[0], Language: lang.value, Kind: kind.value}
		return a.build(ctx, r, output.value, format.value == "json")
	}
	return cmd
}

// texts are words of some type as plain ones.
func texts[T ~string](words []T) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = string(word)
	}
	return list
}

// A buildReport is what build tells.
type buildReport struct {
	Source   string   `json:"source"`
	Language string   `json:"language"`
	Kind     string   `json:"kind"`
	File     *string  `json:"file"`
	Size     int      `json:"size"`
	SHA256   string   `json:"sha256"`
	Error    *problem `json:"error"`
}

// notBuilt is the kind of a problem that isn't the module's.
const notBuilt = "build_failed"

func (a *app) build(ctx context.Context, r *buildReport, output string, asJSON bool) error {
	wasm, err := buildModule(ctx, r)
	if ctx.Err() != nil {
		return fail(exitUsage, "%w", context.Cause(ctx))
	}
	if err == nil {
		if output == "" {
			output = filepath.Base(absolute(r.Source)) + ".wasm"
		}
		if err := writeModule(output, wasm); err != nil {
			return fail(exitUsage, "%w", err)
		}
		r.File = &output
	} else if r.Error = buildProblem(err); !asJSON {
		return fail(exitUsage, "%s: %s", visible(r.Source), err.Error())
	}
	if asJSON {
		return errors.Join(printJSON(a.stdout, r), exitWith(r.exitCode()))
	}
	t := newTable(a.stdout)
	t.row(a.palette(a.stdout).good("built"), visible(output), byteSize(uint64(r.Size)), sourcebuild.Language(r.Language).Title())
	t.flush()
	return nil
}

func (r *buildReport) exitCode() int {
	if r.Error != nil {
		return exitUsage
	}
	return exitOK
}

// buildModule builds the module and checks it.
func buildModule(ctx context.Context, r *buildReport) ([]byte, error) {
	options := sourcebuild.Options{Language: sourcebuild.Language(r.Language), Kind: sourcebuild.Kind(r.Kind)}
	built, err := await(ctx, 5*time.Second, func() (*sourcebuild.Module, error) {
		if err := checkSourceFolder(r.Source); err != nil {
			return nil, err
		}
		return sourcebuild.Build(ctx, r.Source, options)
	})
	if none, ok := errors.AsType[*sourcebuild.DetectError](err); ok && len(none.Found) == 0 && hasScript(r.Source) {
		err = fmt.Errorf("%w\nThe folder has a script: validate builds the sources that it names, and checks them", err)
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(built.Wasm)
	r.Language, r.Size, r.SHA256 = string(built.Language), len(built.Wasm), hex.EncodeToString(sum[:])
	return built.Wasm, checkModule(ctx, options.Kind, built.Wasm)
}

func checkSourceFolder(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return withoutPath(err)
	case !info.IsDir() && js.IsProgram(path):
		return errors.New("JavaScript needs no build: a script names the file with source")
	case !info.IsDir():
		return errors.New("isn't a folder of source")
	default:
		return nil
	}
}

func hasScript(dir string) bool {
	for _, name := range []string{"script.yaml", "script.yml", "script.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// checkModule loads a module as a session would.
func checkModule(ctx context.Context, kind sourcebuild.Kind, wasm []byte) error {
	runtime, err := host.DefaultRuntime()
	if err != nil {
		return err
	}
	const name = "module"
	switch kind {
	case sourcebuild.Command:
		_, err = runtime.LoadCommand(ctx, name, wasm)
	case sourcebuild.Program:
		_, err = runtime.LoadProgram(ctx, name, wasm)
	default:
		_, err = runtime.Load(ctx, name, wasm)
	}
	if wrong, ok := errors.AsType[*host.ModuleError](err); ok {
		return &unfitModule{wrong}
	}
	return err
}

// An unfitModule is a module that was built, but can't be used.
type unfitModule struct{ *host.ModuleError }

func (e *unfitModule) Error() string { return "what was built " + e.Problem() }
func (e *unfitModule) Unwrap() error { return e.ModuleError }

func buildProblem(err error) *problem {
	if unfit, ok := errors.AsType[*unfitModule](err); ok {
		return &problem{Kind: string(unfit.Kind), Message: unfit.Problem()}
	}
	return &problem{Kind: notBuilt, Message: err.Error()}
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// writeModule writes a file that is never seen half written.
func writeModule(path string, wasm []byte) (err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: --output names a file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+strings.TrimSuffix(filepath.Base(path), ".wasm")+"-*.tmp")
	if err != nil {
		return pathError(path, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
			err = pathError(path, err)
		}
	}()
	_, err = f.Write(wasm)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
