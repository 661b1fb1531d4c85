package dashboard

import (
	"fmt"
	"net/url"
	"slices"
	"sort"
	"strings"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
)

type rulesData struct {
	head
	Rows  []published
	Pager pager
}

// published is a published rule.
type published struct {
	*rule.Record
	Rule   rule.Rule
	Pinned bool
}

func rules(r *request) (content, error) {
	h, err := r.head("rules")
	if err != nil {
		return content{}, err
	}
	d := rulesData{head: h}
	var records []rule.Record
	if h.Published != nil {
		records = h.Published.Records
	}
	d.Pager = r.pager("rules", len(records))
	rows := part(r, records)
	for i := range rows {
		record := r.seen.veiled(&rows[i])
		made, err := record.Rule()
		if err != nil {
			continue // the machine publishes only rules that can be read
		}
		pinned := h.Trials != nil && h.Trials.Wishes != nil && slices.Contains(h.Trials.Wishes.Pins, record.ID)
		d.Rows = append(d.Rows, published{record, made, pinned})
	}
	return content{"rules", "Published · " + title(h.Name), "", &d}, nil
}

// veiled returns a record with masked examples.
func (s *seen) veiled(r *rule.Record) *rule.Record {
	out := *r
	out.Verdict.Examples = slices.Clone(r.Verdict.Examples)
	for i := range out.Verdict.Examples {
		e := &out.Verdict.Examples[i]
		e.U, e.V = s.Veil.Mask(e.U), s.Veil.Mask(e.V)
	}
	return &out
}

type historyData struct {
	head
	Detail bool
	Rows   []lifecycle.Change
	Pager  pager
}

func history(r *request) (content, error) {
	h, err := r.head("history")
	if err != nil {
		return content{}, err
	}
	d := historyData{head: h}
	var known lifecycle.Detail
	known, d.Detail = r.d.daemon.Detail(r.ctx, h.Name, lifecycle.Query{})
	d.Rows, d.Pager = part(r, known.History), r.pager("history", len(known.History))
	return content{"history", "History · " + title(h.Name), "", &d}, nil
}

type verdictsData struct {
	head
	Detail  bool
	Filters []choice
	Rows    []lifecycle.Entry
	Pager   pager
}

func verdicts(r *request) (content, error) {
	h, err := r.head("verdicts")
	if err != nil {
		return content{}, err
	}
	d := verdictsData{head: h}
	of := rule.State(r.query.Get("state"))
	if !slices.Contains(states, of) {
		of = ""
	}
	var known lifecycle.Detail
	known, d.Detail = r.d.daemon.Detail(r.ctx, h.Name, lifecycle.Query{State: of, Skip: r.skip(), Most: perPage})
	d.Rows, d.Pager = known.Tried, r.pager("verdicts", known.Counted)
	link := func(text string, state rule.State) {
		d.Filters = append(d.Filters, choice{text, "verdicts?" + url.Values{"site": {h.Name}, "state": {string(state)}}.Encode(), state == of})
	}
	link("all", "")
	for _, state := range states {
		link(string(state), state)
	}
	return content{"verdicts", "Verdicts · " + title(h.Name), "", &d}, nil
}

type likelyData struct {
	head
	Rows  []likelyRow
	Pager pager
}

// likelyRow is a likely rule.
type likelyRow struct {
	rule.Likely
	Trial   *lifecycle.Entry // nil: the rule was not tried, or the trials are busy
	Untried string           // why the rule was not tried
}

func likely(r *request) (content, error) {
	h, err := r.head("likely")
	if err != nil {
		return content{}, err
	}
	all := r.seen.Likely // in the order of sites
	from := sort.Search(len(all), func(i int) bool { return strings.Compare(all[i].Site, h.Name) >= 0 })
	to := from + sort.Search(len(all)-from, func(i int) bool { return all[from+i].Site > h.Name })
	d := likelyData{head: h, Pager: r.pager("likely", to-from)}
	var asked []rule.Rule
	for _, l := range part(r, all[from:to]) {
		d.Rows = append(d.Rows, likelyRow{Likely: l})
		asked = append(asked, l.Rule)
	}
	if h.On {
		known, ok := r.d.daemon.Detail(r.ctx, h.Name, lifecycle.Query{Likely: asked})
		now := r.seen.Trials.Now(h.Name)
		for i := range d.Rows {
			if d.Rows[i].Untried = now.Words(); ok {
				d.Rows[i].Trial, d.Rows[i].Untried = known.Likely[i].Trial, untried(&known.Likely[i], &now)
			}
		}
	}
	return content{"likely", "Likely · " + title(h.Name), "", &d}, nil
}

// untried says in words why a likely rule is not tried. A rule that waits is not tried for the reason
// of the site.
func untried(l *lifecycle.LikelyRule, now *lifecycle.Now) string {
	switch {
	case l.Needed > 0:
		return fmt.Sprintf("%s (%d of %d)", l.Untried.Words(), l.Number, l.Needed)
	case l.Untried == lifecycle.Waits && now.Why != lifecycle.Trying && now.Why != lifecycle.Unable:
		return l.Untried.Words() + ": " + now.Words()
	}
	return l.Untried.Words()
}
