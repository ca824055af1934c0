#!/bin/sh
# Runs each fuzz target of the project for a while. Usage: fuzz.sh TIME
set -eu
time=$1
go list -f '{{.Dir}} {{.ImportPath}}' ./... | while read -r dir package; do
	for target in $(cat "$dir"/*_test.go 2>/dev/null | sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p'); do
		echo "fuzz $package $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
	done
done
