// Package tail follows logs through every kind of rotation: no line is lost,
// none comes twice, none comes broken.
//
// # Generations
//
// A log is a path, and what the path leads to changes: access.log is renamed to
// access.log.1 and a new access.log is made; a day later it is access.log.2.gz.
// What stays is the generation: one text, from its first byte to its last,
// wherever it lies and however it is packed. All that is known is known of
// generations, and never of paths. Each that is not finished is held open by a
// descriptor of its own, so that no renaming and no deleting can take it away.
//
//	path        time ───────────────────────────────────────────────────────>
//	access.log  │ A A A A A A A A│B B B B B B B B B B B B B B│C C C C C C C
//	access.log.1│                │A A a a·                   │B B B b·
//	access.log.2│                │                           │A.gz
//	             ^read            ^both are read: the writer  ^B has all that A.gz
//	                              still has A open (a), until  had: known by its
//	                              it has not grown for Grace   first bytes, not read
//
// The path is looked at again and again (Options.Poll; inotify wakes the reader
// earlier). When it leads elsewhere, the old generation is rotated: it is read
// beside the new one, before it in each round, until it has not grown for
// Options.Grace. It is closed then, but not forgotten while it is on disk: a
// writer who wakes up later still is heard.
//
// # Identity
//
// A file held open is itself. A file met again is told by three things:
//
//   - device and inode, which the file system gives again soon after a file is
//     gone, and so never alone;
//   - the first 1,024 bytes, decompressed, or fewer while there are fewer: a hash
//     of them and their number are in the Position. A head is compared over its
//     own length, and counts only if it has a whole line, since two logs may well
//     both begin with "192.168.";
//   - the last 64 bytes before the place of reading, while it is held open. They
//     are read again with every read, and the head after it, so that text of
//     another writing is never joined to the text before.
//
// A file that has the head of a generation, but not its inode, is a copy of it:
// compressed, made by copytruncate, or put in its place by an editor. If the
// generation has lost its own file it goes on in the copy at the same offset;
// offsets are those of decompressed text. If not, the copy is not read. A file
// that is nobody's is a new generation. So a generation that came and was
// rotated away between two looks, or while the program was down, is found under
// its rotated name and read, the oldest first, as are those that were there
// before the first start (Options.Window).
//
// Two orders matter here and are easily got wrong. Files are listed first, then
// files held open are checked for having been emptied, then new files at the
// paths are taken up, and only then the rotated names are judged. Otherwise the
// copy that copytruncate is just making would be taken for a text of its own,
// and read as well as its origin. And a file must still have the identity it
// was listed with when it has been opened, or a renaming in between gives one
// file to two generations.
//
// # Lines
//
// A line is delivered when its newline is there, or when its generation is
// finished. Half a line is not kept but read again, so that what a generation
// holds in memory is its head and its mark. A line above Options.MaxLine is
// walked over and counted. So are runs of zero bytes, which a crash of the
// machine leaves at the end of a file, and copytruncate at its beginning if the
// writer does not append; what is before and behind them is delivered where it
// can only be a whole line.
//
// # What is promised
//
// Every line that is in a generation is delivered once, in order, whatever is
// done to the path, as long as the generation can be found: by a descriptor, or
// on disk under a rotated name (in the same directory, in that of the link's
// target, or in Options.Elsewhere). Saved positions and state of the same moment
// carry that over a restart and a crash. Not promised, and told (Audit) where it
// can be known:
//
//   - copytruncate loses what is written between the end of its copying and its
//     truncating. Whether there was anything, nobody can know. What was seen of
//     the text and is neither read nor in the copy is counted.
//   - A generation that appeared and was deleted between two looks was never
//     there; but not even a slow consumer makes the looks rarer. The same goes
//     for what a server writes into a renamed file that logrotate compresses at
//     once and deletes (compress without delaycompress), unless it was seen
//     before it was rotated, and so is held open.
//   - After a last line without newline was delivered at the end of the time of
//     grace, the rest of it, if it comes after all, is left out as torn.
//   - A file is found emptied when its head or its mark has changed. A log in
//     which these are the same in different files (1,024 bytes of heading without
//     a time) cannot be told from its copy.
//   - The last line of a generation that was only ever seen as a copy, before the
//     log was first seen being truncated, is delivered even if the copying tore it.
//
// The clock decides when to look and when a rotated file is let go; what is
// delivered depends on contents alone, except that a last line without newline
// is one after Grace, and which generations are within Window.
//
// # Costs
//
// One goroutine does all of it, and for each path watched one passes on its
// events. A look is a stat per path and per file held open; by the clock also a
// listing of the directories, and a read of about a kilobyte per file held open.
// A read of 256 KiB adds one of 1 KiB, for the head. Nothing is allocated per
// line. Memory is Options.Batches buffers, and a decompressor with 64 KiB and
// more of held text per compressed generation being read. One descriptor per
// path followed, and one per rotated generation during Grace.
//
// # Why not the library's Tail
//
// github.com/nxadm/tail closes the renamed file at once, asks the path and not
// the descriptor for the size, splits long lines and ends the process where a
// file cannot be looked at. Of it, the tracker of inotify is used, to be woken;
// nothing depends on its events.
package tail
