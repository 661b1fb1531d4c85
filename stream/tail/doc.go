// Package tail follows logs through every kind of rotation. No line is lost, delivered
// twice or torn.
//
// # Generations
//
// A log is a path, and its file changes: access.log is renamed to access.log.1, and a new
// access.log is made; a day later the first file is access.log.2.gz. A generation is one
// text from first byte to last, wherever it lies and however it is packed. All state
// belongs to generations, none to paths. An unfinished generation is held open by its own
// descriptor, so renaming or deleting its file loses nothing.
//
//	path        time ───────────────────────────────────────────────────────>
//	access.log  │ A A A A A A A A│B B B B B B B B B B B B B B│C C C C C C C
//	access.log.1│                │A A a a·                   │B B B b·
//	access.log.2│                │                           │A.gz
//	             ^read            ^both are read: the writer  ^A.gz is a copy of A,
//	                              still has A open (a), until  recognized by its first
//	                              A does not grow for Grace    bytes, and not read
//
// The reader polls the path (Options.Poll, or more rarely if that costs much; inotify wakes it earlier). When the path leads
// to another file, the old generation counts as rotated. It is read before the new one in
// each round until it has not grown for Options.Grace. Then it is closed, but remembered
// while its file is on disk: lines written even later are still read.
//
// # Identity
//
// A file held open needs no identification. A file found on disk is identified by
//
//   - device and inode. The file system reuses both soon after a deletion, so they never
//     suffice alone;
//   - the head, which is the first 1,024 bytes, decompressed, or fewer while there are
//     fewer. A Position holds its hash and length. It is compared over its own length, and
//     counts only if it contains a whole line, because two logs may both begin with
//     "192.168.";
//   - the mark, which is the last 64 bytes before the read offset, while the file is held
//     open. Every read begins with the mark, and ends with reading the head again, so that
//     text written anew is never joined to the text before.
//
// A file with the head of a generation but another inode is a copy: compressed, made by
// copytruncate, or put in place by an editor. If the generation has lost its own file,
// reading continues in the copy at the same offset; offsets are those of decompressed
// text. Otherwise the copy is not read. It may be shorter than the head if lines were
// written between copying and truncating. A file that matches no generation is a new one.
// So the reader finds a generation that appeared and was rotated away between two polls,
// or while the program was down, under its rotated name. Such generations are read, the
// oldest first, and so are those present before the first start (Options.Window).
//
// The order of the steps in a scan matters. First the files are listed. Then new files at
// the paths become generations. Only then are the rotated names judged, each after a check
// of the files held open for truncation. In any other order, the copy being made by
// copytruncate would count as a text of its own and be read in addition to its origin.
// Besides, a file must have the listed identity when it is opened, or a renaming in
// between would give it to two generations.
//
// # Lines
//
// A line is delivered when its newline is there, or when its generation is finished. Half a
// line is not kept but read again, so a generation holds only its head and its mark in
// memory. A line above Options.MaxLine is skipped and counted, and so are runs of zero
// bytes: a crash of the machine leaves one at the end of a file, and copytruncate at the
// beginning if the writer does not append. Text next to a run is delivered only if it must
// be a whole line.
//
// # Guarantees
//
// Every line in a generation is delivered once, in order, whatever happens to the path, as
// long as the reader can find the text: by a descriptor, or on disk under a rotated name
// (in the same directory, in that of the link's target, or in Options.Elsewhere).
// Positions and state saved at the same moment extend the guarantee over a restart and a
// crash. The following is not guaranteed, and is reported (Audit) where the reader can
// know:
//
//   - copytruncate loses the lines written between the end of its copying and its
//     truncating. No reader can know whether there were such lines. Bytes that were seen,
//     but neither read nor found in the copy, are counted.
//   - A generation that appears and is deleted between two polls is never seen. A slow
//     consumer does not delay the polls. The same holds for lines that a server writes into
//     a renamed file that logrotate compresses and deletes at once (compress without
//     delaycompress), unless the file was seen before the rotation and is held open.
//   - After Grace, a last line without newline is delivered as a line. What follows later,
//     up to its newline, is left out as torn.
//   - Truncation is detected by a changed head or mark. A log whose head and mark are the
//     same in different files (1,024 bytes of heading without a time) cannot be
//     distinguished from its copy.
//   - Suppose a finished generation is shorter than the head, lines are added later, and the
//     file is compressed and deleted before the next poll. The result counts as another text
//     that begins alike, and the lines before are delivered again.
//   - Suppose a generation was only ever seen as a copy, before the log was first seen
//     being truncated. Then the last line is delivered even if the copying tore it.
//
// The clock decides when to poll and when to close a rotated file. The contents alone
// decide which lines are delivered, with two exceptions: Grace decides when a last line
// without newline counts as a line, and Window decides which generations are read.
//
// # Costs
//
// One goroutine does all the work, and one notes the events of the watched directories. A
// file that was written is looked at alone. A look at everything lists each directory once,
// stats each file that belongs to a log, and reads about a kilobyte per open file. By the clock,
// such looks take at most 1/200 of a core if all directories are watched, and at most 1/20
// if not: the more files there are, the rarer the looks, down to one in 30 s, or in 5 s. What
// events announce of renamed and new files takes at most 1/5 of a core. Measured: 10,000 logs of
// ten lines in one directory are read after 1.1 s of processor time, and then take .5 % of a
// core; 100 logs with 52 rotated files each take .7 s, and then .2 %. With 256 KiB of text, 1 KiB is read
// for the head. Nothing is allocated per line. Memory is Options.Batches buffers, and for
// each compressed generation being read a decompressor and at least 64 KiB of held text.
// Descriptors: one per path followed, and one per rotated generation during Grace.
//
// # Why not the library's Tail
//
// github.com/nxadm/tail closes the renamed file at once, takes the size from the path
// instead of the descriptor, splits long lines, and ends the process if a file cannot be
// examined. This package watches directories with fsnotify, to be woken. No result depends
// on events.
package tail
