// Package journal keeps what must survive a crash: the positions of the inputs,
// the observations that changed, and the acts. It is one append-only file of
// checksummed frames, and loading is folding.
//
// # The directory
//
//	lock          held with flock by the process that uses the directory; its number is inside
//	journal       the frames
//	journal.ack   how much of the journal has been acknowledged: a lower bound
//	journal.new   a journal being written anew; worth nothing after a crash
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
//	          payload: records one after another, see [Frame] and encode.go
//
// Numbers are little-endian, sums are CRC-32C. A frame's sum covers its header
// and the journal's id, a random number, so that a URL in the log cannot contain
// a frame. chain is the sum of the frame before, so that a frame left over from
// a write that failed is never taken for the successor of another.
//
// A checkpoint is one frame or, if large, several of about 1 MiB: the last one
// carries the commit flag, and a checkpoint without it is as if it had never
// been written. So neither side holds a large checkpoint in memory, and its
// positions take effect together with all its observations or not at all.
//
// # What is promised
//
//   - When Append returns nil, the frame is on the disk: written and fsync'd.
//   - What Load yields is a prefix of the checkpoints appended, each of them
//     whole, and at least those that were acknowledged; or Open is an error that
//     names the file, the offset and what to do. Nothing is started empty
//     because something is wrong.
//   - A checkpoint whose Append was an error may be there after a crash
//     nevertheless. Its contents are true (it is a fold, and an act once done is
//     done), so nobody needs to know.
//
// # A torn tail, or damage?
//
// A crash leaves an incomplete last checkpoint: cut short, or with sectors never
// written, which read as zeros. It must be cut away. A flipped bit in the last
// acknowledged checkpoint looks just the same, and cutting it away would lose
// acts that nobody can do again. Heuristics about zeros (etcd's log looks for a
// sector of them) err on some file systems. So whatever is invalid is held
// against what is known to have been acknowledged, which is the largest of
//
//   - whole, in the header: a journal gets its name by rename only when it has
//     been written and fsync'd up to there;
//   - acked, in every frame: the length that had been acknowledged when the frame
//     was written. After an invalid frame the rest of the file is searched for
//     frame headers that say so;
//   - journal.ack, written after each fsync, and not fsync'd itself. It cannot say
//     too much. Killing the process leaves it exact; a power cut may leave it
//     old, or damaged, and then it says less.
//
// Invalid below that length is damage, and an error. Above it is a torn tail,
// and is cut. What stays undecided is the last checkpoint alone, in the case that
// the power failed within seconds of it and that bits flipped in it besides: it
// is cut, the positions go back by one checkpoint, and the input is read again.
// Likewise, if journal.ack is lost and besides somebody cuts the file short
// behind what whole covers, what is left is an older state, and true.
//
// # Errors of the disk
//
// After a write that failed (disk full), the file is cut back to the last
// acknowledged frame at once; if that fails too, before the next Append, which
// is refused as long as it fails. Either way nothing was acknowledged, and there
// is no hole.
//
// After an fsync that failed the page cache may lie: pages are marked clean that
// never reached the disk, a second fsync succeeds without writing them, and
// reading back reads the cache. PostgreSQL stops the process; we need not,
// because we can write again what we know. The file is not trusted any more: the
// next Append copies the acknowledged frames, checking each sum, into a new file
// that owes nothing to those pages, syncs and renames it, and appends there.
// Writing the same place of the same file again was the alternative. It is
// cheaper, and as good wherever the kernel keeps the pages it gave up; that
// differs between file systems and versions, and a copy need not know.
//
// What was not cut back stays in the file as a sign, for the case that the
// process dies first: a file with anything beyond journal.ack is copied likewise
// by whoever opens it next, before the first Append. A clean end never leaves
// that, a crash may. The copy needs room for a second journal; Compact, which
// also ends the mistrust, usually needs less.
//
// # Why not a database
//
// bbolt was tried. Of 300 single-bit flips 105 read back silently wrong, and of
// 256 truncations 129 crashed beyond recovery, because it trusts mapped pages.
// The fold law makes a database unnecessary: nothing is ever looked up here, and
// frames may be loaded in any grouping, repeated or not.
package journal
