package daemon

import (
	"context"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/sinks/text"

	"go.uber.org/zap"
)

// hints are what became of listed parameters and of known duplicates (--lists, --labels).
type hints struct {
	listed   text.Listed
	labelled text.Labelled
}

// logHints logs what became of the hints when the loop has ended, in the words of mine or validate.
func logHints(d *alone) {
	if d.lists == nil && d.labels == nil {
		return
	}
	var h hints
	d.loop.Sites(func(m *miner.Machine, likely []rule.Likely) {
		reach := m.Reach()
		rules := h.add(d, reach, m.Site(), likely)
		if d.labels == nil {
			return
		}
		if err := h.labelled.Site(d.labels, m.Site(), rules, reach.Pages()); err != nil {
			d.log.Error("cannot apply the rules to the tables of duplicates", zap.String("site", m.Site()), zap.Error(err))
		}
	})
	veil := d.config.Load().Veil().Mask
	said, of := h.listed.Outcome, "the confirmed rules"
	if d.worker == nil {
		said, of = h.listed.Looks, "the suggested rules"
	}
	if d.lists != nil {
		d.log.Info(said(veil))
	}
	if d.labels != nil {
		d.log.Info(h.labelled.Outcome(of, veil))
	}
}

// add adds the listed parameters of a site, and returns its confirmed rules; without trials, those that mine suggests.
func (h *hints) add(d *alone, reach *miner.Reach, site string, likely []rule.Likely) (rules []rule.Rule) {
	names := miner.Listed(reach)
	if d.worker == nil {
		chosen, _ := shown.Choose(likely, false)
		h.listed.Mined(names, chosen, likely)
		for i := range chosen {
			rules = append(rules, text.Propose(reach, chosen[i].Rule).Rule)
		}
		return rules
	}
	var entries []*book.Entry
	if known, err := d.worker.Detail(context.Background(), site, lifecycle.Query{Most: mostTried}); err == nil { // else nothing was tried
		for i := range known.Tried {
			entries = append(entries, &known.Tried[i])
		}
	}
	h.listed.Tested(names, entries)
	if p := d.worker.Published()[site]; p != nil {
		for _, record := range p.Records {
			if r, err := record.Rule(); err == nil { // a published record has a rule
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// mostTried is the number of tried rules of a site that are looked at.
const mostTried = 100_000
