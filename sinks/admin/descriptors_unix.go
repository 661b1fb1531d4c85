//go:build unix

package admin

import "syscall"

// mostFiles is the most descriptors of open files that the process may have.
func mostFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return ofFiles * DefaultConnections
	}
	return int(min(limit.Cur, 1<<30)) //nolint:gosec // in range
}
