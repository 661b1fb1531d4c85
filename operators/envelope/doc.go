// Package envelope is the online form of phase 1 of DustBuster (Bar-Yossef,
// Keidar, Schonfeld, WWW 2007, figure 1): URLs enter, leave, and change what is
// known of them, and the support of every pair of substrings is always what
// figure 1 would compute from nothing.
//
// # Words
//
// A URL u of n tokens, ^ and $ included, is p α s for every cut into a prefix p
// of i tokens, a suffix s of j and a middle α of n-i-j. The envelope (p, s) is
// the cell (i, j) of u's triangle i+j ≤ n. Figure 1 looks at the middles of at
// most S tokens, here called real; but a cell is a cell whatever its middle.
//
// The form (p, s) has as members all URLs that begin with p and end with s
// without overlap; its bucket are those whose middle is real. A bucket of at
// least two and at most T adds 1 to the support of each pair of middles of
// similar members, for T = T_low and T = T_high. T without index is the larger.
//
// # The staircase
//
// To go one token further, to (i+1, j) or (i, j+1), never adds a member. So of
// a URL's triangle the crowded cells, those of more than T members, are a
// staircase at its wide corner:
//
//	   j  0 1 2 3 4 5
//	i 0   # # # # #
//	  1   # # # # e .      #  crowded: counted, members not kept
//	  2   # # e . . .      e  on the edge: not crowded, but all wider cells are
//	  3   # # . . .        .  inside an edge cell: not held at all
//	  4   e . . .
//
// The index holds the crowded cells as two numbers (members, real ones), and
// the edge cells with their lists of at most T members. That is all: whoever
// shares a cell beyond the edge with u also shares the edge cell before it, so
// the lists on u's edge are everybody with whom u can meet in a bucket that
// counts. With a partner v, u shares exactly the cells with i ≤ a and j ≤ b
// that fit into both, where a and b are the tokens that their texts have in
// common at the start and at the end; which is read off the bytes, so a bucket
// beyond the edge is the intersection of four sets of partners (meeting.gather)
// and never needs to exist.
//
// A million generated URLs have 143 envelopes each, of which 41 are crowded and
// 82 belong to that URL alone; the index holds 1.5 cells a URL.
//
// # Blocks
//
// Twelve URLs of 400 tokens that differ in the middle have 40,000 crowded cells, and all
// become crowded at once. But their middles are real in 630 of them only. So beyond 20
// tokens from either end the staircase has a cell for each twelfth i and j only (grid.go):
// a wide cell, which stands for a block of up to 144. Its members are all URLs of its form,
// as before. Inside a block that is crowded lies a second staircase, from corner to
// corner of the block, of those URLs whose middle is real anywhere in the block. The
// middle of any URL is real in few blocks, those at the narrow end of its triangle.
//
// Inside a block to go further never adds a member either, and all URLs of a bucket are
// members of its cell. So both staircases have the same edge, the same lists, and the same code;
// a place (type at) says in which of them it is.
//
// # A URL enters
//
//  1. walk.go goes down the rows of its triangle as far as they are crowded, a
//     lookup for each cell, counts the URL there, and lists it on the edge.
//     Where a cell stands for a block, it goes down the staircase inside.
//  2. A cell that thereby becomes crowded is edge no more: the next cells of its
//     members, in both directions, now are, unless they lie inside
//     another edge cell (spread).
//  3. The members of all lists met on the way are the partners. For each bucket
//     shared with k of them: if it holds k+1 ≤ T URLs now, u's pairs with them
//     gain 1; if k = T, the bucket has just overflowed, and the pairs among the k
//     lose what they had from it.
//
// Leaving is the same backwards (leave.go), and a change of sizes is step 3
// alone for the partners to whom u has become similar or dissimilar. Events are
// the pairs whose support crossed MS in between (likely.go).
//
// Crowded cells of which few members are real (long URLs share their start and
// end with everybody, but have middles above S there) keep the list of these
// few, and take part in step 3 like the others.
//
// # Cost
//
// A URL costs a lookup for each crowded cell (about 40, nearly all of them in
// the cache, since many share them) and each edge cell (about 5), the comparison
// of its text with each partner's (about 10), and a few sums for each pair that
// is similar. On the generated site of BenchmarkEnter, URLs in random order, one
// core of an AMD EPYC:
//
//	URLs        index                    every envelope held (BenchmarkNaive)
//	10,000      2.6 µs    197 B/URL
//	100,000     2.7 µs    165 B/URL      85 µs     11,355 B/URL
//	1,000,000   4.3 µs    164 B/URL
//
// The dearest URLs have 400 tokens and nearly all of them in common with others. With
// the twelfth of a template 2,200 cells become crowded (0.8 ms), and 34,650 pairs lose
// what they had (0.9 ms); the mean is well below that (BenchmarkDearest). Without blocks
// the twelfth costs 25 ms.
//
// The loser is what one writes first: a hash table of all envelopes with their
// members. It is the same arithmetic, but touches all 144 envelopes of a URL,
// nine in ten of them for the first and last time. Weighed and dropped on paper:
// a trie of prefixes with tries of suffixes below (as many nodes as envelopes
// once a subtree bursts), and keeping only the corners of the staircase with
// their members (a crowd's members would have to be kept).
package envelope
