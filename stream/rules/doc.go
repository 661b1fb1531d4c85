// Package rules reads lists of published rules from files and from a running daemon. A
// list is not trusted: it is accepted as a whole or not at all, its size is bounded,
// and every rule is checked.
//
// A list is JSON lines, as written by package jsonl. A rule of a kind or with a member that is
// unknown is left out and counted, and no rule of its site is applied: the rules of a site were
// validated together. Only rules whose state is valid are applied. Likely rules
// have no state and no direction.
//
// A crawler can find rules that are wrong: it fetches a share of the changed URLs as found
// (Explorer), and reports the pages that it saw (Live.Report, Send).
package rules
