package expect

import (
	"syscall"
	"testing"
)

// Tmpfs mounts a file system of a size, such as "512k", and returns its directory. A test
// without the right to mount is skipped.
func Tmpfs(t testing.TB, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("SKIPPED: no tmpfs to fill:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}
