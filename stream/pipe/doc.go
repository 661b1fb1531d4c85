// Package pipe reads lines that come only once: those of standard input and of named
// pipes.
//
//	set := pipe.NewSet(os.Stdin)
//	p, err := set.Open("-")            // or the path of a named pipe
//	r := pipe.NewReader(p, Options{})  // a records.Source
//
// A pipe has no positions: what was read from it is nowhere but here. So a Pipe
// outlives its Readers. A Reader that is stopped leaves what has come and was not
// handed out, half a line included, to the next one. What was handed out must be
// dealt with; what was not when the process dies is lost.
//
// The end of a named pipe is that its last writer has closed it. Another may come, so
// reading goes on, and half a line at that end is a line. Standard input ends once.
package pipe
