package oracle

import (
	"cmp"
	"slices"
)

// Hidden counts the rules that people do not see.
type Hidden struct{ Light, Contradicted, OneContent int }

// Choose returns the places in a list of the rules that people see, in their order. Those of which nine
// tenths of the pairs are alike come first. So does a substring rule of which three quarters are, if it has
// more own weight than one of the first with the same two texts.
func Choose(list []Weighed, judged []Judged) (order []int, h Hidden) {
	for i := range list {
		switch {
		case list[i].Weight < 3:
			h.Light++
		case judged[i].Contradicted:
			h.Contradicted++
		case judged[i].OneContent:
			h.OneContent++
		default:
			order = append(order, i)
		}
	}
	places := map[int]int{}
	for _, i := range order {
		w := &list[i]
		first := areAlike(w, .9)
		for _, j := range order {
			of, same := sidesOf(w), sidesOf(&list[j])
			slices.Sort(of)
			slices.Sort(same)
			first = first || len(of) > 0 && slices.Equal(of, same) && areAlike(w, .75) && areAlike(&list[j], .9) && judged[i].Own > judged[j].Own
		}
		if !first {
			places[i] = 1
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(places[i], places[j]), cmp.Compare(judged[j].Own, judged[i].Own), cmp.Compare(i, j))
	})
	return order, h
}

// areAlike reports whether a share of a rule's pairs are alike.
func areAlike(w *Weighed, share float64) bool {
	n := float64(len(w.Pairs))
	return n > 0 && float64(w.Alike) >= share*n-1e-9
}

// Row is the place in a list of a rule that people see, with the rules folded under it.
type Row struct{ Rule, Texts, Joined int }

// Rows folds rules in their order. A text is at home in the row of the first rule that has it
// as a side. A substring rule is folded under the first row in which one of its sides is at
// home. Another rule is folded under the first row that, with the rows above, joins nine tenths
// of the rule's pairs. If the folded rule joins nine tenths of the pairs of the row's rule as well, the
// plainer of the two stands: a form, then a parameter, then a substring.
func Rows(list []Weighed, order []int) (rows []Row) {
	home := map[string]int{}       // of a text
	var groups []map[string]string // of URLs, joined by each row and the rows above it
	var pairs [][2]string          // of the rows
	for _, i := range order {
		sides := sidesOf(&list[i])
		at := len(rows)
		for _, side := range sides {
			if row, known := home[side]; known {
				at = min(at, row)
			}
		}
		joined := joinedBy(groups, list[i].Pairs)
		switch {
		case at < len(rows):
			rows[at].Texts++
		case joined >= 0:
			row := &rows[joined]
			row.Joined++
			if plainness(&list[i]) < plainness(&list[row.Rule]) && joinedBy([]map[string]string{groupsOf(list[i].Pairs)}, list[row.Rule].Pairs) == 0 {
				row.Rule = i
			}
			continue
		default:
			pairs = append(pairs, list[i].Pairs...)
			rows, groups = append(rows, Row{Rule: i}), append(groups, groupsOf(pairs))
		}
		for _, side := range sides {
			if _, known := home[side]; !known {
				home[side] = at
			}
		}
	}
	return rows
}

// plainness orders rules of one row: forms, then parameters, then texts.
func plainness(w *Weighed) int {
	switch {
	case w.Form:
		return 0
	case w.Substring:
		return 2
	}
	return 1
}

// sidesOf returns the sides of a substring rule that are not empty, without the tokens that
// both begin or end with.
func sidesOf(w *Weighed) (sides []string) {
	if !w.Substring {
		return nil
	}
	a, b := side{text: w.Alpha}.tokens(), side{text: w.Beta}.tokens()
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	for _, tokens := range [][]string{a, b} {
		text := ""
		for _, token := range tokens {
			text += token
		}
		if text != "" {
			sides = append(sides, text)
		}
	}
	return sides
}

// joinedBy returns the first row that, with the rows above it, joins nine tenths of some
// pairs, or -1. groups are the groups of URLs below each row.
func joinedBy(groups []map[string]string, pairs [][2]string) int {
	return slices.IndexFunc(groups, func(of map[string]string) bool {
		n := 0
		for _, p := range pairs {
			if of[p[0]] != "" && of[p[0]] == of[p[1]] {
				n++
			}
		}
		return len(pairs) > 0 && 10*n >= 9*len(pairs)
	})
}

// groupsOf returns the group of each URL that is in a pair, when pairs are joined: one URL of
// the group, with a mark.
func groupsOf(pairs [][2]string) map[string]string {
	of, members := map[string]string{}, map[string][]string{}
	for _, p := range pairs {
		for _, url := range p {
			if of[url] == "" {
				of[url] = "group of " + url
				members[of[url]] = []string{url}
			}
		}
		from, to := of[p[0]], of[p[1]]
		if from == to {
			continue
		}
		for _, url := range members[from] {
			of[url] = to
		}
		members[to] = append(members[to], members[from]...)
	}
	return of
}
