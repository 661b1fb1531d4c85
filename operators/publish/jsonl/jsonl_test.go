package jsonl

import (
	"bytes"
	"errors"
	"testing"

	"dustbuster/operators/rule"
)

func substringRule(alpha, beta string, start, end bool) rule.Likely {
	return rule.Likely{Site: "www.example.org", Support: 15, SupportHigh: 16,
		Rule: rule.Rule{Edit: rule.Substring{From: alpha, To: beta, AtStart: start, AtEnd: end}}}
}

func dropRule(s rule.Scope) rule.Likely {
	return rule.Likely{Rule: rule.Rule{Edit: rule.Drop{Param: "h"}, Scope: s}, Support: 321, Comparable: 340}
}

// The lines are a contract: names, order and form of all members.
func TestWrite(t *testing.T) {
	for _, c := range []struct {
		rule rule.Likely
		want string
	}{
		{substringRule(".html?commentlimit=0", ".html", false, true),
			`{"schema":2,"site":"www.example.org","kind":"substring","alpha":".html?commentlimit=0","beta":".html","at_start":false,"at_end":true,"scope":{},"support":15,"support_high":16}`},
		{substringRule("/a&b<c>", "", true, false),
			`{"schema":2,"site":"www.example.org","kind":"substring","alpha":"/a&b<c>","beta":"","at_start":true,"at_end":false,"scope":{},"support":15,"support_high":16}`},
		{substringRule(`\x"'`, `\`, false, false),
			`{"schema":2,"site":"www.example.org","kind":"substring","alpha":"\\x\"'","beta":"\\","at_start":false,"at_end":false,"scope":{},"support":15,"support_high":16}`},
		{dropRule(rule.Scope{}),
			`{"schema":2,"site":"","kind":"parameter","op":"drop","params":["h"],"scope":{},"support":321,"comparable":340}`},
		{dropRule(rule.Scope{HasPath: true, Path: "/gitweb/"}),
			`{"schema":2,"site":"","kind":"parameter","op":"drop","params":["h"],"scope":{"path":"/gitweb/"},"support":321,"comparable":340}`},
		{dropRule(rule.Scope{HasPath: true, Path: "/", Where: rule.With("a")}),
			`{"schema":2,"site":"","kind":"parameter","op":"drop","params":["h"],"scope":{"path":"/","where":[{"param":"a"}]},"support":321,"comparable":340}`},
		{dropRule(rule.Scope{HasPath: true, Path: "", Where: rule.Where("a", "")}),
			`{"schema":2,"site":"","kind":"parameter","op":"drop","params":["h"],"scope":{"path":"","where":[{"param":"a","value":""}]},"support":321,"comparable":340}`},
	} {
		var b bytes.Buffer
		if err := Write(&b, []rule.Likely{c.rule}); err != nil || b.String() != c.want+"\n" {
			t.Errorf("%v\ngot  %swant %s", err, b.String(), c.want)
		}
	}
}

func TestWriteNothing(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, nil); err != nil || b.Len() > 0 {
		t.Errorf("%q, %v", b.String(), err)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// Write returns the writer's error, for lists shorter and longer than a buffer.
func TestWriteError(t *testing.T) {
	for _, n := range []int{1, 1000} {
		rules := make([]rule.Likely, n)
		for i := range rules {
			rules[i] = substringRule("a", "b", false, false)
		}
		if err := Write(full{}, rules); !errors.Is(err, errFull) {
			t.Errorf("%d rules: error %v, want %v", n, err, errFull)
		}
	}
}
