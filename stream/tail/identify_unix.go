//go:build unix

package tail

import (
	"os"
	"syscall"
)

// identify returns the identity of a file, and the number of its names.
func identify(info os.FileInfo) (id identity, links uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return identity{uint64(s.Dev), s.Ino}, uint64(s.Nlink) //nolint:unconvert // narrower on other systems
	}
	return identity{}, 1
}
