package oracle

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"dustbuster/operators/window/evidence"
)

// Observation is a hit, or the fold of several hits of one URL in one pane.
type Observation struct {
	URL      string
	Pane     int64          // number of the pane of event time
	Evidence evidence.Spans // empty: the hit had no size
}

// Plain returns a hit of a time from second -1000 on, in panes of some seconds.
func Plain(o *evidence.Observation, pane int64) Observation {
	p := Observation{URL: string(o.URL), Pane: (o.Time+1000*pane)/pane - 1000}
	if o.Max > 0 {
		p.Evidence = append(p.Evidence, evidence.Span{Min: o.Min, Max: o.Max, Class: o.Class})
	}
	if o.DigestMax > 0 { // digests are ordered as numbers without a sign
		p.Evidence = append(p.Evidence, evidence.Span{Min: int64(o.DigestMin ^ 1<<63), Max: int64(o.DigestMax ^ 1<<63), Class: evidence.Digest})
	}
	return p
}

// Plains returns hits in panes of some seconds.
func Plains(hits []evidence.Observation, pane int64) (all []Observation) {
	for i := range hits {
		all = append(all, Plain(&hits[i], pane))
	}
	return all
}

// Window is the fold of a site's observations in any order: the pages seen in the newest
// panes, up to the newest pane of any observation, in byte order of URL. In each pane the
// first keep URLs in the order of shedding count.
// Zero panes are one endless pane, and zero keep is no limit.
func Window(all []Observation, panes int64, keep int, place func(url string) Place) []evidence.Page {
	newest := int64(math.MinInt64)
	for _, o := range all {
		newest = max(newest, pane(o, panes))
	}
	table := map[int64]map[string]evidence.Spans{} // pane -> URL -> evidence
	for _, o := range all {
		at := pane(o, panes)
		if panes > 0 && newest-at >= panes {
			continue
		}
		if table[at] == nil {
			table[at] = map[string]evidence.Spans{}
		}
		table[at][o.URL] = widen(table[at][o.URL], o.Evidence...)
	}
	window := map[string]evidence.Spans{}
	for _, urls := range table {
		for _, url := range first(slices.Collect(maps.Keys(urls)), keep, place) {
			window[url] = widen(window[url], urls[url]...)
		}
	}
	var pages []evidence.Page
	for _, url := range slices.Sorted(maps.Keys(window)) {
		pages = append(pages, evidence.Page{URL: url, Evidence: window[url]})
	}
	return pages
}

// pane returns the pane of an observation in a window of this many panes.
func pane(o Observation, panes int64) int64 {
	if panes == 0 {
		return 0
	}
	return o.Pane
}

// widen folds spans into evidence: the least and the greatest of each class. Digests fold
// in the same way, since equal ends mean one digest and unequal ends mean several. widen
// does not change e.
func widen(e evidence.Spans, more ...evidence.Span) evidence.Spans {
	e = slices.Clone(e)
	for _, s := range more {
		i, found := slices.BinarySearchFunc(e, s, func(a, b evidence.Span) int { return cmp.Compare(a.Class, b.Class) })
		if found {
			e[i].Min, e[i].Max = min(e[i].Min, s.Min), max(e[i].Max, s.Max)
		} else {
			e = slices.Insert(e, i, s)
		}
	}
	return e
}
