// Package table folds observations into the evidence about each URL of one site, by pane of
// time. The table is the only state of dustbuster that is not derived from other state.
//
// # The fold law
//
// Event time is cut into panes, aligned to the epoch. In each pane, a URL has for each
// class of answers the smallest and the largest size seen, and the masks of its
// clients and of their families. Minimum, maximum and union are idempotent, commutative and associative. An
// observation may therefore come late, twice, in any order, or already folded with others:
// the table is a function of the set of hits and of nothing else. Two further rules are
// folds as well:
//
//   - The window is the newest P panes. The newest pane is the greatest pane of any
//     observation. Entries of older panes are dropped and counted, whether they came before
//     or after the newest pane.
//   - Each pane keeps the first MaxURLs URLs in the order of shedding. The order is by tier,
//     by the keyed hash of the page (a function of the URL that most forms of a page share),
//     and by the keyed hash of the URL. The tier bounds the URLs of one page in a flood. A
//     URL among the first of all is also among the first of any part, so a URL that was shed
//     is never needed again. The types ranked and ranking have the definitions.
//
// # Layout
//
//	heads[id] ──> entry{pane, class, min, max, clients, families, next} ──> entry ...
//
// A URL's entries are a chain in one slab, 32 bytes each and without pointers for the garbage
// collector. Nearly all URLs have one entry for each pane, and the last one seen is the first
// of the chain. If hits come in order, a hit on a known URL costs the lookup of the text and
// one or two entries. A URL's first hit in a pane traverses the URL's chain. A new pane
// traverses all URLs (32 ms for a million): a window should have tens of panes, not
// thousands.
//
// URLs whose entries have changed since the last call are listed, so that derived state is
// updated without a pass over the table ([Table.Changed]).
package table
