// Package pipe reads lines that can be read only once, from standard input and from
// named pipes.
//
//	set := pipe.NewSet(os.Stdin)
//	p, err := set.Open("-")            // or the path of a named pipe
//	r := pipe.NewReader(p, Options{})  // a records.Source
//
// A pipe has no positions, and its bytes cannot be read again. So a Pipe outlives its Readers:
// the bytes that a stopped Reader has received and not returned, including half a line, go to
// the next Reader. The caller must process every batch returned. Bytes not processed when the
// process dies are lost.
//
// A named pipe reaches its end when its last writer closes it. Another may follow, so reading
// goes on, and half a line at that end counts as a whole. Standard input ends once.
package pipe
