package canon

import "dustbuster/operators/params"

// Kind is what a rule does to a URL.
type Kind uint8

// The kinds of rule.
const (
	Substring Kind = iota // From becomes To
	Drop                  // Param is removed
	Set                   // Param gets Value
)

// Rule is one directed edit of mined strings (path and query, or with hosts
// before them), as a crawler applies it. Rules compare with ==.
type Rule struct {
	Kind Kind

	// Of a Substring: the leftmost occurrence of From that lies on token
	// boundaries becomes To. One that is part of a To already is passed over, or
	// a rule whose To holds its From (^/ -> ^/print/) would never come to rest;
	// and so is one whose edit would take the slash from a path's beginning.
	From, To string
	AtStart  bool // From stands at the URL's start
	AtEnd    bool // and at its end

	// Of Drop and Set: every parameter of this name, where the URL has it.
	Param string
	Value string // of Set

	Scope Scope
}

// Scope says which URLs a rule edits: those that have all members it names. The
// zero Scope is the whole site.
type Scope struct {
	params.Scope
	Prefix string // the URL begins so
}
