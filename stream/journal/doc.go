// Package journal stores the state that must survive a crash, as entries whose meaning the
// caller knows: see package checkpoint. The journal is one append-only file of checksummed
// frames of entries.
//
// # The directory
//
//	lock          locked with flock by the process that uses the directory; holds its number
//	journal       the frames
//	journal.ack   how much of the journal has been acknowledged: a lower bound
//	journal.new   a journal being rewritten; worthless after a crash
//
// The directory is made with mode 0700, the files with 0600.
//
// # The file
//
//	+-------------+---------+---------+---------+- - - -
//	| header, 64  | frame 1 | frame 2 | frame 3 | ...
//	+-------------+---------+---------+---------+- - - -
//
//	header:   "dustjrnl"  version u32  sum u32 of these two; the same in every version
//	          pane i64  key u64  id u64  whole i64  compacted i64  copies u32  sum u32
//	frame:    magic u32  size u32  number u64  acked i64  chain u32  flags u32  payload sum u32  sum u32
//	          payload: entries one after another, see [Entry]
//
// Numbers are little-endian, sums are CRC-32C. A frame's sum covers its header and the
// journal's id, a random number, so a URL in the log cannot contain a frame. The field chain
// is the sum of the previous frame, so a frame left over from a failed write cannot pass for
// the successor of another.
//
// A checkpoint is one frame or, if large, several frames of about 1 MiB. The last frame
// carries the commit flag, and a checkpoint without it does not count. So neither the writer
// nor the reader holds a large checkpoint in memory, and the positions take effect together
// with all observations of the checkpoint or not at all.
//
// # Guarantees
//
//   - When Save returns nil, the checkpoint is on the disk: written and fsynced.
//   - Load returns a prefix of the checkpoints saved, each complete, and at least all
//     acknowledged checkpoints. Otherwise Open returns an error that names the file, the
//     offset and the remedy. Damage never leads to an empty start.
//   - A checkpoint whose Save failed may exist after a crash. Its contents are true:
//     observations are a fold, and a completed act stays completed. So no caller needs to
//     know.
//
// # A torn tail, or damage?
//
// A crash leaves an incomplete last checkpoint: cut short, or with sectors that were never
// written and read as zeros. It must be cut away. A flipped bit in the last acknowledged
// checkpoint looks the same, but cutting that away would lose acts that cannot be repeated.
// Heuristics about zeros (etcd's log looks for a sector of zeros) err on some file systems.
// So the end of the valid bytes is compared with the length known to be acknowledged, the
// largest of
//
//   - whole, in the header: a journal gets its name by rename only after its first whole
//     bytes are written and fsynced;
//   - acked, in every frame: the acknowledged length at the time of writing it. After an
//     invalid frame the rest of the file is searched for headers with a larger acked;
//   - journal.ack, written after each fsync, but not itself fsynced. Its length is never too
//     large. After a kill it is exact. After a power cut journal.ack may be old or damaged,
//     and then the length is smaller.
//
// Invalid bytes below that length are damage, and an error. Invalid bytes above are a torn
// tail, and are cut. Two cases stay undecided. If the power failed within seconds of the
// last checkpoint, and bits flipped in the same checkpoint, then it is cut, the positions go
// back by one checkpoint, and the input is read again. If journal.ack is lost, and besides
// somebody cuts the file beyond the bytes covered by whole, the remaining frames are an older
// state, and true.
//
// # Errors of the disk
//
// After a failed write (disk full), the file is cut back to the last acknowledged frame at
// once, or else before the next Save, which is refused as long as that fails. In both cases
// nothing was acknowledged, and there is no hole.
//
// After a failed fsync the page cache may be wrong: pages are marked clean that never
// reached the disk, a second fsync succeeds without writing them, and reading returns the
// cached pages. PostgreSQL stops the process. The journal can write the known frames again
// instead: the next Save copies the acknowledged frames, checking each sum, into a new file,
// which does not depend on the doubtful pages, syncs and renames it, and appends there.
// Writing the same place of the old file again would be cheaper, and as good on kernels that
// keep the pages given up, but that differs between file systems and versions.
//
// Bytes that were not cut back stay in the file as a sign, in case the process dies first.
// The next process copies a file with bytes beyond journal.ack in the same way, before its
// first Save. A clean end never leaves such bytes, but a crash may. The copy needs room for a
// second journal. Compact also ends the distrust, and usually needs less room.
//
// # Why not a database
//
// bbolt was tried. Of 300 single-bit flips 105 read back silently wrong, and of 256
// truncations 129 crashed beyond recovery, because bbolt trusts mapped pages. The fold law
// makes a database unnecessary: the program never looks up a key in the journal, and entries
// may be loaded in any grouping, repeated or not.
package journal
