#!/bin/sh
# Builds the programs of this folder anew. It needs clang 19 with wasi-libc, and
# wabt.
set -eu
cd "$(dirname "$0")"
for source in *.c; do
	"${CC:-clang-19}" --target=wasm32-wasi -Os -Wall -Wextra -Wl,--strip-all -o "${source%.c}.wasm" "$source"
done
for source in *.wat; do
	"${WAT2WASM:-wat2wasm}" "$source" -o "${source%.wat}.wasm"
done
chmod 644 ./*.wasm
