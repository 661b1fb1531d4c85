package forms

import (
	"maps"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/read/crawler"
	"dustbuster/operators/window/waste"
)

// NotTried is what the rules would merge that are not tried, since too few of their pairs may be fetched.
type NotTried struct {
	Rules int      `json:"rules"`
	URLs  int      `json:"urls"`         // canonical forms that the rules would merge with others, all of them together
	Bytes int64    `json:"bytes"`        // that named crawlers fetched for these, the smallest of each page apart
	By    []Barred `json:"by,omitempty"` // the reasons, that with most URLs first
}

// Barred are the rules that are not tried for one reason: for most of the pairs that may not be fetched, it is the reason.
type Barred struct {
	Why     Bar      `json:"reason"`
	Rules   int      `json:"rules"`
	URLs    int      `json:"urls"`
	Bytes   int64    `json:"bytes"`
	Example string   `json:"example"`          // of the rules, that with most pairs, in words
	Number  int      `json:"number"`           // of its pairs that may be fetched
	Needed  int      `json:"needed"`           // of these for a trial
	Params  []string `json:"params,omitempty"` // NAME or NAME=VALUE: for BarUnasked, to allow these would help
}

// Bar is why a pair may not be fetched.
type Bar string

// The reasons.
const (
	BarSecret    Bar = "secret"         // a URL looks like a secret
	BarOneClient Bar = "one_client"     // a URL may be a link of one client
	BarUnasked   Bar = "unasked"        // too few clients asked for URLs of its kind
	BarAlone     Bar = "clients_alike"  // the same, and all lines may be of one client, or the log names none
	BarNone      Bar = "too_few_public" // too few pairs
)

// Bounds of the parameters that are named for a reason.
const (
	mostParams = 8   // in all
	mostLooked = 256 // moves of a rule that are looked at
)

// NotTried returns what the candidates would merge that cannot be tried, since too few of their pairs may be fetched.
// O(moves · log) for each of them.
func (w *View) NotTried(open []book.Candidate) (all NotTried) {
	whole := w.newMerging()
	by := map[Bar]*Barred{}
	parts := map[Bar]*merging{}
	most := map[Bar]int{}
	for i := range open {
		c := &open[i]
		s := w.Shortfall(c)
		if s.Why != NotFetched {
			continue
		}
		moves := w.Moves(c)
		why := w.barOf(moves)
		b := by[why]
		if b == nil {
			b = &Barred{Why: why}
			by[why], parts[why] = b, w.newMerging()
		}
		all.Rules, b.Rules = all.Rules+1, b.Rules+1
		if len(moves) > most[why] {
			most[why] = len(moves)
			b.Example, b.Number, b.Needed = c.Rule.Words(), s.Number, s.Needed
		}
		if why == BarUnasked {
			b.Params = w.addLacking(b.Params, moves)
		}
		whole.join(moves)
		parts[why].join(moves)
	}
	all.URLs, all.Bytes = whole.sum()
	for why, b := range by {
		b.URLs, b.Bytes = parts[why].sum()
		all.By = append(all.By, *b)
	}
	slices.SortFunc(all.By, func(a, b Barred) int {
		if a.URLs != b.URLs {
			return b.URLs - a.URLs
		}
		return strings.Compare(string(a.Why), string(b.Why))
	})
	return all
}

// barOf returns the reason for which most pairs that may not be fetched may not.
func (w *View) barOf(moves []Move) Bar {
	var counts [privacies]int
	for i := range moves {
		counts[w.ofPair(w.Forms.Rep(moves[i].Form), moves[i].To)]++
	}
	most := Secret
	for p := Secret; p < privacies; p++ {
		if counts[p] > counts[most] {
			most = p
		}
	}
	switch {
	case counts[most] == 0:
		return BarNone
	case most == Secret:
		return BarSecret
	case most == OneClient:
		return BarOneClient
	case w.Window.Single() || w.Window.all() == 0:
		return BarAlone
	}
	return BarUnasked
}

// addLacking adds the parameters that most of some moves lack to be asked for.
func (w *View) addLacking(params []string, moves []Move) []string {
	counts := map[string]int{}
	looked := min(len(moves), mostLooked)
	for i := range looked {
		u, v := w.Forms.Rep(moves[i].Form), moves[i].To
		if w.ofPair(u, v) != Unasked {
			continue
		}
		for _, url := range []string{u, v} {
			for _, part := range w.Guard.Kinds.Lacks(url) {
				counts[part]++
			}
		}
	}
	for _, part := range slices.Sorted(maps.Keys(counts)) {
		if 4*counts[part] >= looked && book.IsParam(part) && !slices.Contains(params, part) && len(params) < mostParams {
			params = append(params, part)
		}
	}
	return params
}

// merging joins forms that rules would merge: a union of sets.
type merging struct {
	w      *View
	parent map[int32]int32 // of the forms that are joined; texts that are no form have numbers from len(Texts) on
	texts  map[string]int32
}

func (w *View) newMerging() *merging {
	return &merging{w, map[int32]int32{}, map[string]int32{}}
}

func (m *merging) root(n int32) int32 {
	for {
		p, known := m.parent[n]
		if !known || p == n {
			return n
		}
		if above, known := m.parent[p]; known {
			m.parent[n] = above
		}
		n = p
	}
}

func (m *merging) join(moves []Move) {
	for i := range moves {
		to := moves[i].Known
		if to < 0 {
			number, known := m.texts[moves[i].To]
			if !known {
				number = int32(len(m.w.Forms.Texts) + len(m.texts))
				m.texts[moves[i].To] = number
			}
			to = number
		}
		a, b := m.root(moves[i].Form), m.root(to)
		m.parent[a], m.parent[b] = b, b
	}
}

// sum returns the number of forms that are merged with others, and the bytes that crawlers fetched for these.
func (m *merging) sum() (urls int, bytes int64) {
	sizes := map[int32]int64{} // by form: the smallest that a crawler fetched
	class := waste.CommonClass(m.w.Window.Pages)
	for page, form := range m.w.Forms.Of {
		if _, joined := m.parent[form]; !joined || m.w.Window.Families == nil || m.w.Window.Families[page]&crawler.Named == 0 {
			continue
		}
		size, _ := waste.Smallest(&m.w.Window.Pages[page], class)
		if before, known := sizes[form]; !known || size < before {
			sizes[form] = size
		}
	}
	roots, least := map[int32]bool{}, map[int32]int64{}
	for form := range m.parent {
		if int(form) < len(m.w.Forms.Texts) {
			urls++
			roots[m.root(form)] = true
		}
	}
	for form, size := range sizes {
		root := m.root(form)
		bytes += size
		if before, known := least[root]; !known || size < before {
			least[root] = size
		}
	}
	for _, size := range least {
		bytes -= size
	}
	return urls - len(roots), bytes
}
