// Package dust is the vocabulary of DustBuster (Bar-Yossef, Keidar, Schonfeld:
// Do Not Crawl in the DUST, WWW 2007) and its algebra: tokens, pairs of
// substrings, their order, when one refines another, and phase 2, which leaves
// out the redundant ones. Everything is a pure function of its arguments.
//
// # Words
//
// A URL is a sequence of tokens: a word, which is a maximal run of letters and
// digits, or one other character; before them stands the special token ^ and after
// them $. An escape, '%' and two hexadecimal digits, is one character: a letter if
// it stands for a letter or digit of ASCII or for a byte from 0x80 up, which is part
// of a letter of some script. So %E0%B8%81ab is one token, a%2Fb are three, %%41 are
// two (% and %41), and so are %4. Only the cutting looks into escapes: bytes are
// compared as they are.
//
// A token of a part of a URL is one of the URL, if the part was cut out on token
// boundaries. The reverse needs care: % and 41 are tokens, and %41 is another one.
//
// A substitution rule α → β replaces an occurrence of α by β; its instances are
// the pairs of URLs (pαs, pβs). A log cannot tell α → β from β → α, so both are
// one [Pair], written with the larger side first. α and β begin with ^ together
// or not at all, since an envelope (p, s) either holds that token or leaves it
// to both, and likewise for $; a Pair therefore keeps the anchors as two flags
// and its sides without them, and a literal "^" in a URL is just a byte.
package dust
