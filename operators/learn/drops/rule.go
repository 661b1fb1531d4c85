package drops

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// Name is the name of the learner.
const Name = "drops"

// About is what the learner finds, for people.
const About = "parameters that may be left out in a part of the site"

// sorted returns rules in the order of a list: support descending, then fewer names, fewer
// demands, and the line of JSON.
func sorted(rules []rule.Likely) []rule.Likely {
	lines := make(map[rule.Rule]string, len(rules))
	for i := range rules {
		lines[rules[i].Rule] = line(&rules[i])
	}
	slices.SortFunc(rules, func(a, b rule.Likely) int {
		return cmp.Or(
			cmp.Compare(b.Support, a.Support),
			cmp.Compare(len(names(&a.Rule)), len(names(&b.Rule))),
			cmp.Compare(demands(&a.Rule.Scope), demands(&b.Rule.Scope)),
			strings.Compare(lines[a.Rule], lines[b.Rule]),
		)
	})
	return rules
}

// line returns a rule as the line of JSON by which a list is ordered. The form is shorter
// than that of a list.
func line(l *rule.Likely) string {
	type where struct {
		Param string  `json:"param"`
		Value *string `json:"value,omitempty"`
	}
	r := &l.Rule
	object := struct {
		Op         string   `json:"op"`
		Params     []string `json:"params"`
		Value      *string  `json:"value,omitempty"`
		Path       *string  `json:"path,omitempty"`
		Where      []where  `json:"where,omitempty"`
		Support    int      `json:"support"`
		Comparable int      `json:"comparable"`
	}{Op: "drop", Params: names(r), Support: l.Support, Comparable: l.Comparable}
	object.Value, object.Path = optional(r.Params().Value, r.Params().HasValue), optional(r.Scope.Path, r.Scope.HasPath)
	for _, c := range r.Scope.Where {
		if c.Param != "" {
			object.Where = append(object.Where, where{c.Param, optional(c.Value, c.HasValue)})
		}
	}
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(object); err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	return b.String()
}

func optional(s string, has bool) *string {
	if !has {
		return nil
	}
	return &s
}

func names(r *rule.Rule) []string {
	d := r.Params()
	return slices.Collect(d.Names())
}

// demands returns how much a scope asks of a URL: 2 for a path or a value, 1 for a
// wildcard or a parameter with any value.
func demands(s *rule.Scope) (n int) {
	switch {
	case starred(s.Path):
		n = 1
	case s.HasPath:
		n = 2
	}
	for _, c := range s.Where {
		switch {
		case c.HasValue:
			n += 2
		case c.Valued:
			n++
		}
	}
	return n
}

// starred reports whether a segment of a path reads "*". A segment stands between two
// slashes.
func starred(path string) bool { return strings.Contains(path, "/*/") }
