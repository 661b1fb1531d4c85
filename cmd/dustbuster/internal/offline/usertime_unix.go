//go:build unix

package offline

import (
	"syscall"
	"time"
)

// userTime returns the processor time of the process outside the kernel, where the system reports
// it.
func userTime() (used time.Duration, ok bool) {
	var all syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &all)
	return time.Duration(all.Utime.Nano()), err == nil
}
