// Package rules reads lists of published rules: files, or what a running daemon
// tells. It trusts nobody: a list is taken as a whole or not at all, its size is
// bounded, and every rule in it is checked.
//
// A list is JSON lines, as package jsonl writes them. Members that are not known
// are passed over, since some may be added; but not in a scope, where the rule would
// then edit more URLs than it says. Only rules whose state is valid are
// applied; likely rules have no state, and no direction.
package rules
