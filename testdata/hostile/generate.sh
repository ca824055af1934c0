#!/bin/sh
# Completes the guests of this folder with the lines of honest.wat, and assembles
# them. Needs wat2wasm 1.0.32 or later, from wabt. Usage: generate.sh [FOLDER], where
# the modules are to go.
set -eu
out=$(cd "${1:-$(dirname "$0")}" && pwd)
cd "$(dirname "$0")"
whole=$(mktemp)
trap 'rm -f "$whole"' EXIT

# complete WAT: what it lacks goes before its last line, which closes the module.
complete() {
	awk '
		FNR == NR { if (/^  \(/) honest[++n] = $0; next }
		/^;; lacks / { has[$3] = 1 }
		{ note($0); if (FNR > 1) print last; last = $0 }
		END {
			for (i = 1; i <= n; i++) if (!(name(honest[i]) in has)) print honest[i]
			print last
		}
		function name(line) {
			return match(line, /\(export "[^"]*"/) ? substr(line, RSTART + 9, RLENGTH - 10) : "data"
		}
		function note(line) {
			for (; match(line, /\(export "[^"]*"/); line = substr(line, RSTART + RLENGTH)) has[name(line)] = 1
		}' honest.wat "$1"
}

for source in *.wat; do
	if test "$source" = honest.wat; then cat "$source"; else complete "$source"; fi >"$whole"
	# Some are invalid on purpose, which is for the host to find.
	"${WAT2WASM:-wat2wasm}" --enable-threads --enable-multi-memory --enable-memory64 --enable-exceptions --no-check \
		"$whole" -o "$out/${source%.wat}.wasm"
done
chmod 644 "$out"/*.wasm
