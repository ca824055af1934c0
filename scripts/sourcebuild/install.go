package sourcebuild

import (
	"runtime"
	"strings"
)

// A way is one to install a tool.
type way struct {
	system string // as runtime.GOOS; "" for all
	text   string
}

// missing is the error for a tool that isn't there, with the ways to get it on this
// system.
func missing(language Language, problem string, ways []way) error {
	e := &MissingToolError{Language: language, Problem: problem}
	for _, w := range ways {
		if w.system == "" || w.system == runtime.GOOS {
			e.Install = append(e.Install, w.text)
		}
	}
	return e
}

var goWays = []way{{"", "install Go 1.26 or later from https://go.dev/dl"}}

var cWays = []way{
	{"linux", "Debian, Ubuntu: apt install clang lld"},
	{"linux", "Fedora: dnf install clang lld"},
	{"darwin", "Homebrew: brew install llvm lld; then set CC=\"$(brew --prefix llvm)/bin/clang\""},
	{"windows", "winget install LLVM.LLVM"},
	{"", "or set CC to a clang that has the target wasm32"},
}

// cLibraryWays are for a clang of a version such as "19"; "" if it isn't known.
func cLibraryWays(version string) []way {
	if version != "" {
		version += "-"
	}
	return []way{
		{"linux", "Debian, Ubuntu: apt install wasi-libc libclang-rt-" + version + "dev-wasm32"},
		{"linux", "Fedora: dnf install wasi-libc-devel compiler-rt"},
		{"", "or set CC to the clang of the WASI SDK, https://github.com/WebAssembly/wasi-sdk"},
	}
}

var rustWays = []way{
	{"", "install Rust with rustup from https://rustup.rs, then: rustup target add wasm32-unknown-unknown"},
	{"linux", "Debian, Ubuntu: apt install cargo rustc libstd-rust-dev-wasm32 lld"},
	{"linux", "Fedora: dnf install cargo rust-std-static-wasm32-unknown-unknown lld"},
	{"", "or set CARGO and RUSTC to others"},
}

var rustWasiWays = []way{
	{"", "rustup target add wasm32-wasip1"},
	{"linux", "Debian, Ubuntu: apt install libstd-rust-dev-wasm32 wasi-libc lld"},
	{"", "or set CARGO and RUSTC to others"},
}

// rustLinkerWays are for a linker of the name wasm-ld, or of that with a version.
func rustLinkerWays(linker string) []way {
	return []way{
		{"linux", "Debian, Ubuntu: apt install lld" + strings.TrimPrefix(linker, "wasm-ld")},
		{"linux", "Fedora: dnf install lld"},
		{"", "install Rust with rustup from https://rustup.rs: it has a linker"},
	}
}

var nodeWays = []way{
	{"linux", "Debian, Ubuntu: apt install nodejs npm"},
	{"darwin", "Homebrew: brew install node"},
	{"", "install Node.js 20 or later from https://nodejs.org"},
}

// Zig's standard library changes with each release: the guest SDK is for this one.
const zigVersion = "0.17.1"

var zigWays = []way{
	{"", "install Zig " + zigVersion + " from https://ziglang.org/download"},
	{"", "any system with Python, in a virtual environment: pip install ziglang==" + zigVersion},
	{"linux", "Debian, Ubuntu: apt install python3-venv; then " +
		"python3 -m venv ~/.zig && . ~/.zig/bin/activate && pip install ziglang==" + zigVersion},
	{"", "or set ZIG to another"},
}
