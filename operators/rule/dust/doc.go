// Package dust is the vocabulary of DustBuster (Bar-Yossef, Keidar, Schonfeld: Do Not
// Crawl in the DUST, WWW 2007) and its algebra: tokens, pairs of substrings, the order of
// pairs, refinement of one pair by another, and phase 2, which removes redundant pairs.
// All functions are pure functions of their arguments.
//
// # Words
//
// A URL is a sequence of tokens. A token is a word, which is a maximal run of letters and
// digits, or one other character. The special token ^ stands before the URL and $ after
// it. An escape, '%' and two hexadecimal digits, is one character. An escape is a letter
// if the escaped byte is an ASCII letter or digit, or is at least 0x80 and thus part of a
// letter of some script. So %E0%B8%81ab is one token, a%2Fb are three, %%41 are two (%
// and %41), and so are %4. Only tokenization looks into escapes: bytes are compared
// undecoded.
//
// If a part of a URL was cut out on token boundaries, its tokens are tokens of the URL.
// The reverse is not true: % and 41 are tokens, and %41 is another token.
//
// A substitution rule α → β replaces an occurrence of α by β. Its instances are the pairs
// of URLs (pαs, pβs). A log cannot distinguish α → β from β → α, so both are one [Pair],
// written with the larger side first. α and β begin with ^ together or not at all, since
// an envelope (p, s) either holds ^ or leaves ^ to both sides. The same is true for $. So
// a Pair keeps the anchors as two flags and the sides without them, and a literal "^" in
// a URL is an ordinary byte.
package dust
