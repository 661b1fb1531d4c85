//go:build !unix

package offline

import "time"

// userTime reports nothing.
func userTime() (used time.Duration, ok bool) { return 0, false }
