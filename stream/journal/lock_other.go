//go:build !unix

package journal

import (
	"errors"
	"os"
	"runtime"
)

// tryLock refuses to lock a file. On Windows the journal could not be rewritten either: a file
// that is open there cannot be replaced.
func tryLock(*os.File) error {
	return errors.New("lock the state directory: not supported on " + runtime.GOOS)
}
