// Package fewgc makes the tests of a package that imports it collect garbage less often. The live heap of most
// tests is a few megabytes, and with Go's default a third of the time of some packages goes into collections.
// Benchmarks run as always, and GOGC takes precedence.
package fewgc

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

func init() {
	isBenchmark := func(arg string) bool { return strings.HasPrefix(arg, "-test.bench=") }
	if os.Getenv("GOGC") == "" && !slices.ContainsFunc(os.Args, isBenchmark) {
		debug.SetGCPercent(400)
	}
}
