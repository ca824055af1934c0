#!/bin/sh
# Fails when "make generate" would change a file.
set -eu
before=$(mktemp) after=$(mktemp)
trap 'rm -f "$before" "$after"' EXIT
list() { git ls-files -co --exclude-standard -z | xargs -0 sha256sum; }
list >"$before"
make --no-print-directory generate
list >"$after"
diff "$before" "$after" || {
	echo "generated files are not fresh: run make generate" >&2
	exit 1
}
