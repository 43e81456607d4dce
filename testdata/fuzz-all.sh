#!/usr/bin/env bash
# Runs every fuzz target of the module for a time ("30s", "10m"), one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
for file in $(git ls-files '*_test.go' | xargs grep -lE '^func Fuzz' | sort); do
	package=./$(dirname "$file")
	for target in $(grep -oE '^func Fuzz[A-Za-z0-9_]+' "$file" | awk '{print $2}'); do
		echo "== $package $target"
		go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${1:?a time, such as 30s}" -fuzzminimizetime 10x
	done
done
