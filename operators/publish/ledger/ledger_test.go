package ledger

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"dustbuster/operators/rule"
)

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		text string
		want Key
	}{
		{"owner", Key{Kind: Claim}}, {"fetch", Key{Kind: Fetch}}, {"/set", Key{Kind: Set}}, {"www.example.org/set", Key{Kind: Set, Site: "www.example.org"}},
		{"/rule/1f", Key{Rule, "", "1f"}}, {"a%2Fb%25/verdict/1f", Key{Verdict, "a/b%", "1f"}}, {"a/state/learnt", Key{State, "a", "learnt"}}, {"owner/set", Key{Kind: Set, Site: "owner"}},
	} {
		if k, err := ParseKey(c.text); err != nil || k != c.want || k.String() != c.text {
			t.Errorf("%q: %+v, %v, %q", c.text, k, err, k.String())
		}
	}
	for _, text := range []string{"", "set", "a", "a/", "a/rule", "a/rule/", "a/rule/1/2", "a/owner", "a/fetch/1", "a/set/x", "a%2/set", "a%2f/set", "a%/rule/1", strings.Repeat("a", maxKey) + "/set"} {
		if k, err := ParseKey(text); err == nil {
			t.Errorf("%q: %+v", text, k)
		}
	}
}

func TestTuples(t *testing.T) {
	inOrder := []Tuple{{}, {0, 0, 1}, {0, 1, 0}, {0, 9, 9}, {1, 0, 0}, {1, 0, 1}}
	for i, a := range inOrder {
		for j, b := range inOrder {
			if got, want := a.Compare(b), min(max(i-j, -1), 1); got != want {
				t.Errorf("%v and %v: %d", a, b, got)
			}
		}
		names := map[string][]byte{}
		a.Headers(func(name string, value []byte) { names[name] = value })
		if back, err := ReadTuple(func(name string) []byte { return names[name] }); err != nil || back != a || len(names) != 3 {
			t.Errorf("%v: %v, %v, %q", a, back, err, names)
		}
		text, _ := json.Marshal(a)
		var back Tuple
		if err := json.Unmarshal(text, &back); err != nil || back != a {
			t.Errorf("%v: %s, %v, %v", a, text, back, err)
		}
	}
	for _, bad := range []string{"", "-1", "+1", "1.0", "9223372036854775808", "x", " 1", strings.Repeat("9", 1000)} {
		if _, err := ReadTuple(func(string) []byte { return []byte(bad) }); err == nil {
			t.Errorf("a header %q is taken", bad)
		}
	}
	for _, bad := range []string{`[]`, `[1,2]`, `[1,2,3,4]`, `[1,2,-3]`, `{}`, `[1,2,9223372036854775808]`, `["1",2,3]`} {
		var tuple Tuple
		if json.Unmarshal([]byte(bad), &tuple) == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// testRules are the rules of the site s.
var testRules = [...]rule.Rule{{Edit: rule.Drop{Param: "a"}}, {Edit: rule.Drop{Param: "b"}}}

// published returns the log of an owner that published testRules.
func published() []Record {
	log := []Record{{"owner", []byte(`{"schema":2,"member":"m"}`), Tuple{0, 1, 0}}}
	m := Marker{Schema: 1, Site: "s", Sequence: 1, At: 1001}
	for i, r := range testRules {
		id, at := rule.ID("s", &r), Tuple{0, 1, int64(i + 1)}
		log = append(log, Record{"s/rule/" + id, text(rule.Record{Schema: rule.Schema, Site: "s", ID: id, Wire: *rule.NewWire(&r), Rank: i + 1, State: rule.Valid}), at})
		m.Rules = append(m.Rules, Named{id, at})
	}
	return append(log, Record{"s/set", text(m), Tuple{0, 1, 9}})
}

func text(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// A malformed record or set is reported and skipped. The held records and sets stay.
func TestBadRecords(t *testing.T) {
	good := published()
	id := rule.ID("s", &testRules[0])
	later := func(n int64) Tuple { return Tuple{99, 1, n} }
	rule := func(change string, to string) []byte {
		for _, r := range good {
			if r.Key == "s/rule/"+id {
				return []byte(strings.Replace(string(r.Value), change, to, 1))
			}
		}
		panic("no rule")
	}
	marker := func(text string) Record { return Record{"s/set", []byte(text), later(9)} }
	named := fmt.Sprintf(`{"schema":1,"site":"s","sequence":2,"at":5,"rules":[{"id":%q,"at":[99,1,1]}]}`, id)
	for _, c := range []struct {
		name    string
		records []Record
		want    string // part of the error; "" if no error is possible, since nothing is known to be wrong
	}{
		{"no key of ours", []Record{{"x", []byte("{}"), later(1)}}, "no such keys"},
		{"a value that is large", []Record{{"s/set", make([]byte, MaxValue+1), later(1)}}, "bytes"},
		{"a marker of no JSON", []Record{marker("{")}, "s/set"},
		{"a marker to come", []Record{marker(`{"schema":2,"site":"s","rules":[]}`)}, "take a newer one"},
		{"a marker without", []Record{marker(`{"site":"s","rules":[]}`)}, "schema 0"},
		{"another site's marker", []Record{marker(`{"schema":1,"site":"t","rules":[]}`)}, `site "t"`},
		{"a marker's bad tuple", []Record{marker(`{"schema":1,"site":"s","rules":[{"id":"1","at":[1]}]}`)}, "want [epoch"},
		{"a rule that is missing", []Record{marker(`{"schema":1,"site":"s","rules":[{"id":"1","at":[1,1,1]}]}`)}, ""},
		{"a rule of no JSON", []Record{{"s/rule/" + id, []byte("]"), later(1)}, marker(named)}, id},
		{"a rule to come", []Record{{"s/rule/" + id, rule(`"schema":2`, `"schema":7`), later(1)}, marker(named)}, "use a newer version"},
		{"a rule that is not", []Record{{"s/rule/" + id, rule(`"params":["a"]`, `"params":[]`), later(1)}, marker(named)}, "a list in it is empty"},
		{"another rule's", []Record{{"s/rule/" + id, rule(id, "00"), later(1)}, marker(named)}, `it is "00"`},
		{"another site's", []Record{{"s/rule/" + id, rule(`"site":"s"`, `"site":"t"`), later(1)}, marker(named)}, `of "t"`},
		{"a rule that is refuted", []Record{{"s/rule/" + id, rule(`"valid"`, `"refuted"`), later(1)}, marker(named)}, "refuted"},
	} {
		var s Sets
		for _, r := range good {
			if _, _, err := s.Apply(r); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		for _, r := range c.records {
			_, changed, e := s.Apply(r)
			if err = e; changed {
				t.Errorf("%s: the set has changed", c.name)
			}
		}
		if fmt.Sprint(err) == "<nil>" != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if set := s.Of("s"); set == nil || len(set.Records) != 2 {
			t.Errorf("%s: holds %v", c.name, set)
		}
	}
}

// A set with a rule that this version does not know takes the place of the site's set, and
// has no rules.
func TestUnknownRule(t *testing.T) {
	var s Sets
	for _, r := range published() {
		r.Value = []byte(strings.Replace(string(r.Value), `"op":"drop"`, `"op":"burn"`, 1))
		if _, _, err := s.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
	set := s.Of("s")
	if set == nil || len(set.Records) != len(testRules) || set.Unknown == nil || !strings.Contains(set.Unknown.Error(), "burn") {
		t.Errorf("holds %+v", set)
	}
}

// A set with a rule that is not valid does not count, though another rule is unknown.
func TestUnknownBesideInvalid(t *testing.T) {
	var s Sets
	for i, r := range published() {
		change := [...]string{1: `"op":"burn"`, 2: `"op":"drop","value":5`}[min(i, 2)]
		r.Value = []byte(strings.Replace(string(r.Value), `"op":"drop"`, change, 1))
		if _, changed, err := s.Apply(r); changed || (err != nil) != (r.Key == "s/set") {
			t.Errorf("%s: changed %v, error %v", r.Key, changed, err)
		}
	}
}

// A marker without a value ends the set of its site.
func TestSiteIsGone(t *testing.T) {
	var s Sets
	for _, r := range append(published(), Record{"s/set", nil, Tuple{5, 1, 1}}) {
		if _, _, err := s.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
	if set := s.Of("s"); set == nil || len(set.Records) != 0 {
		t.Errorf("holds %v", set)
	}
}

func TestRoom(t *testing.T) {
	s := Sets{Most: 2000}
	var last error
	for i := range 100 {
		value := make([]byte, 100)
		if i > 50 {
			value = nil // a key without a value takes room as well
		}
		_, _, err := s.Apply(Record{fmt.Sprintf("s/rule/%d", i), value, Tuple{1, 1, int64(i)}})
		if err != nil {
			last = err
		}
	}
	if _, bytes := s.l.Size(); bytes > 2000 || last == nil || !strings.Contains(last.Error(), "memory") {
		t.Errorf("holds %d bytes, %v", bytes, last)
	}
}

func FuzzApply(f *testing.F) {
	f.Add("s/set", []byte(`{"schema":1,"site":"s","sequence":1,"at":1,"rules":[]}`), int64(1))
	f.Add("s/rule/1", []byte(`{"schema":2}`), int64(2))
	f.Add("owner", []byte(`{}`), int64(0))
	f.Fuzz(func(_ *testing.T, key string, value []byte, n int64) {
		var s Sets
		for _, r := range []Record{{key, value, Tuple{0, 0, n & 7}}, {key, nil, Tuple{1, 0, 1}}, {key, value, Tuple{1, 0, n & 3}}} {
			_, _, _ = s.Apply(r)
		}
	})
}
