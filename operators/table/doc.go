// Package table folds observations into what is known of each URL of one site,
// by pane of time. It is the only state of dustbuster that is not derived from
// something else.
//
// # The fold law
//
// Event time is cut into panes, aligned to the epoch. In each pane, a URL has
// for each class of answers the smallest and the largest size seen, and the
// smallest and largest of its clients' hashes. Minimum and maximum are
// idempotent, commutative and associative, so an observation may come late,
// twice, in any order, or already folded with others: the table is a function
// of the set of hits and of nothing else. Two further rules are folds as well:
//
//   - The window is the newest P panes, the newest being the greatest of any
//     observation; what is older is dropped and counted, whether it was there
//     before or comes afterwards.
//   - Each pane keeps the MaxURLs URLs with the smallest keyed hash. Whoever is
//     among the smallest of all is among the smallest of any part, so a URL that
//     was once shed need never be called back.
//
// # Layout
//
//	heads[id] ──> entry{pane, class, min, max, clients, next} ──> entry ...
//
// A URL's entries are a chain in one slab, 32 bytes each and without pointers
// for the garbage collector. Nearly all URLs have one entry a pane, and the pane
// seen last stands first in the chain: where hits come in order, one on a known
// URL costs the lookup of its text and one or two entries. A URL's first hit in a
// pane goes through its chain, and a new pane through all URLs (32 ms for a
// million): a window is meant to have tens of panes, not thousands.
//
// URLs whose entries changed since the last look are listed, so that what is
// derived from the table follows without a pass over it ([Table.Changed]).
package table
