// Package rules reads lists of published rules from files and from a running daemon. A
// list is not trusted: it is accepted as a whole or not at all, its size is bounded,
// and every rule is checked.
//
// A list is JSON lines, as written by package jsonl. Unknown members are ignored,
// because later versions may add members. An unknown member of a scope is an error,
// because without the member the rule would edit more URLs than intended. Only rules
// whose state is valid are applied. Likely rules have no state and no direction.
package rules
