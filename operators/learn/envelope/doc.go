// Package envelope is the online form of phase 1 of DustBuster (Bar-Yossef, Keidar, Schonfeld,
// WWW 2007, figure 1). URLs enter, leave, and change their evidence. The support of every pair
// of substrings always equals what figure 1 would compute from nothing.
//
// # Words
//
// A URL u of n tokens, ^ and $ included, is p α s for every cut into a prefix p of i tokens, a
// suffix s of j tokens and a middle α of n-i-j tokens. The envelope (p, s) is the cell (i, j) of
// u's triangle i+j ≤ n. Figure 1 considers the middles of at most S tokens, here called real.
// Other cells are cells as well.
//
// The members of the form (p, s) are all URLs that begin with p and end with s without
// overlap. The members of the form's bucket are those members whose middle is real. A
// bucket of at least two and at most T members adds 1 to the support of each pair of
// middles of similar members, for T = T_low and T = T_high. T without index is the larger.
//
// The subject is the URL that enters, leaves or changes. The partners are the URLs that
// share a bucket with the subject.
//
// # The staircase
//
// A step of one token, to (i+1, j) or (i, j+1), never adds a member. The crowded cells of a
// URL's triangle, those of more than T members, are therefore a staircase at the wide
// corner:
//
//	   j  0 1 2 3 4 5
//	i 0   # # # # #
//	  1   # # # # e .      #  crowded: counted, members not kept
//	  2   # # e . . .      e  on the edge: not crowded, but all wider cells are
//	  3   # # . . .        .  inside an edge cell: not held at all
//	  4   e . . .
//
// The index holds each crowded cell as two numbers (members, real members), and each edge
// cell with a list of at most T members. No other cell is needed: a URL that shares a cell
// beyond the edge with u also shares the edge cell before it, so the lists on u's edge hold
// all URLs that can meet u in a bucket that counts. u shares with a partner v exactly the
// cells with i ≤ a and j ≤ b that fit into both URLs, where a and b are the numbers of
// tokens common to the two texts at the start and at the end. a and b are read from the
// bytes. A bucket beyond the edge is therefore the intersection of four sets of partners
// (meeting.gather) and never needs to exist.
//
// A million generated URLs have 143 envelopes each. Of these, 41 are crowded and 82 belong
// to one URL alone. The index holds 1.5 cells for each URL.
//
// # Blocks
//
// Twelve URLs of 400 tokens that differ in the middle have 40,000 crowded cells, and all cells
// become crowded at once, but the middles are real in only 630 of these cells. Beyond 20
// tokens from either end, the staircase therefore has a cell only for each twelfth i and j
// (grid.go): a wide cell, which stands for a block of up to 144 cells. The members of a wide
// cell are all URLs of its form, as before. A crowded block contains a second staircase, from
// corner to corner, of the URLs whose middle is real anywhere in it. The middle of a URL is
// real in few blocks, those at the narrow end of the URL's triangle.
//
// Inside a block, too, a step never adds a member, and all URLs of a bucket are members of its
// cell. Both staircases therefore have one kind of edge and list, and one code. A place (type at)
// names its staircase.
//
// # A URL enters
//
//  1. walk.go goes down the rows of the subject's triangle as far as the rows are crowded, with a
//     lookup for each cell, counts the URL in each cell, and lists the URL on the edge. Where a
//     cell stands for a block, it goes down the staircase inside.
//  2. A cell that thereby becomes crowded is no longer on the edge. The next cells of the cell's
//     members, in both directions, are now on the edge, unless they lie inside another edge
//     cell (spread).
//  3. The members of all lists met on the way are the partners. For each bucket shared with k
//     partners: if the bucket holds k+1 ≤ T URLs now, the pairs of the subject with them gain 1;
//     if k = T, the bucket has just overflowed, and the pairs among the k lose what the bucket
//     had contributed.
//
// Leaving is the reverse (leave.go). A change of sizes is step 3 alone, for the partners to
// which the subject has become similar or dissimilar. Events are the pairs whose support
// crossed MS in between (likely.go).
//
// Some crowded cells have few real members: long URLs share their start and end with many
// URLs, but have middles above S there. Such a cell keeps the list of the real members, and
// takes part in step 3 like the other cells.
//
// # Cost
//
// A URL costs a lookup for each crowded cell (about 40, nearly all in the cache, since many
// URLs share the cells) and each edge cell (about 5), the comparison of the text with each
// partner's text (about 10), and a few additions for each similar pair. On the generated
// site of BenchmarkEnter, URLs in random order, one core of an AMD EPYC:
//
//	URLs        index                    every envelope held (BenchmarkNaive)
//	10,000      2.1 µs    171 B/URL
//	100,000     2.1 µs    139 B/URL      85 µs     11,355 B/URL
//	1,000,000   3.9 µs    122 B/URL
//
// The costliest URLs have 400 tokens, nearly all of them common to other URLs. With the
// twelfth URL of a template, 2,200 cells become crowded (0.4 ms), and 34,650 pairs lose
// support (0.5 ms); without blocks that URL would cost 25 ms. No URL pays for the growth of a large table (table.go).
//
// Where all URLs are known and only the likely pairs are asked for, a Batch does without nearly all of
// the additions, and in small sets without cells.
//
// The obvious alternative is a hash table of all envelopes with their members. It touches all
// 144 envelopes of a URL, nine in ten of them for the first and last time. A trie of prefixes
// with tries of suffixes below would have as many nodes as envelopes once a subtree bursts.
package envelope
