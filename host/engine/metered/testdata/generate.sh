#!/bin/sh
# Assembles the guests. Needs wat2wasm 1.0.32 or later, from wabt.
set -eu
cd "$(dirname "$0")"
for source in *.wat; do
	wat2wasm --debug-names "$source" -o "${source%.wat}.wasm"
done
