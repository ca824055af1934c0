package sourcebuild

import (
	"context"
	"slices"
	"strings"
)

// A Language is one that modules can be built from.
type Language string

// The languages. Their text is what scripts and flags call them.
const (
	Go             Language = "go"
	C              Language = "c"
	Rust           Language = "rust"
	AssemblyScript Language = "assemblyscript"
	Zig            Language = "zig"
)

// A toolchain builds one language.
type toolchain struct {
	language Language
	title    string // what people call the language
	signs    string // the files that a folder is known by
	known    func(f *folder) bool
	check    func(ctx context.Context, b *build) error // are the tools there?
	build    func(ctx context.Context, b *build) ([]byte, error)
	sources  func(ctx context.Context, b *build) []string // what a module was made from; nil: the folder
}

// toolchains are in the order in which messages name them.
var toolchains = []toolchain{
	{
		language: Go, title: "Go", signs: "go.mod or *.go",
		known: (*folder).isGo, check: checkGo, build: buildGo, sources: goSources,
	},
	{
		language: C, title: "C", signs: "*.c",
		known: (*folder).isC, check: checkC, build: buildC,
	},
	{
		language: Rust, title: "Rust", signs: "Cargo.toml",
		known: (*folder).isRust, check: checkRust, build: buildRust, sources: rustSources,
	},
	{
		language: AssemblyScript, title: "AssemblyScript", signs: "asconfig.json, or package.json that depends on assemblyscript",
		known: (*folder).isAssemblyScript, check: checkNode, build: buildAssemblyScript,
	},
	{
		language: Zig, title: "Zig", signs: "build.zig",
		known: (*folder).isZig, check: checkZig, build: buildZig,
	},
}

// Languages are all languages that can be built, by name. The caller owns the list.
func Languages() []Language {
	var all []Language
	for _, t := range toolchains {
		all = append(all, t.language)
	}
	slices.Sort(all)
	return all
}

// Title is what people call the language: "AssemblyScript".
func (l Language) Title() string {
	if t := find(l); t != nil {
		return t.title
	}
	return string(l)
}

func find(l Language) *toolchain {
	for i := range toolchains {
		if toolchains[i].language == l {
			return &toolchains[i]
		}
	}
	return nil
}

// names are languages as a list in a sentence.
func names(languages []Language, last string) string {
	texts := make([]string, len(languages))
	for i, l := range languages {
		texts[i] = string(l)
	}
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	end := len(texts) - 1
	return strings.Join(texts[:end], ", ") + " " + last + " " + texts[end]
}
