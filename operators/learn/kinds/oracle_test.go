package kinds

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"dustbuster/internal/oracle"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// This file computes the definitions of the package comment over strings and maps.

// plain returns the likely rules of the pages, as lines of JSON.
func plain(o Options, pages []evidence.Page) (lines []string) {
	if o.MinSupport == 0 {
		o.MinSupport = 3
	}
	urls := map[string]evidence.Spans{}
	known := map[string]evidence.Spans{}
	for _, p := range pages {
		urls[p.URL] = p.Evidence
		if oracle.Known(o.Similarity, p.Evidence) {
			known[p.URL] = p.Evidence
		}
	}
	var likely []rule.Likely
	for r, grouped := range candidates(urls) {
		n := rule.Likely{Rule: r, Learner: "kinds"}
		for _, p := range pairs(&r, grouped, known) {
			e, f := known[p[0]], known[p[1]]
			if oracle.Comparable(o.Similarity, e, f) {
				n.Comparable++
				if o.Similarity.Similar(e, f) {
					n.Support++
				}
			}
		}
		rests := map[string]bool{}
		for _, p := range pairs(&r, grouped, known) {
			if made, _ := r.Apply(nil, []byte(p[0])); oracle.Comparable(o.Similarity, known[p[0]], known[p[1]]) && o.Similarity.Similar(known[p[0]], known[p[1]]) {
				rests[string(made)] = true
			}
		}
		if r.Kind() == rule.KindSegment && len(rests) < o.MinSupport {
			continue
		}
		if n.Support >= o.MinSupport && 5*n.Support >= 4*n.Comparable {
			likely = append(likely, n)
		}
	}
	all := names(urls)
	listed := slices.DeleteFunc(slices.Clone(likely), func(r rule.Likely) bool {
		return r.Rule.Kind() == rule.KindDrop && narrow(r.Rule.Params().Pattern, likely, all)
	})
	for _, n := range listed {
		text, _ := json.Marshal(n.Wire())
		lines = append(lines, string(text))
	}
	support := func(line string) int {
		var l struct{ Support int }
		_ = json.Unmarshal([]byte(line), &l)
		return l.Support
	}
	slices.Sort(lines)
	slices.SortStableFunc(lines, func(a, b string) int { return support(b) - support(a) })
	return lines
}

// candidates returns the rules to count, and whether pages of one edited URL are pairs.
func candidates(urls map[string]evidence.Spans) map[rule.Rule]bool {
	all := map[rule.Rule]bool{{Edit: rule.Order{}}: true}
	for _, f := range []rule.Form{rule.Slashes, rule.EmptyQuery, rule.EmptyValue, rule.Escapes, rule.Case} {
		all[rule.Rule{Edit: rule.Syntax{Form: f}}] = false
	}
	for url := range urls {
		path, _, _ := strings.Cut(url, "?")
		for _, segment := range strings.Split(path, "/")[1:] {
			for _, piece := range strings.Split(segment, ";")[1:] {
				if name, _, _ := strings.Cut(piece, "="); name != "" {
					all[rule.Rule{Edit: rule.Drop{Param: name, InPath: true}}] = true
				}
			}
		}
	}
	maps.Copy(all, segments(urls))
	names := names(urls)
	counts := map[rule.Pattern]int{}
	for name := range names {
		for n := range min(len(name), 8) + 1 {
			for class, matches := range ends {
				if matches(name[n:]) {
					counts[rule.Pattern{Prefix: name[:n], Class: class}]++
				}
			}
		}
	}
	for p, n := range counts {
		if n >= 20 {
			all[rule.Rule{Edit: rule.Drop{Pattern: p}}] = true
		}
	}
	return all
}

// noValue matches what does not count among the values of a segment.
var noValue = map[rule.Class]*regexp.Regexp{
	rule.Digits: regexp.MustCompile("^(19|20)(..|....|......)$"),
	rule.Hex:    regexp.MustCompile("^[0-9]*$"),
}

// segments returns the rules that cut segments.
func segments(urls map[string]evidence.Spans) map[rule.Rule]bool {
	values := map[rule.Rule]map[string]bool{}
	for url := range urls {
		path, _, _ := strings.Cut(url, "?")
		all := strings.Split(path, "/")[1:]
		for i := 0; i+1 < len(all); i++ {
			for class, matches := range ends {
				if !matches(all[i]) || all[i+1] == "" || noValue[class].MatchString(all[i]) {
					continue
				}
				for kept := max(0, i-1); kept <= i; kept++ {
					before := func(n int) string { return strings.Join(append(append([]string{""}, all[:n]...), ""), "/") }
					r := rule.Rule{Edit: rule.Segment{After: before(i), To: before(kept), Class: class}}
					if values[r] == nil {
						values[r] = map[string]bool{}
					}
					values[r][all[i]] = true
				}
			}
		}
	}
	rules := map[rule.Rule]bool{}
	for r, of := range values {
		if len(of) >= 10 {
			rules[r] = true
		}
	}
	return rules
}

// names are all names of parameters in queries.
func names(urls map[string]evidence.Spans) map[string]bool {
	all := map[string]bool{}
	for url := range urls {
		for _, q := range oracle.Params(url) {
			all[q.Name] = true
		}
	}
	return all
}

// namesOf returns the names of a pattern.
func namesOf(p rule.Pattern, all map[string]bool) map[string]bool {
	of := map[string]bool{}
	for name := range all {
		if strings.HasPrefix(name, p.Prefix) && ends[p.Class](name[len(p.Prefix):]) {
			of[name] = true
		}
	}
	return of
}

var (
	isHex = regexp.MustCompile(`^([0-9a-f]{8,}|[0-9A-F]{8,})$`)
	ends  = map[rule.Class]func(string) bool{
		rule.Digits: regexp.MustCompile(`^[0-9]{4,}$`).MatchString,
		rule.Hex:    func(s string) bool { return isHex.MatchString(s) && strings.ContainsAny(s, "0123456789") },
	}
)

func pairs(r *rule.Rule, grouped bool, known map[string]evidence.Spans) (pairs [][2]string) {
	groups := map[string][]string{}
	for u := range known {
		made, changed := r.Apply(nil, []byte(u))
		if !changed {
			continue
		}
		if _, is := known[string(made)]; is {
			pairs = append(pairs, [2]string{u, string(made)})
		} else {
			groups[string(made)] = append(groups[string(made)], u)
		}
	}
	for _, members := range groups {
		slices.Sort(members)
		for _, u := range members[1:] {
			if grouped {
				pairs = append(pairs, [2]string{u, members[0]})
			}
		}
	}
	return pairs
}

// narrow reports whether each name of a pattern is a name of a likely wider pattern.
func narrow(p rule.Pattern, likely []rule.Likely, names map[string]bool) bool {
	if p.Class == 0 {
		return false
	}
	left := namesOf(p, names)
	for _, wide := range likely {
		if w := wide.Rule.Params().Pattern; wide.Rule.Kind() == rule.KindDrop && w.Class == p.Class && len(w.Prefix) < len(p.Prefix) {
			of := namesOf(w, left)
			maps.DeleteFunc(left, func(name string, _ bool) bool { return of[name] })
		}
	}
	return len(left) == 0
}
