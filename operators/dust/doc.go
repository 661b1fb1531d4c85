// Package dust is the vocabulary of DustBuster (Bar-Yossef, Keidar, Schonfeld:
// Do Not Crawl in the DUST, WWW 2007) and its algebra: tokens, pairs of
// substrings, their order, when one refines another, and phase 2, which leaves
// out the redundant ones. Everything is a pure function of its arguments.
//
// # Words
//
// A URL is a sequence of tokens: a maximal run of the letters and digits of
// ASCII, or one other byte; before them stands the special token ^ and after
// them $. Bytes are compared as they are.
//
// A substitution rule α → β replaces an occurrence of α by β; its instances are
// the pairs of URLs (pαs, pβs). A log cannot tell α → β from β → α, so both are
// one [Pair], written with the larger side first. α and β begin with ^ together
// or not at all, since an envelope (p, s) either holds that token or leaves it
// to both, and likewise for $; a Pair therefore keeps the anchors as two flags
// and its sides without them, and a literal "^" in a URL is just a byte.
package dust
