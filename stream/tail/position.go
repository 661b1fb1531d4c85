package tail

import (
	"crypto/sha256"
	"encoding/binary"
)

// Position says how much of a generation has been processed. A checkpoint stores
// Positions, in JSON or otherwise, and Open resumes from them. A generation is found
// again by its device, inode and first bytes, or, after copying or compression, by its
// first bytes alone.
type Position struct {
	Path     string `json:"path"`               // the path followed
	File     string `json:"file"`               // where the generation was last seen
	Device   uint64 `json:"device"`             // with Inode: the identity of the file, as long as it exists
	Inode    uint64 `json:"inode"`              //
	Head     uint64 `json:"head,string"`        // hash of the first HeadLen bytes, decompressed; a string, because not all JSON readers hold 64 bits
	HeadLen  int    `json:"head_len"`           // at most 1024
	Offset   int64  `json:"offset"`             // bytes processed, decompressed; the end of a line
	Size     int64  `json:"size"`               // bytes on disk when last seen, to count losses
	Finished bool   `json:"finished,omitempty"` // all text was read, or the text is not to be read
	Cut      bool   `json:"cut,omitempty"`      // the file is a copy of a truncated file: a last line without newline is torn
	Format   string `json:"format,omitempty"`   // of the lines; for the consumer, which may set and read it
}

// headSize is the number of first bytes that identify a generation: some lines of an
// access log, with its first times.
const headSize = 1024

// hashHead hashes a head. Speed does not matter, but a client must not be able to make
// collisions by its requests.
func hashHead(head []byte) uint64 {
	sum := sha256.Sum256(head)
	return binary.LittleEndian.Uint64(sum[:])
}
