//go:build unix

package expect

import (
	"syscall"
	"testing"
	"time"
)

// FIFO makes a named pipe. A test on a system without named pipes is skipped.
func FIFO(t testing.TB, path string) {
	t.Helper()
	NoError(t, syscall.Mkfifo(path, 0o600))
}

// CPUTime returns the processor time used by the process, outside the kernel and in the kernel.
func CPUTime(t testing.TB) (user, system time.Duration) {
	t.Helper()
	var used syscall.Rusage
	NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano()), time.Duration(used.Stime.Nano())
}
