package dashboard

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/page"
)

// list is a page of a table of a site.
type list[T any] struct {
	head
	Detail  bool // the site's machine gave an answer
	Filters []choice
	Rows    []T
	Pager   pager
}

type published struct {
	*rule.Record
	Place  int // in the list, from 1; ranks have holes
	Rule   rule.Rule
	Pinned bool
	Effect *waste.EffectRecord // nil: not known now
}

// effectOf returns the effect of a rule, or nil if it is not known.
func effectOf(d *lifecycle.Detail, id string) *waste.EffectRecord {
	e, known := d.Effects[id]
	if !known {
		return nil
	}
	return e.Record()
}

func rules(r *request, h head) any {
	var records []rule.Record
	if h.Published != nil {
		records = h.Published.Records
	}
	d := list[published]{head: h, Pager: r.pager("rules", len(records))}
	known, _ := r.d.daemon.Detail(r.ctx, h.Name, lifecycle.Query{Effects: true})
	for i, record := range part(r, records) {
		made, err := record.Rule()
		if err != nil {
			continue // the machine publishes only rules that can be read
		}
		pinned := h.Trials != nil && h.Trials.Wishes != nil && slices.Contains(h.Trials.Wishes.Pins, record.ID)
		d.Rows = append(d.Rows, published{r.seen.veiled(&record), r.skip() + i + 1, made, pinned, effectOf(&known, record.ID)})
	}
	return &d
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

func history(r *request, h head) any {
	known, err := r.d.daemon.Detail(r.ctx, h.Name, lifecycle.Query{})
	return &list[book.Change]{head: h, Detail: err == nil, Rows: part(r, known.History), Pager: r.pager("history", len(known.History))}
}

// verdict is a rule that had a trial.
type verdict struct {
	book.Entry
	Opened []page.Opened
	Effect *waste.EffectRecord // nil: not known now
}

// Against returns the pairs that are shown first: of a refuted rule the first, which speaks against it.
func (v verdict) Against() []page.Opened {
	if v.State != rule.Refuted {
		return nil
	}
	return v.Opened[:min(1, len(v.Opened))]
}

// verdictsOf returns the rules of a detail that had a trial.
func verdictsOf(d *lifecycle.Detail) (all []verdict) {
	for _, e := range d.Tried {
		all = append(all, verdict{e, page.OpenedOf(d.Pairs[e.ID], e.Verdict.Threshold), effectOf(d, e.ID)})
	}
	return all
}

type pairsData struct {
	head
	Detail bool
	Rule   *verdict // nil: unknown
}

func pairs(r *request) (content, error) {
	h, err := r.head("verdicts")
	if err != nil {
		return content{}, err
	}
	d := pairsData{head: h}
	if id := r.query.Get("id"); id != "" {
		known, err := r.d.daemon.Detail(r.ctx, h.Name, lifecycle.Query{ID: id, Most: 1})
		if d.Detail = err == nil; len(known.Tried) > 0 {
			d.Rule = &verdictsOf(&known)[0]
		}
	}
	return content{"pairs", "Pairs · " + title(h.Name), "", &d}, nil
}

func verdicts(r *request, h head) any {
	of := rule.State(r.query.Get("state"))
	if !slices.Contains(states, of) {
		of = ""
	}
	known, err := r.d.daemon.Detail(r.ctx, h.Name, lifecycle.Query{State: of, Skip: r.skip(), Most: perPage, Effects: true})
	d := list[verdict]{head: h, Detail: err == nil, Rows: verdictsOf(&known), Pager: r.pager("verdicts", known.Counted)}
	link := func(text string, state rule.State) {
		d.Filters = append(d.Filters, choice{text, "verdicts?" + url.Values{"site": {h.Name}, "state": {string(state)}}.Encode(), state == of})
	}
	link("all", "")
	for _, state := range states {
		link(string(state), state)
	}
	return &d
}

// likelyGroup is suggested rules of which the same became.
type likelyGroup struct {
	Title string
	Rows  []likelyRow
}

type likelyRow struct {
	rule.Likely
	Trial *book.Entry // nil: the rule had no trial, or the trials are busy
	Has   string      // of the pairs that a trial needs; ""
}

type likelyData struct {
	head
	Groups []likelyGroup
	Pager  pager
}

func likely(r *request, h head) any {
	var all []rule.Likely
	if at, has := slices.BinarySearchFunc(r.seen.Likely, h.Name, func(l rule.List, site string) int { return strings.Compare(l.Site, site) }); has {
		all = r.seen.Likely[at].Rules
	}
	d := likelyData{head: h, Pager: r.pager("likely", len(all))}
	rows := part(r, all)
	asked := make([]rule.Rule, len(rows))
	for i := range rows {
		asked[i] = rows[i].Rule
	}
	known, err := r.d.daemon.Detail(r.ctx, h.Name, lifecycle.Query{Likely: asked})
	now := r.seen.Trials.Now(h.Name)
	for i := range rows {
		title, row := "Not tested: "+now.Words(), likelyRow{Likely: rows[i]}
		if h.On && err == nil {
			title = row.became(&known.Likely[i], &now)
		}
		at := slices.IndexFunc(d.Groups, func(g likelyGroup) bool { return g.Title == title })
		if at < 0 {
			at = len(d.Groups)
			d.Groups = append(d.Groups, likelyGroup{Title: title})
		}
		d.Groups[at].Rows = append(d.Groups[at].Rows, row)
	}
	return &d
}

// became sets what became of a suggested rule, and returns its group. A rule that waits does so for the reason of the
// site.
func (row *likelyRow) became(l *lifecycle.LikelyRule, now *lifecycle.Now) (title string) {
	if row.Trial = l.Trial; row.Trial != nil {
		return "Tested: " + page.StateWords[row.Trial.State]
	}
	if l.Needed > 0 {
		row.Has = fmt.Sprintf("%s of %s needed", page.Number(l.Number), page.Number(l.Needed))
	}
	if l.Untried == forms.Waits && now.Why != lifecycle.Trying && now.Why != lifecycle.Unable {
		return "Not tested: " + l.Untried.Words() + ": " + now.Words()
	}
	return "Not tested: " + l.Untried.Words()
}

// perPage is the number of rows of a page of a table.
const perPage = 50

// pager leads through the pages of a table.
type pager struct {
	All, First, Last int // rows, from 1; First 0: there are none
	Before, After    string
}

// skip returns how many rows come before the page that is asked for.
func (r *request) skip() int {
	n, err := strconv.Atoi(r.query.Get("page"))
	if err != nil || n < 1 || n > 1<<20 {
		n = 1
	}
	return (n - 1) * perPage
}

// pager returns the pager of a table of so many rows.
func (r *request) pager(path string, all int) pager {
	skip := r.skip()
	p := pager{All: all}
	if skip < all {
		p.First, p.Last = skip+1, min(skip+perPage, all)
	}
	n := skip/perPage + 1
	if n > 1 {
		p.Before = r.with(path, "page", strconv.Itoa(n-1))
	}
	if p.Last < all && p.First > 0 {
		p.After = r.with(path, "page", strconv.Itoa(n+1))
	}
	return p
}

// part returns the rows of the page that is asked for.
func part[T any](r *request, all []T) []T {
	skip := min(r.skip(), len(all))
	return all[skip:min(skip+perPage, len(all))]
}

// with returns the address of the page with another value of a parameter.
func (r *request) with(path, name, value string) string {
	q := maps.Clone(r.query)
	q.Set(name, value)
	if name != "page" {
		q.Del("page")
	}
	q.Del("done")
	return path + "?" + q.Encode()
}
