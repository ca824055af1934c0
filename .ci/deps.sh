#!/bin/sh
# Installs what the checks need beside Go: a linter, the protobuf compiler and
# the WebAssembly text assembler. Usage: deps.sh BIN LINTER_VERSION PROTOC_GEN_GO_VERSION
set -eu
bin=$1 linter=$2 generator=$3
mkdir -p "$bin"

has_version() { # has_version PROGRAM VERSION
	[ -x "$bin/$1" ] && go version -m "$bin/$1" | grep -q "mod.*$2"
}

has_version golangci-lint "$linter" ||
	GOBIN=$bin go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$linter"
has_version protoc-gen-go "$generator" ||
	GOBIN=$bin go install "google.golang.org/protobuf/cmd/protoc-gen-go@$generator"

missing=""
command -v protoc >/dev/null || missing="$missing protobuf-compiler"
command -v wat2wasm >/dev/null || missing="$missing wabt"
if [ -n "$missing" ]; then
	if ! command -v apt-get >/dev/null; then
		echo "install by hand:$missing (Debian's names)" >&2
		exit 1
	fi
	sudo=""
	[ "$(id -u)" = 0 ] || sudo=sudo
	$sudo apt-get update -q
	# shellcheck disable=SC2086 # the list is meant to be split
	DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends $missing
fi
