#!/bin/sh
# Runs each fuzz target of the project for a while. Usage: fuzz.sh TIME
set -eu
time=$1
packages=$(go list -f '{{.Dir}} {{.ImportPath}}' ./...)
found=0
while read -r dir package; do
	for target in $(cat "$dir"/*_test.go 2>/dev/null | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p'); do
		found=$((found + 1))
		echo "fuzz $package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
	done
done <<EOF
$packages
EOF
[ "$found" -gt 0 ] || { echo "no fuzz target found" >&2; exit 1; }
