package event

import (
	"bytes"
	"strings"
	"testing"

	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
)

const (
	site = "www.example.org"
	pane = 1767362400 // 2026-01-02T14:00:00Z
)

func pair(support int) rule.Likely {
	return rule.Likely{Site: site, Rule: rule.Rule{Edit: rule.Substring{From: "/story?id=", To: "/story_", AtStart: true}}, Support: support, SupportHigh: support + 1}
}

func drop(support int) rule.Likely {
	return rule.Likely{Site: site, Support: support, Comparable: 9,
		Rule: rule.Rule{Edit: rule.Drop{Param: "sid"}, Scope: rule.Scope{HasPath: true, Path: "/a&b", Where: rule.With("m")}}}
}

// The lines are a contract: names, order and form of all members, and the ids.
func TestAppend(t *testing.T) {
	for _, c := range []struct {
		event Event
		want  string
	}{
		{Event{Kind: Likely, Site: site, Pane: pane, Rule: pair(3)},
			`{"schema":2,"event":"likely","id":"IDIDIDID","pane":"2026-01-02T14:00:00Z","site":"www.example.org","kind":"substring","alpha":"/story?id=","beta":"/story_","at_start":true,"at_end":false,"scope":{},"support":3,"support_high":4}`},
		{Event{Kind: Faded, Site: site, Rule: drop(2)},
			`{"schema":2,"event":"faded","id":"IDIDIDID","pane":null,"site":"www.example.org","kind":"parameter","op":"drop","params":["sid"],"scope":{"path":"/a&b","where":[{"param":"m"}]},"support":2,"comparable":9}`},
		{Event{Kind: Snapshot, Site: site, Pane: pane, Rules: []rule.Likely{drop(8), pair(3)}},
			`{"schema":2,"event":"snapshot","id":"IDIDIDID","pane":"2026-01-02T14:00:00Z","site":"www.example.org","rules":[{"schema":2,"site":"www.example.org","kind":"parameter","op":"drop","params":["sid"],"scope":{"path":"/a&b","where":[{"param":"m"}]},"support":8,"comparable":9},{"schema":2,"site":"www.example.org","kind":"substring","alpha":"/story?id=","beta":"/story_","at_start":true,"at_end":false,"scope":{},"support":3,"support_high":4}]}`},
		{Event{Kind: Snapshot, Pane: pane},
			`{"schema":2,"event":"snapshot","id":"IDIDIDID","pane":"2026-01-02T14:00:00Z","site":"","rules":[]}`},
	} {
		got, err := Append([]byte("before\n"), &c.event)
		want := "before\n" + strings.Replace(c.want, "IDIDIDID", c.event.ID(), 1) + "\n"
		if err != nil || string(got) != want {
			t.Errorf("%v\ngot  %swant %s", err, got, want)
		}
	}
}

// Readers compare ids with ids from older versions.
func TestIDIsStable(t *testing.T) {
	for _, c := range []struct {
		event Event
		want  string
	}{
		{Event{Kind: Likely, Site: site, Pane: pane, Rule: pair(3)}, "59a4612d542cc79fb4dba39f36c4076e"},
		{Event{Kind: Faded, Site: site, Pane: pane, Rule: drop(2)}, "c43a1af474479924348518bf3aab37d8"},
		{Event{Kind: Snapshot, Site: site, Pane: pane, Rules: []rule.Likely{drop(8), pair(3)}}, "36f3ed305546d855174f292630a9c85f"},
	} {
		if got := c.event.ID(); got != c.want {
			t.Errorf("%s: id %s, want %s", c.event.Kind, got, c.want)
		}
	}
}

// The id depends on all its inputs and on nothing else.
func TestIDTellsApart(t *testing.T) {
	base := func() Event { return Event{Kind: Likely, Site: site, Pane: pane, Rule: pair(3)} }
	same := base()
	same.Rule.SupportHigh = 100
	if first := base(); same.ID() != first.ID() {
		t.Error("support_high changes the id")
	}
	edit := func(change func(s *rule.Substring)) func(e *Event) {
		return func(e *Event) {
			s := e.Rule.Rule.Sides()
			change(&s)
			e.Rule.Rule.Edit = s
		}
	}
	seen := map[string]string{}
	for _, c := range []struct {
		name   string
		change func(e *Event)
	}{
		{"nothing", func(*Event) {}},
		{"kind", func(e *Event) { e.Kind = Faded }},
		{"site", func(e *Event) { e.Site = "example.org" }},
		{"pane", func(e *Event) { e.Pane++ }},
		{"support", func(e *Event) { e.Rule.Support++ }},
		{"anchor", edit(func(s *rule.Substring) { s.AtEnd = true })},
		{"the anchor", edit(func(s *rule.Substring) { s.AtStart, s.AtEnd = false, true })},
		{"border", edit(func(s *rule.Substring) { s.From, s.To = "/story?id", "=/story_" })},
		{"drop", func(e *Event) { e.Rule = drop(3) }},
		{"empty value", func(e *Event) { e.Rule = drop(3); e.Rule.Rule.Scope.Where[0].HasValue = true }},
		{"empty path", func(e *Event) { e.Rule = drop(3); e.Rule.Rule.Scope.Path = "" }},
		{"no path", func(e *Event) { e.Rule = drop(3); e.Rule.Rule.Scope.Path, e.Rule.Rule.Scope.HasPath = "", false }},
		{"snapshot", func(e *Event) { e.Kind = Snapshot }},
		{"of one", func(e *Event) { e.Kind = Snapshot; e.Rules = []rule.Likely{pair(3)} }},
		{"of two", func(e *Event) { e.Kind = Snapshot; e.Rules = []rule.Likely{pair(3), drop(3)} }},
	} {
		e := base()
		c.change(&e)
		if other, taken := seen[e.ID()]; taken {
			t.Errorf("%s and %s have one id", c.name, other)
		}
		seen[e.ID()] = c.name
	}
}

// From the member site on, a line equals the rule's own JSON, byte for byte.
func TestRuleIsAsInList(t *testing.T) {
	for _, r := range []rule.Likely{pair(3), drop(4)} {
		var list bytes.Buffer
		if err := jsonl.Write(&list, []rule.Likely{r}); err != nil {
			t.Fatal(err)
		}
		line, err := Append(nil, &Event{Kind: Likely, Site: site, Pane: pane, Rule: r})
		_, rest, _ := bytes.Cut(list.Bytes(), []byte(",")) // behind the schema
		if err != nil || !bytes.HasSuffix(line, rest) {
			t.Errorf("%v\nline %s rule %s", err, line, list.Bytes())
		}
	}
}
