package html

import (
	"cmp"
	"fmt"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

// card is a rule as it is shown.
type card struct {
	Rank     int
	Words    string // the rule
	URLs     int    // that the rule merges
	Fetched  string // how often these were fetched; "": not known
	Askers   string // who asked for them; "": not known
	Log      grounds
	Trial    outcome
	Examples []example
	Opened   []page.Opened
	Notes    []string // the direction, and rules that share the row

	rule    rule.Rule // in the direction shown
	scanned bool      // scanners made nearly all pairs of the rule
	counts  bool      // the rule counts in what duplicates cost
}

// grounds is what the log says for a rule.
type grounds struct {
	Pairs, Chance string // "": the learner compares none
	Bar           *page.Row
}

// outcome is what a trial said of a rule.
type outcome struct {
	State  string // "": the rule had no trial
	Tone   string // of the state
	Words  string
	order  int
	proved bool
}

// card makes the card of a rule. The pages that the rule leads together are joined.
func (b *builder) card(f *Finding) {
	c := &card{}
	p := text.Proposal{}
	if f.Entry != nil {
		p = text.Proposal{Rule: f.Entry.Rule, Effect: b.reach.Effect(&f.Entry.Rule)}
		c.Trial = outcomeOf(f.Entry)
		c.Opened = open(f)
		c.counts = c.Trial.proved
	} else if p = text.Propose(b.reach, f.Rule.Rule); p.Why != "" {
		c.Notes = append(c.Notes, "Direction: to "+p.Why+".")
	}
	if c.rule = p.Rule; f.Entry == nil {
		c.counts = shown.Counts(&f.Rule) && f.Unasked == ""
	}
	words := p.Rule.Words()
	if p.Rule.Kind() == rule.KindSubstring && p.Why == "" && f.Entry == nil {
		words = p.Rule.PairWords()
	}
	c.Words = page.Cut(400, text.MaskedWords(words, &p.Rule, b.reach, b.o.Veil))
	c.scanned = b.notes.OfScanners(&p.Rule, b.reach.Pairs)
	c.tell(&f.Rule, &p.Effect)
	if f.Entry == nil {
		c.Notes = append(c.Notes, text.Doubts(&f.Row)...)
	}
	for _, line := range text.Folded(&f.Row, b.o.Veil) {
		c.Notes = append(c.Notes, page.Cut(400, line))
	}
	b.cards = append(b.cards, c)
	b.show(c, f)
}

// tell sets the figures of the log.
func (c *card) tell(l *rule.Likely, e *miner.Effect) {
	if c.URLs = e.URLs; e.Hits > 0 {
		c.Fetched = page.Count(e.Hits, "time") + ", " + text.Size(e.Bytes)
	}
	if !l.Weighed {
		return
	}
	g := &c.Log
	g.Pairs = fmt.Sprintf("%s of %s match in size", page.Number(l.Alike), page.Count(l.Pairs, "pair"))
	if l.Pairs > 0 {
		all := float64(l.Pairs)
		chance := min(l.Expected, float64(l.Alike)) / all
		g.Chance = fmt.Sprintf("about %.0f would by chance", l.Expected)
		g.Bar = &page.Row{Title: g.Pairs + ", " + g.Chance, Parts: []page.Part{{Tone: page.Kept, Share: chance}, {Tone: page.Good, Share: float64(l.Alike)/all - chance}}}
	}
}

// outcomeOf returns what the trial of a rule said.
func outcomeOf(e *book.Entry) outcome {
	v := &e.Verdict
	o := outcome{State: page.StateWords[e.State], order: 1, Tone: page.StateTone(e.State), Words: page.Evidence(v)}
	switch e.State {
	case rule.Valid:
		o.order, o.proved = 0, true
	case rule.Refuted, rule.Retired:
		o.order = 2
	case rule.Undecided:
		if v.Reason != "trial" && v.Reason != "" {
			o.Words += ". Undecided: " + page.Visible(text.Reason(v.Reason))
		}
	}
	return o
}

// open returns the pairs of a verdict that does not prove the rule, as far as they are known.
func open(f *Finding) []page.Opened {
	if f.Entry.State == rule.Valid && !f.Entry.IsProvisional() {
		return nil
	}
	known := slices.DeleteFunc(slices.Clone(f.Opened), func(o book.Opened) bool { return o.At == 0 })
	return page.OpenedOf(known, f.Entry.Verdict.Threshold)
}

// top is the rules of a site that explain most of what crawlers fetched twice.
type top struct {
	Cards []*card
	share float64 // of the duplicates by all rules that count
}

// first chooses the rules for the first screen, as text.First does.
func (b *builder) first() (t top) {
	counted := slices.DeleteFunc(slices.Clone(b.cards), func(c *card) bool { return !c.counts })
	slices.SortStableFunc(counted, func(c, d *card) int { return cmp.Compare(d.URLs, c.URLs) })
	mask := uint32(0)
	if b.site.Waste != nil {
		who, _ := (*waste.Told)(b.site.Waste).Who()
		mask = who.Mask()
	}
	all, savings := b.reach.Savings(mask), make([]miner.Saving, len(counted))
	for i, c := range counted {
		savings[i] = all.Add(&c.rule)
	}
	first, share := text.First(savings, all.URLs)
	for _, i := range first {
		t.Cards = append(t.Cards, counted[i])
	}
	t.share = share
	return t
}

// asked says which crawlers asked for the URLs that a rule merges.
func (b *builder) asked(merged []int) string {
	var e waste.Effect
	pages := b.reach.Pages()
	for _, u := range merged {
		if n := int(pages[u].Number); n < len(b.families) {
			e.Add(&pages[u], b.families[n], 0)
		}
	}
	return page.Families(e.Record().Families)
}
