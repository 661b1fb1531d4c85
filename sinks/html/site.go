package html

import (
	"cmp"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/beside"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

const unnamed = "unnamed site" // the log names no host

// Finding is a rule of a site.
type Finding struct {
	shown.Row             // as the log supports the rule; of a rule that had a trial, perhaps only the rule
	Entry     *book.Entry // with the verdict; nil: the rule had no trial

	Opened []book.Opened // the pairs of the verdict; shown unless the rule is proved
}

// Site is a site of the log with its rules.
type Site struct {
	Machine  *miner.Machine
	Reach    *miner.Reach   // nil: made by Add
	Waste    *page.Waste    // by the likely rules shown, or by the rules of Holding; nil: not known
	Days     []waste.Day    // the same by day; nil: not known
	Beside   []beside.Waste // what is waste and no duplicate
	Findings []Finding      // shown, best first
	All      int            // rules of the site, those not shown included
	Hidden   shown.Hidden   // of those not shown
	Folded   int            // of those not shown: rules that share the row of another rule
	Holding  []rule.Rule    // of rules that had a trial: those that hold together, in their order

	Explained []rule.Likely // of those not shown: rules that a catch-all explains
}

// section is a site as it is shown.
type section struct {
	Number int // of the section, for links
	Name   string
	URLs   int
	All    int // rules
	Shown  int
	Left   []string // what was left out
	Notes  told
	Sizes  sizes
	Dust   page.Shares
	Top    top     // for the first screen
	Cards  []*card // in their order
	Do     advice
	dust   miner.Dust
}

// told is what the log of a site cannot tell.
type told struct {
	All   []note
	Clear string // without notes: how pages can be compared
	Good  bool   // of Clear: they can be
}

type note struct {
	notes.Note
	Explains string // rules; "": none
}

// Add adds a site. Add takes a few passes over the URLs of the site.
func (r *Report) Add(s *Site) {
	m, reach := s.Machine, s.Reach
	if reach == nil {
		reach = m.Reach()
	}
	r.rules += s.All
	if s.Waste != nil {
		r.waste.Add(s.Waste)
	}
	for _, d := range s.Days {
		sum := r.days[d.Date]
		sum.Date = d.Date
		sum.Add(d)
		r.days[d.Date] = sum
	}
	veil := r.o.Veil
	veil.Own = m.Own()
	r.addBeside(name(m), s.Beside, veil)
	if len(s.Findings)+len(s.Explained) == 0 {
		w := row{name(m), m.URLs(), s.All, miner.Dust{}, r.bare(s, reach)}
		w.Dust = reach.Join().Dust()
		r.dust.Add(w.Dust)
		r.name(w)
		return
	}
	o := r.o
	o.Veil = veil
	b := builder{o: &o, site: s, reach: reach, notes: reach.Notes(), families: m.Families(), acts: r.acts}
	made := b.section()
	r.dust.Add(made.dust)
	r.insert(made)
}

// bare says what the log of a site without rules that are shown shows. Of rules that had no trial, the
// log does not say why.
func (r *Report) bare(s *Site, reach *miner.Reach) (all []string) {
	for _, n := range reach.Notes().Notes {
		all = append(all, n.String()+".")
	}
	switch {
	case s.All > 0:
		return append(all, text.Hidden(&s.Hidden)...)
	case r.o.Tried:
		return all
	}
	seen := reach.See()
	return append(all, seen.String())
}

func name(m *miner.Machine) string { return cmp.Or(m.Site(), unnamed) }

// builder makes the section of a site.
type builder struct {
	o        *Options
	site     *Site
	reach    *miner.Reach
	notes    *notes.Site
	families []uint32              // who asked, by the number of the URL
	acts     func(url string) bool // the URL looks like an action
	joined   *miner.Joined         // by all rules shown, or by the rules that hold
	cards    []*card

	canonizer *canon.Canonizer // of the rules that hold; nil: not made yet
}

// hosts returns the hosts of the site, if its URLs begin with their hosts.
func (b *builder) hosts() []string { return b.o.Hosts(b.site.Machine.Site()) }

func (b *builder) section() *section {
	m := b.site.Machine
	b.joined = b.reach.Join()
	for i := range b.site.Findings {
		b.card(&b.site.Findings[i])
	}
	slices.SortStableFunc(b.cards, func(c, d *card) int { return cmp.Compare(c.Trial.order, d.Trial.order) })
	for i, c := range b.cards {
		c.Rank = i + 1
	}
	if b.o.Tried {
		b.hold()
	}
	d := b.joined.Dust()
	return &section{
		Name: name(m), URLs: len(b.reach.Pages()), All: b.site.All, Shown: len(b.site.Findings), Left: b.left(),
		Notes: b.told(), Sizes: b.sizes(), Dust: shares(&d), dust: d, Top: b.first(), Cards: b.cards, Do: b.advise(),
	}
}

func (b *builder) told() (t told) {
	for _, n := range b.notes.Notes {
		t.All = append(t.All, note{n, page.Cut(400, text.Explained(n, b.site.Explained, b.o.Veil))})
	}
	t.Clear, t.Good = b.notes.Summary()
	return t
}

// left says which rules are not shown.
func (b *builder) left() (all []string) {
	s := b.site
	if more := s.All - len(s.Findings) - s.Hidden.Total() - s.Folded - len(s.Explained); more > 0 {
		all = append(all, page.Count(more, "more rule")+" with less effect or evidence")
	}
	if s.Folded > 0 {
		all = append(all, page.Count(s.Folded, "rule")+" like one that is listed")
	}
	if n := len(s.Explained); n > 0 {
		all = append(all, page.Count(n, "rule")+" explained by pages that the site shows for any name")
	}
	return append(all, text.Hidden(&s.Hidden)...)
}

// shares is the picture of the duplicates.
func shares(d *miner.Dust) page.Shares {
	rows := []page.Row{bar("URLs", d.URLs, d.AllURLs, page.Number(d.URLs)+" of "+page.Number(d.AllURLs))}
	if d.AllHits > 0 {
		rows = append(rows, bar("Requests", d.Hits, d.AllHits, page.Number(d.Hits)+" of "+page.Number(d.AllHits)))
	}
	if d.AllBytes > 0 {
		rows = append(rows, bar("Bytes", d.Bytes, d.AllBytes, text.Size(d.Bytes)+" of "+text.Size(d.AllBytes)))
	}
	return page.Shares{Rows: rows, Legend: []page.Key{{Tone: page.Dust, Text: "duplicates"}, {Tone: page.Kept, Text: "each page once"}}}
}

func bar(label string, part, all int64, words string) page.Row {
	share := float64(part) / float64(max(all, 1))
	return page.Row{
		Label: label, Value: page.Percent(share) + " · " + words, Title: label + ": " + page.Percent(share) + " are duplicates, " + words,
		Parts: []page.Part{{Tone: page.Dust, Share: share}, {Tone: page.Kept, Share: 1 - share}},
	}
}
