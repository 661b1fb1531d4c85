package canon

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"dustbuster/operators/rule"
)

// conformanceSites returns the sites of the list of a case, and false if it is refused. Sites
// with a rule that is unknown have no rules. Which lists are refused is tested by package
// stream/rules.
func conformanceSites(lines []json.RawMessage) (list []Site, ok bool) {
	slices.SortStableFunc(lines, func(a, b json.RawMessage) int { return cmp.Compare(rank(a), rank(b)) })
	without := map[string]bool{}
	for _, line := range lines {
		record, err := rule.ReadRecord(line)
		r, bad := record.Rule()
		var unknown *rule.UnknownError
		switch isUnknown := errors.As(errors.Join(err, bad), &unknown); {
		case record.State != rule.Valid:
			continue
		case isUnknown:
			without[record.Site] = true
		case err != nil || bad != nil:
			return nil, false
		}
		at := slices.IndexFunc(list, func(s Site) bool { return s.Name == record.Site })
		if at < 0 {
			at, list = len(list), append(list, Site{Name: record.Site, ByDomain: record.ByDomain, Hosts: record.Hosts})
		}
		list[at].Rules = append(list[at].Rules, r)
	}
	for i := range list {
		if without[list[i].Name] {
			list[i].Rules = nil
		}
	}
	return list, true
}

func rank(line json.RawMessage) int {
	var r struct{ Rank int }
	_ = json.Unmarshal(line, &r) // a list that is refused
	return r.Rank
}

// naiveCanonical is Canonical with the plain loop in place of the canonizers.
func naiveCanonical(s *Sites, list []Site, url string) string {
	a, ok := s.parse(url)
	if !ok {
		return url
	}
	c, several := s.find(a.Host)
	if c == nil || c.Len() == 0 {
		return url
	}
	prefix := ""
	if several {
		prefix = a.Host
	}
	text, ok := a.Mined([]byte(prefix), rule.MaxBytes)
	if !ok {
		return url
	}
	at := slices.IndexFunc(list, func(site Site) bool { return slices.Equal(site.Rules, c.rules) })
	out, _ := naiveCanon(list[at].Rules, string(text))
	if origin, path, ok := s.resolve(&a, []byte(out), prefix); ok {
		return origin + string(path) + kept(url)
	}
	return a.Origin + string(text[len(prefix):]) + kept(url)
}

// kept returns the fragment of a URL that stays.
func kept(url string) string {
	return regexp.MustCompile(`(?s)^[^#]*(#[!/].*)?`).FindStringSubmatch(url)[1]
}

// Every case of docs/conformance, by the canonizers and by the plain loop.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob("../../../docs/conformance/[bc]*.jsonl") // lists.jsonl holds lists that readers refuse in part
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	tried := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		must(t, err)
		for line := range bytes.Lines(data) {
			var c struct {
				Case, Host, URL, Canonical string
				Rules                      []json.RawMessage
				Refused                    bool
			}
			must(t, json.Unmarshal(line, &c))
			list, ok := conformanceSites(c.Rules)
			if c.Refused || !ok {
				if !c.Refused {
					t.Errorf("%s: the list is refused", c.Case)
				}
				continue
			}
			s := sites(t, list...)
			if c.Host != "" {
				s, err = s.For(c.Host)
				must(t, err)
			}
			tried++
			if got, _ := s.Canonical(c.URL); got != c.Canonical {
				t.Errorf("%s: the canonizer makes %s, want %s", c.Case, got, c.Canonical)
			}
			if got := naiveCanonical(s, list, c.URL); got != c.Canonical {
				t.Errorf("%s: the plain loop makes %s, want %s", c.Case, got, c.Canonical)
			}
		}
	}
	if tried < 1000 {
		t.Errorf("%d cases", tried)
	}
}
