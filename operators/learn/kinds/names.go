package kinds

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// named is a page with a parameter of a name.
type named struct {
	name    string
	url     uint32
	covered bool // a likely pattern has the name
}

// sortNames sorts by name, and removes what is there twice.
func sortNames(list []named) []named {
	slices.SortFunc(list, func(a, b named) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.url, b.url))
	})
	return slices.Compact(list)
}

func (l *learner) tryPathNames() {
	var list []named
	for _, u := range l.all {
		if l.give() {
			return
		}
		path, _, _ := strings.Cut(l.pages[u].URL, "?")
		if strings.IndexByte(path, ';') < 0 {
			continue
		}
		for from, to := range rule.PathPieces([]byte(path)) {
			if name, _, _ := strings.Cut(path[from:to], "="); name != "" {
				list = append(list, named{name: name, url: u})
			}
		}
	}
	list = sortNames(list)
	for from := 0; from < len(list); {
		to := from
		var urls []uint32
		for ; to < len(list) && list[to].name == list[from].name; to++ {
			urls = append(urls, list[to].url)
		}
		l.try(rule.Rule{Edit: rule.Drop{Param: list[from].name, InPath: true}}, urls)
		from = to
	}
}

// Limits of patterns.
const (
	maxPrefix     = 8  // bytes
	leastNames    = 20 // different names of a pattern in the list
	leastOfDigits = 4  // the shortest end of a name that any class matches
)

// tryPatterns tries to drop the patterns of a class, from short prefixes to long ones.
func (l *learner) tryPatterns(class rule.Class) {
	list := l.patternNames()
	for length := range maxPrefix + 1 {
		for from := 0; from < len(list) && !l.halted; {
			to := from + 1
			for to < len(list) && samePrefix(list[from].name, list[to].name, length) {
				to++
			}
			if len(list[from].name) >= length {
				l.tryPattern(rule.Pattern{Prefix: list[from].name[:length], Class: class}, list[from:to])
			}
			from = to
		}
	}
}

func samePrefix(a, b string, bytes int) bool {
	return len(a) >= bytes && len(b) >= bytes && a[:bytes] == b[:bytes]
}

// tryPattern tries to drop a pattern. The names are all names of the list with the
// pattern's prefix.
func (l *learner) tryPattern(p rule.Pattern, list []named) {
	if len(list) < leastNames {
		return
	}
	var urls []uint32
	var matching []int
	names, covered := 0, true
	for i := range list {
		if l.give() {
			return
		}
		n := &list[i]
		if p.Matches([]byte(n.name)) {
			if len(matching) == 0 || list[matching[len(matching)-1]].name != n.name {
				names++
			}
			matching, urls = append(matching, i), append(urls, n.url)
			covered = covered && n.covered
		}
	}
	if names < leastNames || covered {
		return
	}
	slices.Sort(urls)
	if l.try(rule.Rule{Edit: rule.Drop{Pattern: p}}, slices.Compact(urls)) {
		for _, i := range matching {
			list[i].covered = true
		}
	}
}

// patternNames returns the names in queries that a pattern may match.
func (l *learner) patternNames() (list []named) {
	for _, u := range l.all {
		if l.give() {
			return nil
		}
		url := l.pages[u].URL
		l.url = append(l.url[:0], url...)
		for from, to := range rule.Query(l.url) {
			if name, _, _ := strings.Cut(url[from:to], "="); endsInDigits(name) {
				list = append(list, named{name: name, url: u})
			}
		}
	}
	return sortNames(list)
}

// endsInDigits reports whether a name ends in as many hexadecimal digits as each pattern
// needs.
func endsInDigits(name string) bool {
	if len(name) < leastOfDigits {
		return false
	}
	for _, c := range []byte(name[len(name)-leastOfDigits:]) {
		if (c < '0' || '9' < c) && (c < 'a' || 'f' < c) && (c < 'A' || 'F' < c) {
			return false
		}
	}
	return true
}
