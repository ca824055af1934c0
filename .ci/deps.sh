#!/bin/sh
# Installs what the checks need beside Go: a linter, the protobuf compiler, the
# WebAssembly text assembler, and the compilers of all guest languages.
# Usage: deps.sh BIN LINTER_VERSION PROTOC_GEN_GO_VERSION ZIG_VERSION
set -eu
bin=$1 linter=$2 generator=$3 zig=$4
mkdir -p "$bin"

has_version() { # has_version PROGRAM VERSION
	[ -x "$bin/$1" ] && go version -m "$bin/$1" | grep -q "mod.*$2"
}

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Debian's packages, by what each is asked for.
missing=""
need_program() { command -v "$1" >/dev/null || missing="$missing $2"; }
need_file() { [ -e "$1" ] || missing="$missing $2"; }
need_program protoc protobuf-compiler
need_program wat2wasm wabt
need_program wasm-opt binaryen
need_program clang-19 clang-19
need_program wasm-ld-19 lld-19
need_program wasm-ld-14 lld-14
need_program gcc gcc
need_file /usr/include/stdio.h libc6-dev
need_program npm npm
need_program python3 python3
need_file /usr/lib/wasm32-wasi/libc.a wasi-libc
need_file /usr/lib/llvm-19/lib/clang/19/lib/wasi libclang-rt-19-dev-wasm32
need_file /usr/bin/rustc rustc
need_file /usr/bin/cargo cargo
need_program cargo-fmt rustfmt
need_file /usr/lib/rustlib/wasm32-unknown-unknown libstd-rust-dev-wasm32
if [ -n "$missing" ]; then
	if ! command -v apt-get >/dev/null; then
		echo "install by hand:$missing (Debian's names)" >&2
		exit 1
	fi
	as_root apt-get update -q
	# shellcheck disable=SC2086 # the list is meant to be split
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
fi

has_version golangci-lint "$linter" ||
	GOBIN=$bin go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$linter"
has_version protoc-gen-go "$generator" ||
	GOBIN=$bin go install "google.golang.org/protobuf/cmd/protoc-gen-go@$generator"

# Zig comes as a Python wheel with nothing but the compiler in it. At its first use it
# compiles its own build system, which takes minutes: here, and not in a test, whose
# time is limited.
if [ "$("$bin/ziglang/zig" version 2>/dev/null)" != "$zig" ]; then
	rm -rf "$bin/ziglang" "$bin/ziglang.new"
	python3 -m pip --version >/dev/null 2>&1 || as_root apt-get install -q -y --no-install-recommends python3-pip
	python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$bin/ziglang.new" "ziglang==$zig"
	mv "$bin/ziglang.new/ziglang" "$bin/ziglang"
	rm -rf "$bin/ziglang.new"
fi
(cd guest/zig && "$bin/ziglang/zig" build --cache-dir build/cache --help >/dev/null)

# The AssemblyScript compiler, at the version of its lock file.
if [ ! -x guest/assemblyscript/node_modules/.bin/asc ]; then
	npm --prefix guest/assemblyscript ci --no-audit --no-fund --loglevel=error
fi
