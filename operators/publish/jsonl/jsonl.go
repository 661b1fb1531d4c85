// Package jsonl writes rules, and notes on sites, as JSON, one object a line. The form of the objects is a
// contract with the programs that read them.
//
//	{"schema":2,"site":"","kind":"substring","alpha":".html?commentlimit=0","beta":".html","at_start":false,"at_end":true,"scope":{},"support":15,"support_high":15}
//	{"schema":2,"site":"","kind":"parameter","op":"drop","params":["h"],"scope":{"path":"/gitweb/","where":[{"param":"a","value":"history"}]},"support":321,"comparable":340}
//
// The sides of a substring rule contain no ^ and $: the booleans hold the anchors. The scope
// is the rule's, {} the whole site.
package jsonl

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// List is a list of rules. A rule.List in it stands for the rules of a site.
type List []any

// All yields the rules. Package encoding/json makes one object of each.
func (l List) All() iter.Seq[any] {
	return func(yield func(any) bool) {
		for _, one := range l {
			list, several := one.(rule.List)
			if !several {
				if !yield(one) {
					return
				}
				continue
			}
			for object := range wires(list.Rules) {
				if !yield(object) {
					return
				}
			}
		}
	}
}

// wires yields likely rules as they are written, each made when its turn comes: an object takes as much as a rule.
func wires(rules []rule.Likely) iter.Seq[any] {
	return func(yield func(any) bool) {
		for i := range rules {
			if !yield(rules[i].Wire()) {
				return
			}
		}
	}
}

// Lists returns the list of the likely rules of sites.
func Lists(sites []rule.List) List {
	l := make(List, len(sites))
	for i := range sites {
		l[i] = sites[i]
	}
	return l
}

// Valid returns the list of a site's published rules. The examples are left out:
// they contain URLs, which are private.
func Valid(p *book.Publication) List {
	l := make(List, len(p.Records))
	for i, r := range p.Records {
		r.Verdict.Examples = nil
		l[i] = r
	}
	return l
}

// Write writes the rules in their order.
func (l List) Write(w io.Writer) error {
	return write(w, l.All())
}

func write(w io.Writer, objects iter.Seq[any]) error {
	b := bufio.NewWriter(w)
	out := json.NewEncoder(b)
	out.SetEscapeHTML(false)
	for object := range objects {
		if err := out.Encode(object); err != nil {
			return fmt.Errorf("write rules: %w", err)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write rules: %w", err)
	}
	return nil
}

// Write writes likely rules in their order.
func Write(w io.Writer, rules []rule.Likely) error {
	return write(w, wires(rules))
}
