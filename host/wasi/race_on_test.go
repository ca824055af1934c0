//go:build race

package wasi_test

const raceEnabled = true
