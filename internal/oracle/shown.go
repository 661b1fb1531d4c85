package oracle

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"dustbuster/operators/window/evidence"
)

// History is what a log says of pages by day: the pages of a window without an end, with
// the days on which they were seen, or the pages of a window of panes.
type History struct {
	Similarity evidence.Similarity
	Seen       []Observation               // of the window; Pane is the day
	Panes      bool                        // a pane takes the place of a day
	Keep       func(sizes []int64) []int64 // the sizes kept of a day that has more than 4
	Hash       func(url string) uint64     // selects siblings

	pages map[string]evidence.Spans    // over all days
	days  map[string]map[int64]daySeen // by class and URL, then by day
	alike map[string][]string          // URLs by their keys and all values but one
}

// daySeen is the sizes of a page on a day, in one class.
type daySeen struct {
	sizes       []int64
	least, most int64
	full        bool // there were more sizes
}

// Weighed is a likely rule with its weight.
type Weighed struct {
	Substring   bool
	Form        bool   // of syntax, or of order
	Alpha, Beta string // of a substring rule
	Weight      float64
	Chance      float64     // q of the weight
	Pairs       [][2]string // that the weight counts, in the order of their hashes
	Alike       int         // pairs
}

// Judged is what the days and the siblings say of a rule.
type Judged struct {
	Own, Met     float64
	Meetings     int
	Contradicted bool
	OneContent   bool
}

// Judge judges a rule.
func (h *History) Judge(w *Weighed) (j Judged) {
	h.fold()
	for _, p := range w.Pairs {
		n, sum := h.meet(p[0], p[1])
		j.Meetings += n
		j.Met += sum
	}
	j.Contradicted = j.Meetings >= 3 && j.Met < 0.7*float64(j.Meetings)
	if j.Own = w.Weight; !w.Substring {
		return j
	}
	votes := h.votes(w.Pairs)
	n, k, sum := float64(len(votes)), 0.0, 0.0
	for _, v := range votes {
		if h.similar(v[0], v[1]) {
			k++
		}
		sum += max(w.Chance, h.shareOfSiblings(v[0], v[1]))
	}
	j.OneContent = k < 2
	j.Own = logLikelihood(n, k, min(sum/n, 0.999))
	return j
}

// shareOfSiblings returns the share of the siblings of two URLs that are similar to one of the
// URLs, or 0 if there are fewer than 3.
func (h *History) shareOfSiblings(u, v string) float64 {
	siblings, alike := h.siblings(u, v), 0.0
	for _, s := range siblings {
		if h.similar(s, u) || h.similar(s, v) {
			alike++
		}
	}
	if len(siblings) < 3 {
		return 0
	}
	return alike / float64(len(siblings))
}

// logLikelihood is the formula of the weight.
func logLikelihood(n, k, q float64) float64 {
	switch {
	case n == 0 || k <= q*n:
		return 0
	case n == k:
		return k * math.Log(k/(q*n))
	}
	return k*math.Log(k/(q*n)) + (n-k)*math.Log((n-k)/(n*(1-q)))
}

// fold sets pages and days from what was seen.
func (h *History) fold() {
	if h.pages != nil {
		return
	}
	h.pages, h.days, h.alike = map[string]evidence.Spans{}, map[string]map[int64]daySeen{}, map[string][]string{}
	all := map[string]map[int64][]int64{}
	for _, o := range h.Seen {
		h.pages[o.URL] = widen(h.pages[o.URL], o.Evidence...)
		for _, s := range o.Evidence {
			if s.Class == evidence.Digest {
				continue
			}
			of := key(o.URL, s.Class)
			if all[of] == nil {
				all[of] = map[int64][]int64{}
			}
			all[of][o.Pane] = append(all[of][o.Pane], s.Min, s.Max)
		}
	}
	for url := range h.pages {
		if keys, ok := keysOf(url); ok {
			for name := range keys {
				h.alike[without(keys, name)] = append(h.alike[without(keys, name)], url)
			}
		}
	}
	for of, days := range all {
		h.days[of] = map[int64]daySeen{}
		for day, sizes := range days {
			slices.Sort(sizes)
			sizes = slices.Compact(sizes)
			if newer := newerDays(days, day); newer < 8 || h.Panes {
				h.days[of][day] = h.day(sizes)
			}
		}
	}
}

func newerDays(days map[int64][]int64, than int64) (n int) {
	for day := range days {
		if day > than {
			n++
		}
	}
	return n
}

// day returns the day of ascending sizes.
func (h *History) day(sizes []int64) daySeen {
	d := daySeen{sizes: sizes, least: sizes[0], most: sizes[len(sizes)-1]}
	switch {
	case h.Panes:
		d.sizes = slices.Compact([]int64{d.least, d.most})
		d.full = d.least != d.most
	case len(sizes) > 4:
		d.sizes, d.full = h.Keep(sizes), true
	}
	return d
}

// key names a class of a URL.
func key(url string, class uint8) string { return string(rune(class)) + url }

// meet returns the number of days on which two pages meet, and the sum of their matches.
func (h *History) meet(u, v string) (meetings int, met float64) {
	both := Common(h.pages[u], h.pages[v])
	_, one := OneDigest(h.pages[u])
	_, two := OneDigest(h.pages[v])
	if one && two || h.isDouble(u) || h.isDouble(v) {
		return 0, 0
	}
	common := slices.MinFunc(both, func(a, b [2]evidence.Span) int { return int(a[0].Class) - int(b[0].Class) })
	if !h.apart(common[0]) && !h.apart(common[1]) {
		return 0, 0
	}
	for day := range h.days[key(u, common[0].Class)] {
		if _, has := h.days[key(v, common[0].Class)][day]; !has {
			continue
		}
		a, b := h.on(day, u, common[0]), h.on(day, v, common[1])
		if len(b.sizes) < len(a.sizes) {
			a, b = b, a
		}
		if match, ok := h.match(a, b); ok {
			meetings++
			met += match
		}
	}
	return meetings, met
}

// apart reports whether the sizes of a page differ over the window.
func (h *History) apart(s evidence.Span) bool {
	return float64(s.Max-s.Min) > h.Similarity.Tolerance*float64(s.Max)
}

// on returns a day of a page.
func (h *History) on(day int64, url string, all evidence.Span) daySeen {
	if !h.apart(all) {
		return daySeen{sizes: []int64{all.Min}, least: all.Min, most: all.Min}
	}
	return h.days[key(url, all.Class)][day]
}

// match compares the sizes of a day with those of another page.
func (h *History) match(a, b daySeen) (share float64, ok bool) {
	t := h.Similarity.Tolerance
	found, open := 0, 0
	for _, size := range a.sizes {
		isFound := slices.ContainsFunc(b.sizes, func(other int64) bool {
			return math.Abs(float64(size-other)) <= t*float64(max(size, other))
		})
		if isFound {
			found++
		} else if b.full && (1-t)*float64(b.least) <= float64(size) && float64(size) <= float64(b.most)/(1-t) {
			open++
		}
	}
	if open == len(a.sizes) {
		return 0, false
	}
	return float64(found) / float64(len(a.sizes)-open), true
}

// votes returns the first pair of each two sizes, or of each two digests.
func (h *History) votes(pairs [][2]string) (votes [][2]string) {
	seen := map[[2]int64]bool{}
	for _, p := range pairs {
		if cells := h.cells(p[0], p[1]); !seen[cells] && len(votes) < 300 {
			seen[cells] = true
			votes = append(votes, p)
		}
	}
	return votes
}

func (h *History) cells(u, v string) [2]int64 {
	d, one := OneDigest(h.pages[u])
	if e, two := OneDigest(h.pages[v]); one && two {
		return [2]int64{d, e}
	}
	both := slices.MinFunc(Common(h.pages[u], h.pages[v]), func(a, b [2]evidence.Span) int { return int(a[0].Class) - int(b[0].Class) })
	floor := func(size int64) int64 { return int64(math.Floor(math.Log(float64(size)) / math.Log(1.05))) }
	return [2]int64{floor(both[0].Min), floor(both[1].Min)}
}

func (h *History) similar(u, v string) bool {
	return AlikeDoubles(h.Similarity, h.pages[u], h.pages[v], h.groupsOf(u), h.groupsOf(v))
}

// groupsOf returns the groups of the sizes of a page, by the span of a class.
func (h *History) groupsOf(url string) func(s evidence.Span) []evidence.Span {
	return func(s evidence.Span) []evidence.Span {
		var sizes []int64
		for _, d := range h.days[key(url, s.Class)] {
			sizes = append(append(sizes, d.sizes...), d.least, d.most)
		}
		return Groups(h.Similarity.Tolerance, s, sizes)
	}
}

// isDouble reports whether the sizes of a page are two groups in some class.
func (h *History) isDouble(url string) bool {
	return slices.ContainsFunc(h.pages[url], func(s evidence.Span) bool {
		return s.Class != evidence.Digest && len(h.groupsOf(url)(s)) == 2
	})
}

// siblings returns the URLs that have the keys of two URLs that differ in one value, and their
// other values.
func (h *History) siblings(u, v string) (all []string) {
	a, ok := keysOf(u)
	b, ok2 := keysOf(v)
	if !ok || !ok2 || len(a) > 24 {
		return nil
	}
	name, one := differ(a, b)
	if !one {
		return nil
	}
	for _, w := range h.alike[without(a, name)] {
		e := h.pages[w]
		if w != u && w != v && Comparable(h.Similarity, e, h.pages[u]) && Comparable(h.Similarity, e, h.pages[v]) {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Compare(h.Hash(a), h.Hash(b)) })
	return all[:min(len(all), 20)]
}

// differ returns the only key in whose value two URLs of the same keys differ.
func differ(a, b map[string]string) (name string, one bool) {
	n := 0
	for k, value := range a {
		other, has := b[k]
		if !has {
			return "", false
		}
		if other != value {
			name = k
			n++
		}
	}
	return name, n == 1 && len(a) == len(b)
}

// without writes the keys of a URL and their values, but one value.
func without(keys map[string]string, name string) string {
	text := "but " + name
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if text += "\n" + k; k != name {
			text += "\t" + keys[k]
		}
	}
	return text
}

// keysOf returns the keys of a URL with their values: its segments by number, and its
// parameters by name. ok is false if the URL has no path, a repeated name, a piece without a
// name, a name that begins with '/', or both separators.
func keysOf(url string) (keys map[string]string, ok bool) {
	keys = map[string]string{}
	path, pieces, has := Pieces(url)
	_, path, rooted := strings.Cut(path, "/")
	for i, segment := range strings.Split(path, "/") {
		keys["/"+strconv.Itoa(i)] = segment
	}
	if _, query, _ := strings.Cut(url, "?"); !rooted || strings.Contains(query, "&") && strings.Contains(query, ";") {
		return nil, false
	}
	if !has {
		return keys, true
	}
	for _, piece := range pieces {
		p, named := ParamOf(piece)
		if _, known := keys[p.Name]; !named || known || strings.HasPrefix(p.Name, "/") {
			return nil, false
		}
		if keys[p.Name] = "=" + p.Value; p.Bare {
			keys[p.Name] = ""
		}
	}
	return keys, true
}
