//go:build !unix

package expect

import (
	"testing"
	"time"
)

// FIFO skips the test.
func FIFO(t testing.TB, _ string) {
	t.Helper()
	t.Skip("SKIPPED: no named pipes")
}

// CPUTime skips the test or benchmark.
func CPUTime(t testing.TB) (user, system time.Duration) {
	t.Helper()
	t.Skip("SKIPPED: the processor time of the process is not known")
	return 0, 0
}
