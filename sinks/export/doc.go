// Package export writes a site's rules in the formats of other tools, and reports each rule that a
// format cannot express, with the reason. Exports are exact: a rule is left out if a tool would
// apply it to other URLs, or in another way. Differences of a tool for all rules, such as with very
// long URLs, stand in its [Format].
//
// # Semantics
//
// A list of rules is applied in order, all of it once a round, until nothing changes. Each rule
// edits only the leftmost occurrence on token boundaries, or all occurrences of a parameter
// (package canon). The tools know neither rounds nor tokens nor parameters, so:
//
//   - A round is the list written once; d rounds are the list written d times. A
//     URL that settles in at most d rounds then comes out exactly, since a further
//     round changes nothing. d is the number needed by the site's URLs, and of the
//     rounds after the first only the rules are written that edit one of these URLs
//     there. Without URLs, d is 1 if one round settles any URL, and otherwise the
//     greatest number needed by any URL, MaxRounds-1. (A URL that does not settle at
//     all is its own canonical form; a tool leaves the URL as d rounds do.)
//   - Servers can hand a text from one step to the next: nginx by a chain of maps,
//     Apache and Caddy by a variable, Varnish by a header. So their answer is the
//     canonical form at once and not one redirect for each edit.
//   - Caddy's expressions cannot look ahead or behind. What that changes is in caddy.go.
//   - A Worker of Cloudflare has the library in JavaScript, which does what canon does. A function of
//     CloudFront has few bytes, so only the first rules that fit are written: they are exact by themselves.
//   - A token boundary is a look behind or ahead for letters and digits, for
//     escapes of them, and for a '%' whose digits may begin a side (substring.go).
//     The look is needed only if a side begins or ends with a word or a '%'. (\b
//     would take _ for a letter.)
//   - "The leftmost" is a shortest match from the URL's start.
//   - Every byte other than a letter or digit is written \xHH, which all engines
//     read alike and which needs no quoting in any of the formats. For servers, which
//     see no fragment, what then says the same is shorter (inServer).
//
// # Parameters as regular expressions
//
// The pieces of a query are of two classes: N, the parameter n with or without a value, and
// K, all kept pieces, empty pieces included. S is a separator, E the end. The classes alone
// decide the result of drop(n):
//
//	K S N S K E    ->  K S K E    a piece takes the separator after it along,
//	K S N S N E    ->  K E        the run of N at the end the one before it,
//	? N S N E      ->  E          and nothing kept, or only one empty piece, the ?
//	? N S E        ->  E
//
// The expression that removes any number of pieces depends on the engine's use of a match (type
// expressions):
//
//   - tiled, for engines that replace all matches (Nutch, StormCrawler): each match
//     begins at the end of the last match (\G), skips kept pieces and takes one run
//     of N. Exact for any URL.
//   - step, for engines with one match (nginx, Apache, Caddy, Varnish, Heritrix): the match is the
//     whole URL, and takes one run of N. The step is written as often as a URL of the
//     site has runs, or without URLs Places times. With more runs, servers claim no
//     canonical form at all; Heritrix leaves the parameter. If the rule's scope or
//     exceptions read the dropped pieces themselves (readsItself), the first run must
//     not go before the second is looked at, so one match takes up to Places runs.
//   - removed, for engines that delete all matches and look behind without bound
//     (ClearURLs, which is JavaScript): the text before a piece decides whether the
//     piece is deleted. Exact for any URL.
//
// All expressions are linear or quadratic in the URL's length for the backtracking engines: in
// every repetition the class of the next piece, or a separator, decides the next step.
//
// # Other rules as regular expressions
//
// A rule of syntax, and a drop in the path, deletes texts (cut.go). A template whose URLs have
// at most one parameter is one match of the whole URL (template.go); the pieces of several
// parameters could stand in any order. Scopes and exceptions are looks ahead from the start
// of the mined string (scope.go). No expression sorts parameters or changes the case of
// letters, so such rules are left out.
//
// The formats limited to parameters (duplicate-url-discarder, Clean-param, No-Vary-Search)
// get the drops in their own vocabulary. These formats split a query at & alone, and
// ClearURLs writes ; as %3B in each changed URL. So in these four formats a site has rules
// only if all its queries are known to have no semicolon.
package export
