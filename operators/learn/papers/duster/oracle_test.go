package duster

import (
	"cmp"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// plainColumn is a set of tokens; "" is the gap, λ in the paper.
type plainColumn map[string]bool

var plainToken = regexp.MustCompile(`[a-zA-Z]+|[0-9]+|[!-~]`)

// plainKind is τ: a, n or p.
func plainKind(token string) byte {
	switch c := token[0]; {
	case '0' <= c && c <= '9':
		return 'n'
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		return 'a'
	}
	return 'p'
}

func plainSequence(url string) (row []plainColumn) {
	for _, token := range plainToken.FindAllString(url, -1) {
		row = append(row, plainColumn{token: true})
	}
	return row
}

// tokens returns the tokens without the gap, in byte order.
func (c plainColumn) tokens() []string {
	t := slices.Sorted(maps.Keys(c))
	return slices.DeleteFunc(t, func(token string) bool { return token == "" })
}

// plainLikeness is equation 2. Unlike delimiters are apart.
func plainLikeness(x, y plainColumn) *big.Rat {
	union, both := plainColumn{}, 0
	for _, token := range x.tokens() {
		union[token] = true
	}
	for _, token := range y.tokens() {
		if union[token] {
			both++
		}
		union[token] = true
	}
	alike := false
	for _, p := range x.tokens() {
		for _, q := range y.tokens() {
			alike = alike || plainKind(p) == plainKind(q) && (plainKind(p) != 'p' || p == q)
		}
	}
	if !alike {
		return big.NewRat(-1, 1)
	}
	return big.NewRat(int64(both), int64(len(union)))
}

func plainMatrix(x, y []plainColumn) [][]*big.Rat {
	s := make([][]*big.Rat, len(x)+1)
	for i := range s {
		s[i] = make([]*big.Rat, len(y)+1)
		for j := range s[i] {
			s[i][j] = new(big.Rat)
			if i == 0 || j == 0 {
				continue
			}
			s[i][j].Add(s[i-1][j-1], plainLikeness(x[i-1], y[j-1]))
			for _, other := range []*big.Rat{s[i][j-1], s[i-1][j]} {
				if other.Cmp(s[i][j]) > 0 {
					s[i][j] = other
				}
			}
		}
	}
	return s
}

func plainConsensus(x, y []plainColumn) (row []plainColumn) {
	s := plainMatrix(x, y)
	gap := plainColumn{"": true}
	for i, j := len(x), len(y); i > 0 || j > 0; {
		p, q := gap, gap
		if i > 0 && j > 0 && s[i][j].Cmp(new(big.Rat).Add(s[i-1][j-1], plainLikeness(x[i-1], y[j-1]))) == 0 {
			i, j = i-1, j-1
			p, q = x[i], y[j]
		} else if j > 0 && s[i][j].Cmp(s[i][j-1]) == 0 {
			j--
			q = y[j]
		} else {
			i--
			p = x[i]
		}
		both := maps.Clone(p)
		maps.Copy(both, q)
		row = append(row, both)
	}
	slices.Reverse(row)
	return row
}

// plainMerge aligns the URLs, in byte order, progressively. All scores are computed anew in
// each round.
func plainMerge(urls []string) []plainColumn {
	var rows [][]plainColumn
	for _, url := range slices.Sorted(slices.Values(urls)) {
		rows = append(rows, plainSequence(url))
	}
	for len(rows) > 1 {
		p, q, most := 0, 0, big.NewRat(-1, 1)
		for i := range rows {
			for j := i + 1; j < len(rows); j++ {
				if s := plainMatrix(rows[i], rows[j])[len(rows[i])][len(rows[j])]; s.Cmp(most) > 0 {
					p, q, most = i, j, s
				}
			}
		}
		both := plainConsensus(rows[p], rows[q])
		rows = append(slices.Concat(rows[:p], rows[p+1:q], rows[q+1:]), both)
	}
	return rows[0]
}

// plainRule is the table of the package comment.
func plainRule(row []plainColumn, most int) (context, to string) {
	isMark := func(c plainColumn) bool { return plainKind(c.tokens()[0]) == 'p' }
	captures := 0
	capture := func(expression string) {
		captures++
		context += "(" + expression + ")"
		to += "${" + strconv.Itoa(captures) + "}"
	}
	classes := map[byte]string{'a': "[a-zA-Z]+", 'n': "[0-9]+"}
	for i := 0; i < len(row); {
		if isMark(row[i]) {
			context += regexp.QuoteMeta(row[i].tokens()[0])
			if row[i][""] {
				context += "?"
			} else {
				to += strings.ReplaceAll(row[i].tokens()[0], "$", "$$")
			}
			i++
			continue
		}
		var segment []plainColumn
		for ; i < len(row) && !isMark(row[i]); i++ {
			segment = append(segment, row[i])
		}
		if !slices.ContainsFunc(segment, func(c plainColumn) bool { return len(c) > 1 }) {
			capture("[a-zA-Z0-9]*")
			continue
		}
		for _, c := range segment {
			tokens := c.tokens()
			class := classes[plainKind(tokens[0])]
			switch {
			case len(c) == 1:
				capture(class)
				continue
			case len(tokens) > most:
				context += "(?:" + class + ")"
			default:
				context += "(?:" + strings.Join(tokens, "|") + ")"
			}
			if c[""] {
				context += "?"
			} else {
				to += strings.ReplaceAll(tokens[0], "$", "$$")
			}
		}
	}
	return "^" + context + "$", to
}

// plainLearn is the definition of Learn, for clusters of at most ten short URLs.
func plainLearn(clusters [][]string, o Options) []Rule {
	o = o.completed()
	var all, rules []Rule
	for _, urls := range clusters {
		if len(urls) > 1 {
			context, to := plainRule(plainMerge(urls), o.MaxSet)
			all = append(all, Rule{Context: context, Transformation: to})
		}
	}
	for _, r := range all {
		r.Clusters = 0
		for _, other := range all {
			if other.Context == r.Context && other.Transformation == r.Transformation {
				r.Clusters++
			}
		}
		if r.Clusters >= o.MinClusters && !slices.ContainsFunc(rules, func(o Rule) bool { return same(&o, &r) }) {
			rules = append(rules, r)
		}
	}
	slices.SortFunc(rules, func(a, b Rule) int {
		return cmp.Or(b.Clusters-a.Clusters, strings.Compare(a.Context, b.Context), strings.Compare(a.Transformation, b.Transformation))
	})
	return rules
}

func same(a, b *Rule) bool {
	return a.Context == b.Context && a.Transformation == b.Transformation && a.Clusters == b.Clusters
}

// plainRewrite is Rewrite without the test of delimiters.
func plainRewrite(r *Rule, url string) string {
	if len(url) > MaxBytes {
		return url
	}
	to := regexp.MustCompile(r.Context).ReplaceAllString(url, r.Transformation)
	if len(to) > MaxBytes || strings.HasPrefix(url, "/") && !strings.HasPrefix(to, "/") {
		return url
	}
	return to
}
