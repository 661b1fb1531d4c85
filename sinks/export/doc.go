// Package export writes a site's rules in the formats of other tools, and reports
// each rule that a format cannot say, with the reason. Nothing is said nearly: a
// rule that a tool would apply to other URLs, or in another way, is left out. What a
// tool does otherwise with any rule, such as with very long URLs, stands in its [Format].
//
// # What has to be said
//
// A list of rules is applied in order, the whole of it once a round, until a round
// changes nothing; each rule edits only the leftmost occurrence that lies on token
// boundaries, or all occurrences of a parameter (package canon). The tools know
// neither rounds nor tokens nor parameters, so:
//
//   - A round is the list written once; d rounds are the list written d times. A
//     URL that settles in at most d rounds then comes out exactly, since a round
//     after that changes nothing. d is what the site's URLs need, or without
//     them what any URL can need, MaxRounds-1. (A URL that does not settle at all
//     is its own canonical form; a tool leaves it as d rounds do.)
//   - Both servers can hand a text from one step to the next, nginx by a chain of
//     maps, Apache by an environment variable, so their answer is the canonical
//     form at once and not one redirect for each edit.
//   - A token boundary is a look behind or ahead for letters and digits and for
//     escapes of them, and for the '%' whose digits a side may begin with
//     (boundary.go). It is needed only where a side begins or ends with a word or
//     a '%'. (\b would take _ for a letter.)
//   - "The leftmost" is a shortest match from the URL's start.
//   - Every byte that is no letter or digit is written \xHH, which all engines
//     read alike and which needs no quoting in any of the formats.
//
// # Parameters as regular expressions
//
// The pieces of a query are of two classes: N, the parameter n with or without a
// value, and K, all that are kept, empty ones too; S is a separator, E the end.
// What drop(n) leaves can be told from the classes alone:
//
//	K S N S K E    ->  K S K E    a piece takes the separator after it along,
//	K S N S N E    ->  K E        the run of N at the end the one before it,
//	? N S N E      ->  E          and nothing kept, or only one empty piece, the ?
//	? N S E        ->  E
//
// How one expression can remove any number of them depends on what the engine does
// with a match:
//
//   - tile.go, engines that replace all matches (Nutch, StormCrawler): each match
//     begins where the last one ended (\G), skips what is kept and takes one run of
//     N. Exact for any URL.
//   - whole.go, engines with one match (nginx, Apache, Heritrix): the whole URL is
//     matched, with a group for what stands before each run. There are only so many
//     groups: up to Places runs, and one at the end, are exact. Beyond, both servers claim no canonical
//     form at all; Heritrix leaves the parameter.
//   - remove.go, engines that delete all matches and look behind without bound
//     (ClearURLs, which is JavaScript): what is deleted is told by what stands
//     before it. Exact for any URL.
//
// Everything is linear or quadratic in the URL's length for the backtracking
// engines: in every repetition the next piece's class decides how to go on.
//
// The formats that know only parameters (duplicate-url-discarder, Clean-param,
// No-Vary-Search) get the drops that their own vocabulary has. They part a query
// at & alone, and ClearURLs writes ; as %3B in each URL that it changes. So in these four
// a site has no rules unless it is known that none of its queries has a semicolon.
package export
