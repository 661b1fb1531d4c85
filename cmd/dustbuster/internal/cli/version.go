package cli

import (
	"cmp"
	"runtime/debug"
	"strings"

	"dustbuster/stream/fetch"
)

// release is the number in VERSION, set by the linker (Makefile); "" in a program that the Go tool
// alone has built.
var release string

// Version returns the version of the program: a token that a user agent may hold.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return versionOf(release, info.Main.Version)
}

// versionOf returns the release, or the version that the Go tool recorded, or "devel" if the tool
// knew none.
func versionOf(release, recorded string) string {
	if v := cmp.Or(release, strings.TrimPrefix(recorded, "v")); fetch.IsToken(v) {
		return v
	}
	return "devel" // the Go tool records "(devel)"
}
