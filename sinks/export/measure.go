package export

import (
	"bytes"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// measure sets the rounds and places of a site: as many as its URLs need. The first round has all
// rules, and each further one those that edit some URL in this round. Without URLs, the rounds are
// enough for any URL that settles, of at most Places places. A given number of rounds is taken as it
// is; 0 gives none.
func (s *site) measure(given int) {
	all := make([]int, len(s.rules))
	for i := range all {
		all[i] = i
	}
	s.rounds, s.places = [][]int{all}, slices.Repeat([]int{1}, len(s.rules))
	c, err := canon.Compile(s.rules)
	switch {
	case s.URLs != nil && err == nil:
		if s.measureURLs(c) && given == 0 {
			given = len(s.rounds)
		}
	case given == 0 && !settlesAtOnce(s.rules): // err: too many rules for one canonizer
		given = canon.MaxRounds - 1
		fallthrough
	default:
		s.places = slices.Repeat([]int{Places}, len(s.rules))
	}
	if given > 0 {
		s.rounds = slices.Repeat([][]int{all}, given)
	}
}

// measureURLs reports whether rules undo in a round what other rules did before. Then each round
// needs all rules.
func (s *site) measureURLs(c *canon.Canonizer) (undone bool) {
	var buf, before []byte
	for url := range s.URLs {
		out, end := c.Canon(buf, url)
		if end.Changed() {
			buf = out
		}
		if end.End != canon.Settled {
			continue
		}
		before = append(before[:0], url...)
		round, last := 0, -1
		for rank, made := range c.Steps(url) {
			if rank <= last {
				round++
			}
			last = rank
			if round == end.Rounds { // it changed nothing in the end
				undone = true
				break
			}
			s.need(round, rank)
			s.places[rank] = max(s.places[rank], placesOf(&s.rules[rank], before))
			before = append(before[:0], made...)
		}
	}
	return undone
}

func (s *site) need(round, rank int) {
	if round == len(s.rounds) {
		s.rounds = append(s.rounds, nil)
	}
	if at, found := slices.BinarySearch(s.rounds[round], rank); !found {
		s.rounds[round] = slices.Insert(s.rounds[round], at, rank)
	}
}

// placesOf returns in how many places, at most, a rule edits a URL.
func placesOf(r *rule.Rule, url []byte) int {
	bare := *r
	bare.Scope, bare.Except = rule.Scope{}, rule.Except{}
	path, query, _ := bytes.Cut(url, []byte("?"))
	switch {
	case r.Kind() == rule.KindSyntax && r.Syntax().Form == rule.Slashes:
		return runs(strings.FieldsFunc(string(path), func(c rune) bool { return c != '/' }), func(run string) bool { return len(run) > 1 })
	case r.Params().InPath:
		return runs(strings.FieldsFunc(string(path), func(c rune) bool { return c == '/' || c == ';' }), func(piece string) bool {
			_, edits := bare.Apply(nil, []byte("/;"+piece))
			return edits
		})
	case r.EditsParams() || r.Kind() == rule.KindSyntax && r.Syntax().Form == rule.EmptyValue:
		return runs(strings.FieldsFunc(string(query), func(c rune) bool { return c == '&' || c == ';' }), func(piece string) bool {
			_, edits := bare.Apply(nil, []byte("/?"+piece))
			return edits
		})
	}
	return 1
}

func runs(texts []string, edited func(string) bool) (n int) {
	for _, text := range texts {
		if edited(text) {
			n++
		}
	}
	return n
}

// settlesAtOnce reports whether one round of the rules settles every URL. Rules that drop and set
// parameters of the query do, if none makes what a rule before it, or itself, edits.
func settlesAtOnce(rules []rule.Rule) bool {
	var made []string // names to which later rules give values
	for i := len(rules) - 1; i >= 0; i-- {
		r := &rules[i]
		if !r.EditsParams() || r.Params().InPath || r.Except != (rule.Except{}) || strings.Contains(r.Scope.Prefix, "?") {
			return false
		}
		if r.Kind() == rule.KindSet {
			made = append(made, r.Params().Param)
		}
		own, asked := names(r), []string{r.Scope.Where[0].Param, r.Scope.Where[1].Param}
		for j, name := range made {
			isOwn := r.Kind() == rule.KindSet && j == len(made)-1
			if slices.Contains(asked, name) || !isOwn && (slices.Contains(own, name) || r.Params().Pattern.Matches([]byte(name))) {
				return false
			}
		}
	}
	return true
}
