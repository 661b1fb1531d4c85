//go:build !linux

package expect

import "testing"

// Tmpfs skips the test: file systems are mounted on Linux only.
func Tmpfs(t testing.TB, _ string) string {
	t.Helper()
	t.Skip("SKIPPED: no tmpfs to fill")
	return ""
}
