package text_test

import (
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/sinks/text"
)

func entry(state rule.State, samples int, d rule.Drop, s rule.Scope) *book.Entry {
	e := &book.Entry{Rule: rule.Rule{Edit: d, Scope: s}, State: state}
	e.Verdict.Samples = samples
	return e
}

func TestListedOutcome(t *testing.T) {
	part := rule.Scope{Path: "/p", HasPath: true}
	entries := []*book.Entry{
		entry(rule.Valid, 20, rule.Drop{Param: "a"}, rule.Scope{}),
		entry(rule.Refuted, 20, rule.Drop{Param: "b"}, rule.Scope{}),
		entry(rule.Valid, 20, rule.Drop{Param: "b"}, part),
		entry(rule.Valid, 20, rule.DropOf("c", "d"), rule.Scope{}),
		entry(rule.Refuted, 20, rule.DropOf("e", "f"), rule.Scope{}), // one of them may hold
		entry(rule.Refuted, 9, rule.Drop{Param: "f"}, rule.Scope{}),
		entry(rule.Undecided, 9, rule.Drop{Param: "g"}, rule.Scope{}),
		entry(rule.Undecided, 0, rule.Drop{Param: "h"}, rule.Scope{}),
		entry(rule.Valid, 20, rule.Drop{Param: "i", Value: "", HasValue: true}, rule.Scope{}),
		{Rule: rule.Rule{Edit: rule.Set{Param: "k"}}, State: rule.Valid},
	}
	var l text.Listed
	l.Tested(strings.Split("a b c d e f g h i k", " "), entries)
	want := "Of 10 names on the list that your log has, 5 hold here (2 of them in a part of the site), 1 is wrong (f), 1 gave no clear result, 3 were not tested."
	if got := l.Outcome(func(s string) string { return s }); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	l.Tested([]string{"f", "w", "x"}, []*book.Entry{entry(rule.Refuted, 1, rule.Drop{Param: "f"}, rule.Scope{}),
		entry(rule.Refuted, 1, rule.Drop{Param: "w"}, rule.Scope{}), entry(rule.Refuted, 1, rule.Drop{Param: "x"}, part)})
	if got := l.Outcome(func(string) string { return "*" }); !strings.Contains(got, " 4 are wrong (*, *, *, ...),") {
		t.Error(got)
	}
}

func TestListedLooks(t *testing.T) {
	likely := func(name string, support, comparable int) rule.Likely {
		return rule.Likely{Rule: rule.Rule{Edit: rule.Drop{Param: name}}, Support: support, Comparable: comparable}
	}
	shown := []rule.Likely{likely("a", 9, 9)}
	all := append(shown, likely("b", 1, 4), likely("c", 0, 2), likely("d", 2, 4))
	var l text.Listed
	l.Mined([]string{"a", "b", "c", "d", "e"}, shown, all)
	want := "Of 5 names on the list that your log has, 1 looks right here, 1 looks wrong (b), of 3 the log cannot tell."
	if got := l.Looks(func(s string) string { return s }); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := new(text.Listed).Looks(nil); got != "The log has no parameter that is on the list." {
		t.Error(got)
	}
}
