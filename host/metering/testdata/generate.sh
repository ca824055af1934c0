#!/bin/sh
# Assembles the guests. Needs wat2wasm 1.0.32 or later, from wabt. How the one in C
# was compiled stands in its source.
set -eu
cd "$(dirname "$0")"
for source in *.wat; do
	wat2wasm --debug-names --enable-tail-call "$source" -o "${source%.wat}.wasm"
done
