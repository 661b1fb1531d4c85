package ledger

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"dustbuster/operators/lifecycle"
	"dustbuster/operators/rule"
)

func TestKeys(t *testing.T) {
	for text, want := range map[string]Key{
		"owner": {Kind: Claim}, "fetch": {Kind: Fetch}, "/set": {Kind: Set}, "www.example.org/set": {Kind: Set, Site: "www.example.org"},
		"/rule/1f": {Rule, "", "1f"}, "a%2Fb%25/verdict/1f": {Verdict, "a/b%", "1f"}, "a/state/learnt": {State, "a", "learnt"}, "owner/set": {Kind: Set, Site: "owner"},
	} {
		if k, err := ParseKey(text); err != nil || k != want || k.String() != text {
			t.Errorf("%q: %+v, %v, %q", text, k, err, k.String())
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

// publishedBy returns the log of an owner with one publication.
func publishedBy(t *testing.T, which int) []Record {
	o := &Owner{}
	claim := o.Claim("m", 1, 0)
	if err := o.Read(0, claim); err != nil || !o.Sure() {
		t.Fatal(err)
	}
	log := []Record{claim}
	for _, b := range o.Write([]Act{{Site: "s", Act: lifecycle.Act{Publication: publicationOf("s", 1, which, 0)}}}, nil) {
		log = append(log, b...)
	}
	return log
}

// A malformed record or set is reported and skipped. The held records and sets stay.
func TestBadRecords(t *testing.T) {
	good := publishedBy(t, 3)
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
	for name, c := range map[string]struct {
		records []Record
		want    string // part of the error; "" if no error is possible, since nothing is known to be wrong
	}{
		"no key of ours":         {[]Record{{"x", []byte("{}"), later(1)}}, "none of this topic's"},
		"a value that is large":  {[]Record{{"s/set", make([]byte, maxValue+1), later(1)}}, "bytes"},
		"a marker of no JSON":    {[]Record{marker("{")}, "s/set"},
		"a marker to come":       {[]Record{marker(`{"schema":2,"site":"s","rules":[]}`)}, "take a newer one"},
		"a marker without":       {[]Record{marker(`{"site":"s","rules":[]}`)}, "schema 0"},
		"another site's marker":  {[]Record{marker(`{"schema":1,"site":"t","rules":[]}`)}, `site "t"`},
		"a marker's bad tuple":   {[]Record{marker(`{"schema":1,"site":"s","rules":[{"id":"1","at":[1]}]}`)}, "want [epoch"},
		"a rule that is missing": {[]Record{marker(`{"schema":1,"site":"s","rules":[{"id":"1","at":[1,1,1]}]}`)}, ""},
		"a rule of no JSON":      {[]Record{{"s/rule/" + id, []byte("]"), later(1)}, marker(named)}, id},
		"a rule to come":         {[]Record{{"s/rule/" + id, rule(`"schema":1`, `"schema":7`), later(1)}, marker(named)}, "take a newer one"},
		"a rule that is not":     {[]Record{{"s/rule/" + id, rule(`"op":"drop"`, `"op":"burn"`), later(1)}, marker(named)}, "burn"},
		"another rule's":         {[]Record{{"s/rule/" + id, rule(id, "00"), later(1)}, marker(named)}, `it is "00"`},
		"another site's":         {[]Record{{"s/rule/" + id, rule(`"site":"s"`, `"site":"t"`), later(1)}, marker(named)}, `of "t"`},
		"a rule that is refuted": {[]Record{{"s/rule/" + id, rule(`"valid"`, `"refuted"`), later(1)}, marker(named)}, "refuted"},
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
				t.Errorf("%s: the set has changed", name)
			}
		}
		if fmt.Sprint(err) == "<nil>" != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if set := s.Of("s"); set == nil || len(set.Records) != 2 {
			t.Errorf("%s: holds %v", name, set)
		}
	}
}

// A site's marker without a value ends the site's set.
func TestSiteIsGone(t *testing.T) {
	var s Sets
	for _, r := range append(publishedBy(t, 3), Record{"s/set", nil, Tuple{5, 1, 1}}) {
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
	if _, bytes := s.l.Size(); bytes > 2000 || last == nil || !strings.Contains(last.Error(), "room") {
		t.Errorf("holds %d bytes, %v", bytes, last)
	}
}

// Rules that a publication does not change are not written again. The marker names them
// with their old tuples.
func TestOnlyWhatChanges(t *testing.T) {
	o := &Owner{}
	if err := o.Read(0, o.Claim("m", 1, 0)); err != nil {
		t.Fatal(err)
	}
	write := func(p *lifecycle.Publication) (keys []string) {
		for _, b := range o.Write([]Act{{Site: "s", Act: lifecycle.Act{Publication: p}}}, nil) {
			for _, r := range b {
				k, _ := ParseKey(r.Key)
				text := kindNames[k.Kind]
				if r.Value == nil {
					text += " gone"
				}
				keys = append(keys, text)
			}
		}
		return keys
	}
	for _, c := range []struct {
		p    *lifecycle.Publication
		want string
	}{
		{publicationOf("s", 1, 1, 0), "[state rule state set]"}, // with the round begun by the first publication
		{publicationOf("s", 1, 1, 0), "[]"},
		{publicationOf("s", 2, 3, 0), "[rule state set]"},
		{publicationOf("s", 3, 2, 0), "[rule gone state set]"},
		{publicationOf("s", 4, 2, 5), "[rule state set]"},
		{publicationOf("s", 5, 0, 0), "[rule gone state set]"},
	} {
		if got := fmt.Sprint(write(c.p)); got != c.want {
			t.Errorf("publication %d: %s, want %s", c.p.Sequence, got, c.want)
		}
	}
}

// Verdicts and states written by a newer program are reported and skipped. The newer
// program's published set stays as it is.
func TestStatesToCome(t *testing.T) {
	o := &Owner{}
	for i, r := range publishedBy(t, 3) {
		if strings.Contains(r.Key, "/state/") {
			r.Value = []byte(`{"v":2}`)
		}
		if strings.HasSuffix(r.Key, "/set") {
			r.Value = []byte(strings.Replace(string(r.Value), `"schema":1`, `"schema":2`, 1))
		}
		if err := o.Read(int64(i), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Read(9, o.Claim("n", 2, 9)); err != nil {
		t.Fatal(err)
	}
	if b := o.Mend(); len(b) > 0 {
		t.Errorf("writes %v", b)
	}
	bad := 0
	o.Acts(func(error) { bad++ }, func(a Act) bool { t.Errorf("restores %+v", a); return true })
	if bad != 2 {
		t.Errorf("%d bad values", bad)
	}
}

func FuzzApply(f *testing.F) {
	f.Add("s/set", []byte(`{"schema":1,"site":"s","sequence":1,"at":1,"rules":[]}`), int64(1))
	f.Add("s/rule/1", []byte(`{"schema":1}`), int64(2))
	f.Add("s/state/publication", []byte(`{"v":1,"publication":{"sequence":3,"records":[{}]}}`), int64(3))
	f.Add("owner", []byte(`{}`), int64(0))
	f.Fuzz(func(_ *testing.T, key string, value []byte, n int64) {
		var s Sets
		o := &Owner{}
		for _, r := range []Record{{key, value, Tuple{0, 0, n & 7}}, {key, nil, Tuple{1, 0, 1}}, {key, value, Tuple{1, 0, n & 3}}} {
			_, _, _ = s.Apply(r)
			_ = o.Read(n&7, r)
		}
		_ = o.Read(10, o.Claim("m", 1, 10))
		_ = o.Read(11, Record{key, value, Tuple{n & 15, 1, 1}})
		o.Mend()
		o.Acts(func(error) {}, func(Act) bool { return true })
	})
}

// If the owner's own record of the publication is missing, the publication is derived from
// the marker and the rules.
func TestPublicationOfMarker(t *testing.T) {
	first, next, offset := &Owner{}, &Owner{}, int64(0)
	read := func(o *Owner, r Record) {
		if err := o.Read(offset, r); err != nil {
			t.Fatal(err)
		}
		offset++
	}
	read(first, first.Claim("first", 1, 0))
	want := publicationOf("a.example", 3, 3, 7)
	for _, b := range first.Write([]Act{{Site: "a.example", Act: lifecycle.Act{Publication: want}}}, nil) {
		for _, r := range b {
			if k, err := ParseKey(r.Key); err != nil || k.Kind != State {
				read(next, r)
			}
		}
	}
	got, known := next.publication("a.example")
	if !known || got.Sequence != want.Sequence || got.At != want.At || got.Sample != want.Sample || contentOf(got.Records) != contentOf(want.Records) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
