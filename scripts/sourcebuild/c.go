package sourcebuild

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sdkDir is the folder of a project that has the guest SDK's source.
const sdkDir = "wasmsandbox"

// buildC compiles and links all C files of the folder and of its SDK, but for
// tests.
func buildC(ctx context.Context, b *build) ([]byte, error) {
	sources, err := cSources(b.dir)
	if err != nil {
		return nil, err
	}
	if len(sources) == 0 {
		return nil, errors.New("it has no C source but tests")
	}
	libc := b.kind != Reactor
	if !libc {
		if libc, err = includesLibc(b.dir); err != nil {
			return nil, err
		}
	}
	clang, err := findClang(ctx, b, libc)
	if err != nil {
		return nil, err
	}
	version, err := b.ask(ctx, nil, append(slices.Clone(clang), "--version")...)
	if err != nil {
		return nil, err
	}
	flags := cFlags(b.dir, libc)
	output := filepath.Join(b.work, "out", "module.wasm")
	if err := os.Mkdir(filepath.Dir(output), 0o700); err != nil {
		return nil, err
	}
	compile := slices.Concat(clang, flags, cLinkFlags(b.kind, libc), []string{"-o", output}, sources)
	r := &recipe{
		tool: tool{title: "clang", command: compile}, version: version, output: output,
		want: "clang has to write to the file that -o names",
		inputs: func(ctx context.Context) ([]string, error) {
			rules, err := b.ask(ctx, nil, slices.Concat(clang, flags, []string{"-M"}, sources)...)
			return prerequisites(rules), err
		},
	}
	return r.make(ctx, b)
}

// cFlags are the flags of the compiler. Paths in messages start at the folder.
func cFlags(dir string, libc bool) []string {
	flags := []string{"--target=wasm32", "-std=c11", "-Oz", "-flto", "-mbulk-memory", "-I."}
	if libc {
		flags = []string{"--target=wasm32-wasi", "-std=c11", "-Oz", "-mbulk-memory", "-I."}
	}
	if info, err := os.Stat(filepath.Join(dir, sdkDir)); err == nil && info.IsDir() {
		flags = append(flags, "-I"+sdkDir)
	}
	return flags
}

func cLinkFlags(kind Kind, libc bool) []string {
	const small = "-Wl,--gc-sections,--strip-all,--stack-first"
	switch {
	case kind != Reactor:
		return []string{small}
	case libc:
		return []string{"-mexec-model=reactor", small}
	default:
		return []string{"-nostdlib", "-Wl,--no-entry", small}
	}
}

// hostedHeader finds what includes a header of the C library. Those that the
// compiler brings itself, such as <stdint.h>, are none.
var hostedHeader = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<(assert|complex|ctype|dirent|errno|fcntl|fenv|locale|math|` +
	`search|setjmp|signal|stdio|stdlib|string|strings|threads|time|uchar|unistd|wchar|wctype|sys/[a-z]+)\.h>`)

// includesLibc tells whether a reactor needs the C library: whether one of the
// folder's own files, but for tests, includes a header of it.
func includesLibc(dir string) (bool, error) {
	f, err := openFolder(dir)
	if err != nil {
		return false, err
	}
	for _, name := range f.files {
		if !isCSource(name) && filepath.Ext(name) != ".h" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || hostedHeader.Match(text) {
			return err == nil, err
		}
	}
	return false, nil
}

// cSources are the C files to compile, relative to the folder: its own, and those
// in and below that of the SDK.
func cSources(dir string) (sources []string, err error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range f.files {
		if isCSource(name) {
			sources = append(sources, "./"+name)
		}
	}
	if len(sources) == 0 {
		return nil, nil
	}
	sdk := filepath.Join(dir, sdkDir)
	if _, err := os.Stat(sdk); err != nil {
		return sources, nil
	}
	err = walkSources(sdk, func(path string) error {
		name, err := filepath.Rel(dir, path)
		if err == nil && isCSource(filepath.Base(path)) {
			sources = append(sources, filepath.ToSlash(name))
		}
		return err
	})
	return sources, err
}

// isCSource leaves out tests, and what is for tests.
func isCSource(name string) bool {
	base, isC := strings.CutSuffix(name, ".c")
	return isC && !strings.HasSuffix(base, "_test") && !strings.HasSuffix(base, "_testing") && !strings.HasPrefix(base, "test_")
}

func checkC(ctx context.Context, b *build) error {
	_, err := findClang(ctx, b, b.kind != Reactor)
	return err
}

// findClang finds a clang that compiles to WebAssembly and links it, if wanted with
// the C library: the one that CC names, or the first of those in PATH.
func findClang(ctx context.Context, b *build, libc bool) ([]string, error) {
	var candidates [][]string
	if cc := words("CC"); len(cc) > 0 {
		candidates = append(candidates, cc)
	}
	for _, name := range clangs() {
		if path := lookPath(name); path != "" {
			candidates = append(candidates, []string{path})
		}
	}
	const noClang = "there is no clang"
	problem, ways, onlyLibc := noClang, cWays, false
	for _, cc := range candidates {
		lack, err := lacksWasm(ctx, b, cc)
		switch {
		case err != nil:
			return nil, err
		case lack != "":
			if problem == noClang {
				problem = lack
			}
			continue
		case !libc:
			return cc, nil
		}
		if lack, err = lacksLibc(ctx, b, cc); lack == "" || err != nil {
			return cc, err
		}
		if !onlyLibc {
			problem, ways, onlyLibc = lack, cLibraryWays(clangVersion(ctx, b, cc)), true
		}
	}
	return nil, missing(C, problem, ways)
}

// clangs are the names of clang: the plain one, then those with a version, the newest
// first.
func clangs() []string {
	names := []string{"clang"}
	for version := 29; version >= 14; version-- {
		names = append(names, fmt.Sprintf("clang-%d", version))
	}
	return names
}

// lacksWasm says what a compiler lacks, or "". The error is the context's.
func lacksWasm(ctx context.Context, b *build, cc []string) (problem string, err error) {
	targets, err := b.ask(ctx, nil, append(slices.Clone(cc), "--print-targets")...)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil || !strings.Contains(targets, "wasm32") {
		return cc[0] + " doesn't have the target wasm32", nil
	}
	linker, err := b.ask(ctx, nil, append(slices.Clone(cc), "--target=wasm32", "--print-prog-name=wasm-ld")...)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil || lookPath(linker) == "" {
		return cc[0] + " doesn't find the linker wasm-ld", nil
	}
	return "", nil
}

// lacksLibc says what a compiler lacks for programs that use the C library, or "".
// The error is the context's.
func lacksLibc(ctx context.Context, b *build, cc []string) (problem string, err error) {
	for _, part := range []struct{ flag, name string }{
		{"--print-file-name=libc.a", "wasi-libc"},
		{"--print-libgcc-file-name", "the compiler's runtime library for wasm32-wasi"},
	} {
		path, err := b.ask(ctx, nil, append(slices.Clone(cc), "--target=wasm32-wasi", part.flag)...)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if _, missing := os.Stat(path); err != nil || missing != nil || !filepath.IsAbs(path) {
			return cc[0] + " doesn't find " + part.name, nil
		}
	}
	return "", nil
}

// clangVersion is the number in the names of a compiler's packages, or "".
func clangVersion(ctx context.Context, b *build, cc []string) string {
	full, _ := b.ask(ctx, nil, append(slices.Clone(cc), "-dumpversion")...)
	version, _, _ := strings.Cut(full, ".")
	if _, err := strconv.Atoi(version); err != nil {
		return ""
	}
	return version
}

// prerequisites are the files in the rules that a compiler writes for make.
func prerequisites(rules string) (files []string) {
	rules = strings.ReplaceAll(rules, "\\\r\n", " ")
	rules = strings.ReplaceAll(rules, "\\\n", " ")
	for rule := range strings.Lines(rules) {
		_, list, _ := strings.Cut(rule, ": ")
		for file := range strings.FieldsSeq(strings.ReplaceAll(list, `\ `, "\x00")) {
			files = append(files, strings.ReplaceAll(strings.ReplaceAll(file, "\x00", " "), "$$", "$"))
		}
	}
	return files
}
