//go:build !unix

package tail

import "os"

// identify knows no identities: a FileInfo does not hold them on Windows. The daemon and the
// agent refuse to follow logs there.
func identify(os.FileInfo) (id identity, links uint64) { return identity{}, 1 }
