// Package file writes rules and events for other programs on the machine. [Rules] keeps
// a file that always holds one complete list. [Events] appends to a file and rotates
// the file. [Stream] writes both to standard output. [Lines] is a file of other lines,
// each tried once.
//
// Each call returns when its data are on the disk. A failed call is repeated with
// growing pauses until the call succeeds or its context ends. The caller waits
// meanwhile, so no data are dropped, and a sink holds no data except a buffer of 256
// KiB. After a crash, or after an error returned, the same data may be written again:
// delivery is at least once.
//
// Files are made with mode 0644 less the umask, and the files of Lines with 0600. The
// folders must exist.
package file
