package html

import (
	"fmt"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
)

// card is a rule as it is shown.
type card struct {
	Words    string // the rule
	State    string // "": the rule was not tried
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
	Others   int

	kind  kind
	urls  int
	order int       // by state
	rule  rule.Rule // in the direction shown
}

// card makes the card of a rule in the group of its kind. The pages that the rule leads together
// are joined.
func (b *builder) card(f *Finding) {
	c := &card{Others: f.Others, Learner: f.Likely.Wire().Learner}
	var p text.Proposal
	if f.Entry != nil {
		p = text.Proposal{Rule: f.Entry.Rule, Effect: b.reach.Effect(&f.Entry.Rule)}
		c.judge(f.Entry)
	} else {
		p = text.Propose(b.reach, f.Likely.Rule)
		c.Why = p.Why
	}
	c.rule, c.urls, c.kind = p.Rule, p.Effect.URLs, kindOf(&p.Rule, b.hosts() != nil)
	words := p.Rule.Words()
	if p.Rule.Kind == rule.Substring && p.Why == "" && f.Entry == nil {
		words = p.Rule.PairWords()
	}
	c.Words = page.Cut(400, b.o.Veil.Mask(words))
	c.tell(&f.Likely, &p.Effect)
	g := b.group(c.kind)
	g.Cards = append(g.Cards, c)
	joined := []*miner.Joined{g.joined}
	if f.Entry == nil { // else the rules that hold join pages together
		joined = append(joined, b.joined)
	}
	c.Examples = b.examples(f, &p.Rule, joined...)
}

// tell sets the figures of the log.
func (c *card) tell(l *rule.Likely, e *miner.Effect) {
	c.Merges = page.Count(e.URLs, "URL")
	if e.Hits > 0 {
		c.Tally = page.Count(e.Hits, "hit") + ", " + size(e.Bytes)
	}
	if !l.Weighed {
		return
	}
	expected := fmt.Sprintf("%.1f", l.Expected)
	c.Pairs = fmt.Sprintf("%s of %s alike, %s by chance", page.Number(l.Alike), page.Count(l.Pairs, "pair"), expected)
	c.Weight = fmt.Sprintf("%.1f", l.Weight)
	if l.Pairs == 0 {
		return
	}
	all := float64(l.Pairs)
	chance := min(l.Expected, float64(l.Alike)) / all
	c.Bar = &page.Row{Title: c.Pairs, Parts: []page.Part{{Tone: page.Kept, Share: chance}, {Tone: page.Good, Share: float64(l.Alike)/all - chance}}}
}

// judge sets the verdict of a trial.
func (c *card) judge(e *lifecycle.Entry) {
	v := &e.Verdict
	c.State = string(e.State)
	switch e.State {
	case rule.Valid:
		c.Tone, c.order = good, 0
	case rule.Refuted, rule.Retired:
		c.Tone, c.order = bad, 2
	default:
		c.Tone, c.order = "warn", 1
	}
	c.Verdict = fmt.Sprintf("%s fetched: %s the same, %s other, %s without proof; ", page.Count(v.Positives+v.Negatives+v.Skipped, "pair"),
		page.Number(v.Positives), page.Number(v.Negatives), page.Number(v.Skipped))
	c.Verdict += fmt.Sprintf("at most %.2f %% of its pairs are other pages", 100*v.Bound)
	if e.State == rule.Undecided && v.Reason != "trial" && v.Reason != "" {
		c.Verdict += " (undecided: " + text.Reason(v.Reason) + ")"
	}
}
