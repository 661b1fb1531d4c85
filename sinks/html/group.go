package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

// kind is what a rule does, for people.
type kind int

const (
	leftOut  kind = iota // parameters
	valued               // parameters
	hosts                // of several hosts
	removed              // pieces of the URL
	replaced             // pieces of the URL
	spelled              // syntax
	shaped               // templates
	other                // of a kind that the report has no words for
)

var kinds = [...]struct{ title, about string }{
	leftOut:  {"Parameters left out", "The page seems to be the same with and without the parameter."},
	valued:   {"Parameters set to one value", "The page seems to be the same whatever the value is, and seems to need the parameter."},
	hosts:    {"Hosts joined", "Several hosts seem to serve the same pages."},
	removed:  {"Pieces left out", "The page seems to be the same with and without a piece of the URL, such as the name of a default page."},
	replaced: {"Pieces replaced", "Two pieces of URLs seem to mean the same, such as two folders with one content."},
	spelled:  {"Spelling made regular", "The server seems to accept several spellings of one URL."},
	shaped:   {"URLs of one shape rewritten", "URLs of one shape seem to show the pages of URLs of another shape."},
	other:    {"Other edits", "The page seems to be the same before and after the edit."},
}

// kindOf returns what a rule does. Mined strings begin with their host if byDomain is set.
func kindOf(r *rule.Rule, byDomain bool) kind {
	if r.Kind() == rule.KindSubstring {
		return kindOfPair(r, byDomain)
	}
	if k, known := kindsOf[r.Kind()]; known {
		return k
	}
	return other
}

var kindsOf = map[rule.Kind]kind{
	rule.KindDrop: leftOut, rule.KindSet: valued, rule.KindOrder: spelled, rule.KindSyntax: spelled, rule.KindRewrite: shaped, rule.KindSegment: removed,
}

// kindOfPair is kindOf for a substring rule.
func kindOfPair(r *rule.Rule, byDomain bool) kind {
	switch {
	case byDomain && r.Sides().AtStart && hostOf(r.Sides().From) != hostOf(r.Sides().To):
		return hosts
	case strings.HasPrefix(r.Sides().From, r.Sides().To) || strings.HasSuffix(r.Sides().From, r.Sides().To):
		return removed
	}
	return replaced
}

// hostOf returns the text before the path.
func hostOf(side string) string {
	host, _, _ := strings.Cut(side, "/")
	return host
}

// group is the rules of a site that do alike.
type group struct {
	Kind  kind
	URLs  int // that the rules merge; of rules that had a trial, the valid rules
	Cards []*card
	Steps []step

	joined *miner.Joined
	shown  []rule.Rule // that may be shown as they are, in the order of the cards

	scanned int // rules left out of the advice: scanners made their pairs
}

// Kind returns the name of the card's group.
func (c *card) Kind() string { return kinds[c.kind].title }

func (g *group) Title() string { return kinds[g.Kind].title }

func (g *group) About() string { return kinds[g.Kind].about }

func (b *builder) group(k kind) *group {
	for _, g := range b.groups {
		if g.Kind == k {
			return g
		}
	}
	g := &group{Kind: k, joined: b.reach.Join()}
	b.groups = append(b.groups, g)
	return g
}

// finish counts the merged URLs of the groups, sorts them, and adds the advice.
func (b *builder) finish() []*group {
	for _, g := range b.groups {
		g.URLs = int(g.joined.Dust().URLs)
		g.joined = nil
		slices.SortStableFunc(g.Cards, func(a, b *card) int { return cmp.Compare(a.order, b.order) })
		b.advise(g)
	}
	slices.SortStableFunc(b.groups, func(a, b *group) int { return cmp.Or(cmp.Compare(b.URLs, a.URLs), cmp.Compare(a.Kind, b.Kind)) })
	return b.groups
}

// card is a rule as it is shown.
type card struct {
	Words    string // the rule
	State    string // "": the rule had no trial
	Tone     string // of the state
	Learner  string
	Merges   string
	Tally    string
	Pairs    string
	Bar      *page.Row
	Weight   string
	Verdict  string
	Why      string // the direction
	Examples []example
	Opened   []page.Opened
	Folded   []string // rules that share the row
	Shared   string   // that the rule's texts have little part in it
	Rank     int

	kind   kind
	order  int       // by state
	proved bool      // the rule held in its trial
	rule   rule.Rule // in the direction shown

	scanned bool // scanners made nearly all pairs of the rule
}

// card makes the card of a rule in the group of its kind. The pages that the rule leads together
// are joined.
func (b *builder) card(f *Finding) {
	c := &card{Learner: f.Rule.Wire().Learner}
	for _, line := range text.Folded(&f.Row, b.o.Veil) {
		c.Folded = append(c.Folded, page.Cut(400, line))
	}
	var p text.Proposal
	if f.Entry != nil {
		p = text.Proposal{Rule: f.Entry.Rule, Effect: b.reach.Effect(&f.Entry.Rule)}
		c.judge(f.Entry)
		c.Opened = open(f)
	} else {
		p = text.Propose(b.reach, f.Rule.Rule)
		c.Why = p.Why
	}
	c.rule, c.kind = p.Rule, kindOf(&p.Rule, b.hosts() != nil)
	words := p.Rule.Words()
	if p.Rule.Kind() == rule.KindSubstring && p.Why == "" && f.Entry == nil {
		words = p.Rule.PairWords()
	}
	c.Words = page.Cut(400, text.MaskedWords(words, &p.Rule, b.reach, b.o.Veil))
	c.scanned = b.notes.OfScanners(&p.Rule, b.reach.Pairs)
	c.tell(&f.Rule, &p.Effect)
	g := b.group(c.kind)
	g.Cards = append(g.Cards, c)
	b.cards = append(b.cards, c)
	joined := []*miner.Joined{g.joined}
	if f.Entry == nil { // else the rules that hold join pages together
		joined = append(joined, b.joined)
	}
	c.Examples = b.examples(f, &p.Rule, joined...)
}

// open returns the pairs of a verdict that does not prove the rule, as far as they are known.
func open(f *Finding) []page.Opened {
	if f.Entry.State == rule.Valid && !f.Entry.IsProvisional() {
		return nil
	}
	known := slices.DeleteFunc(slices.Clone(f.Opened), func(o book.Opened) bool { return o.At == 0 })
	return page.OpenedOf(known, f.Entry.Verdict.Threshold)
}

// tell sets the figures of the log.
func (c *card) tell(l *rule.Likely, e *miner.Effect) {
	c.Merges = page.Count(e.URLs, "URL")
	if e.Hits > 0 {
		c.Tally = page.Count(e.Hits, "hit") + ", " + text.Size(e.Bytes)
	}
	if !l.Weighed {
		return
	}
	expected := fmt.Sprintf("%.1f", l.Expected)
	c.Pairs = fmt.Sprintf("%s of %s alike, %s by chance", page.Number(l.Alike), page.Count(l.Pairs, "pair"), expected)
	c.Weight = fmt.Sprintf("%.1f", l.Weight)
	if text.Shared(l) {
		c.Shared = text.SharedWords
	}
	if l.Pairs == 0 {
		return
	}
	all := float64(l.Pairs)
	chance := min(l.Expected, float64(l.Alike)) / all
	c.Bar = &page.Row{Title: c.Pairs, Parts: []page.Part{{Tone: page.Kept, Share: chance}, {Tone: page.Good, Share: float64(l.Alike)/all - chance}}}
}

func (c *card) judge(e *book.Entry) {
	v := &e.Verdict
	c.State = string(e.State)
	switch e.State {
	case rule.Valid:
		c.Tone, c.order, c.proved = good, 0, true
	case rule.Refuted, rule.Retired:
		c.Tone, c.order = bad, 2
	default:
		c.Tone, c.order = "warn", 1
	}
	c.Verdict = fmt.Sprintf("%s fetched: %s the same, %s other, %s without proof; ", page.Count(v.Positives+v.Negatives+v.Skipped, "pair"),
		page.Number(v.Positives), page.Number(v.Negatives), page.Number(v.Skipped))
	c.Verdict += fmt.Sprintf("at most %.2f %% of its pairs are other pages", 100*v.Bound)
	if e.IsProvisional() {
		c.Verdict += "; provisional: few pairs were compared, and none spoke against the rule"
	}
	if e.State == rule.Undecided && v.Reason != "trial" && v.Reason != "" {
		c.Verdict += " (undecided: " + text.Reason(v.Reason) + ")"
	}
}
