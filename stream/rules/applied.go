package rules

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"dustbuster/operators/rule/canon"
)

// applied is a list in use. All but its counters is immutable.
type applied struct {
	sites   *canon.Sites
	rules   map[string][]counter // by site, in the order of application
	version func() string
}

// counter counts the URLs that a rule takes part in changing.
type counter struct {
	id string
	n  *atomic.Int64
}

// count counts the rules that change a URL.
func (a *applied) count(url string) {
	var few [8]int
	site, ranks := a.sites.Ranks(few[:0], url)
	for _, rank := range ranks {
		a.rules[site][rank].n.Add(1)
	}
}

// set replaces the list. version is the list's version; "": it is computed.
func (l *Live) set(list *List, version string) error {
	l.mu.Lock()
	told, err := l.told, l.swap(list, version)
	l.mu.Unlock()
	if err == nil && told != nil {
		told(l.Version())
	}
	return err
}

// swap replaces the list. The caller holds mu. Rules that stay keep their counts.
func (l *Live) swap(list *List, version string) error {
	on := list.without(l.off)
	sites, err := on.Compile()
	if err == nil && l.host != "" {
		sites, err = sites.For(l.host)
	}
	if err != nil {
		return err
	}
	counts := map[string]*atomic.Int64{}
	if before := l.now.Load(); before != nil {
		for _, rules := range before.rules {
			for _, c := range rules {
				counts[c.id] = c.n
			}
		}
	}
	next := &applied{sites: sites, rules: make(map[string][]counter, len(on.Sites)), version: sync.OnceValue(list.version)}
	if version != "" {
		next.version = func() string { return version }
	}
	for i := range on.Sites {
		s := &on.Sites[i]
		rules := make([]counter, len(s.Rules))
		for rank := range rules {
			id := s.Records[rank].ID
			if rules[rank] = (counter{id, counts[id]}); counts[id] == nil {
				rules[rank].n = new(atomic.Int64)
			}
		}
		next.rules[s.Name] = rules
	}
	l.list = list
	l.now.Store(next)
	return nil
}

// without returns the list without the rules of some ids. The sites stay, so that no other
// rules apply to their URLs.
func (l *List) without(off map[string]bool) *List {
	if len(off) == 0 {
		return l
	}
	out := *l
	out.Sites = slices.Clone(l.Sites)
	for i := range out.Sites {
		s := &out.Sites[i]
		records, rules := s.Records, s.Rules
		s.Records, s.Rules = nil, nil
		for n := range rules {
			if !off[records[n].ID] {
				s.Records, s.Rules = append(s.Records, records[n]), append(s.Rules, rules[n])
			}
		}
	}
	return &out
}

// version returns a hash of the list's rules in their order.
func (l *List) version() string {
	sum := sha256.New()
	out := json.NewEncoder(sum)
	for i := range l.Sites {
		for n := range l.Sites[i].Records {
			if err := out.Encode(&l.Sites[i].Records[n]); err != nil {
				panic(err) // strings, numbers and booleans can always be encoded
			}
		}
	}
	return fmt.Sprintf("\"%.16x\"", sum.Sum(nil))
}

// Version returns the version of the list in use: the ETag of a daemon's list, or else a hash
// of the rules. It is empty before the first list.
func (l *Live) Version() string {
	now := l.now.Load()
	if now == nil {
		return ""
	}
	return now.version()
}

// OnChange has a function called with the version after each replacement of the list, by the
// goroutine that replaces it. It takes the place of the function of the last call, and may be
// nil.
func (l *Live) OnChange(told func(version string)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = told
}

// Switch turns the rule with an id off or on again, in the present list and in those that
// follow. The other rules stay. They were validated together with the rule, so without it some
// pages may get a form that nobody tried.
func (l *Live) Switch(id string, on bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	was := l.off
	l.off = map[string]bool{id: true}
	maps.Copy(l.off, was)
	if on {
		delete(l.off, id)
	}
	if l.list == nil {
		return nil
	}
	err := l.swap(l.list, l.Version())
	if err != nil {
		l.off = was
	}
	return err
}

// Counts are numbers of URLs since the Live was made.
type Counts struct {
	Asked   int64            // calls of Canonical
	Changed int64            // URLs whose canonical form differs
	Rules   map[string]int64 // by id, of the rules in use: changed URLs that the rule took part in changing
}

// Counts returns the present counts. The count of a rule begins anew when it comes back after
// an absence.
func (l *Live) Counts() Counts {
	c := Counts{Asked: l.asked.Load(), Changed: l.changed.Load(), Rules: map[string]int64{}}
	if now := l.now.Load(); now != nil {
		for _, rules := range now.rules {
			for _, r := range rules {
				c.Rules[r.id] = r.n.Load()
			}
		}
	}
	return c
}
