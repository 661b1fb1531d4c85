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

type section struct {
	Number int // of the section, for links
	Name   string
	URLs   int
	All    int // rules
	Shown  int
	Left   []string // what was left out
	Notes  []note
	Clear  string // without notes: how pages can be compared
	Good   bool   // of Clear: they can be
	Sizes  sizes
	Dust   page.Shares
	Cards  []*card  // in their order
	Groups []*group // of the cards
	Files  []file   // texts to copy
	dust   miner.Dust
	Tried  bool
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
	b := builder{o: &o, site: s, reach: reach, notes: reach.Notes()}
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

type builder struct {
	o      *Options
	site   *Site
	reach  *miner.Reach
	notes  *notes.Site
	joined *miner.Joined // by all rules shown, or by the rules that hold
	cards  []*card
	groups []*group
	asked  bool // see askForProof

	canonizer *canon.Canonizer // see settled; nil: not made yet
}

// hosts returns the hosts of the site, if its URLs begin with their hosts.
func (b *builder) hosts() []string { return b.o.Hosts(b.site.Machine.Site()) }

func (b *builder) section() *section {
	m := b.site.Machine
	b.joined = b.reach.Join()
	for i := range b.site.Findings {
		b.card(&b.site.Findings[i])
	}
	slices.SortStableFunc(b.cards, func(a, b *card) int { return cmp.Compare(a.order, b.order) })
	for i, c := range b.cards {
		c.Rank = i + 1
	}
	if b.o.Tried {
		b.hold()
	}
	d := b.joined.Dust()
	clear, good := b.notes.Summary()
	return &section{
		Name: name(m), URLs: len(b.reach.Pages()), All: b.site.All, Shown: len(b.site.Findings), Left: b.left(), Tried: b.o.Tried,
		Notes: b.told(), Clear: clear, Good: good, Sizes: b.sizes(), Dust: shares(&d), dust: d, Groups: b.finish(), Cards: b.cards, Files: b.files(),
	}
}

func (b *builder) told() (all []note) {
	for _, n := range b.notes.Notes {
		all = append(all, note{n, page.Cut(400, text.Explained(n, b.site.Explained, b.o.Veil))})
	}
	return all
}

// left says which rules are not shown.
func (b *builder) left() (all []string) {
	s := b.site
	if more := s.All - len(s.Findings) - s.Hidden.Total() - s.Folded - len(s.Explained); more > 0 {
		all = append(all, page.Count(more, "further rule")+", of less effect or weight")
	}
	if s.Folded > 0 {
		all = append(all, page.Count(s.Folded, "rule")+" that share the row of another rule")
	}
	if n := len(s.Explained); n > 0 {
		all = append(all, page.Count(n, "rule")+" explained by pages that answer for any name")
	}
	return append(all, text.Hidden(&s.Hidden)...)
}

// shares is the picture of the duplicates.
func shares(d *miner.Dust) page.Shares {
	rows := []page.Row{bar("URLs", d.URLs, d.AllURLs, page.Number(d.URLs)+" of "+page.Number(d.AllURLs))}
	if d.AllHits > 0 {
		rows = append(rows, bar("Hits", d.Hits, d.AllHits, page.Number(d.Hits)+" of "+page.Number(d.AllHits)))
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
