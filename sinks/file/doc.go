// Package file puts rules and events where other programs on the machine read
// them: [Rules] keeps a file that always holds one whole list, [Events] appends
// to a file and rotates it, and [Stream] writes both to standard output. [Lines] is a
// file of other lines, tried once each.
//
// Each call returns when what it was given is on the disk. What fails is tried
// again, with longer and longer pauses, until it succeeds or the call's context
// ends; the caller waits meanwhile, so nothing is dropped, and nothing is held
// but what the caller holds and a buffer of 256 KiB. After a crash, or an error
// returned, the same may be written again: delivery is at least once.
//
// Files are made with mode 0644 less the umask, those of Lines with 0600. Their folders must be there.
package file
