package rule_test

import (
	"slices"
	"testing"

	"dustbuster/operators/rule"
)

// A mark tells a rule from the same rule with other exceptions, and from another rule under its id.
func TestMarks(t *testing.T) {
	const site = "www.example.org"
	bare := rule.Rule{Edit: rule.Drop{Param: "sid"}}
	but := func(urls ...string) rule.Rule {
		r := bare
		var err error
		if r.Except, err = rule.NewExcept(nil, urls); err != nil {
			t.Fatal(err)
		}
		return r
	}
	other, some, more := rule.Rule{Edit: rule.Drop{Param: "ref"}}, but("/b", "/a"), but("/a", "/b", "/c")
	id := rule.ID(site, &bare)
	record := func(id string, r *rule.Rule) rule.Record {
		return rule.Record{Site: site, ID: id, Wire: *rule.NewWire(r), State: rule.Valid}
	}
	file := []string{rule.Mark(site, id, &bare)}
	if file[0] != id || rule.Unmark(id) != id {
		t.Errorf("%s has the mark %s", id, file[0])
	}
	excepted := rule.Mark(site, id, &some)
	if again := but("/a", "/b"); excepted != rule.Mark(site, id, &again) || excepted == id || rule.Unmark(excepted) != id {
		t.Errorf("with exceptions: %s", excepted)
	}
	for _, c := range []struct {
		name             string
		now              []rule.Record
		file             []string
		retired, changed []string
	}{
		{"the same", []rule.Record{record(id, &bare)}, file, nil, nil},
		{"the same exceptions", []rule.Record{record(id, &some)}, []string{excepted}, nil, nil},
		{"further rules", []rule.Record{record(rule.ID(site, &other), &other), record(id, &bare)}, file, nil, nil},
		{"retired", []rule.Record{record(rule.ID(site, &other), &other)}, file, []string{id}, nil},
		{"nothing is published", nil, []string{excepted}, []string{id}, nil},
		{"a first exception", []rule.Record{record(id, &some)}, file, nil, []string{id}},
		{"one more exception", []rule.Record{record(id, &more)}, []string{excepted}, nil, []string{id}},
		{"no exception any more", []rule.Record{record(id, &bare)}, []string{excepted}, nil, []string{id}},
		{"another rule under the id", []rule.Record{record(id, &other)}, file, nil, []string{id}},
	} {
		retired, changed := rule.MarksOf(c.now).Outdated(c.file)
		if !slices.Equal(retired, c.retired) || !slices.Equal(changed, c.changed) {
			t.Errorf("%s: retired %v, changed %v", c.name, retired, changed)
		}
	}
}
