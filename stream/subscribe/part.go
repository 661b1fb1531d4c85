package subscribe

import (
	"fmt"
	"time"

	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/rule"
	"dustbuster/stream/kafka"
	"dustbuster/stream/rules"
)

// part is the state of one partition.
type part struct {
	sets  ledger.Sets
	sites map[string]*held // sites with rules
	next  int64
	goal  int64 // the end of the partition at the start
	end   int64 // the last known end
	last  time.Time
}

// held is a site with its rules.
type held struct {
	rules.Site
	at int64 // time of the publication, Unix seconds
}

// apply applies a batch and reports whether any site's rules have changed.
func (p *part) apply(b *kafka.Batch, keeps func(site, id string) bool, bad func(error)) (changed bool) {
	if b.Lost > 0 {
		bad(fmt.Errorf("%d offsets are lost: %w", b.Lost, b.Why))
	}
	for i := range b.Records {
		r := &b.Records[i]
		p.last = r.Time
		site, news := "", false
		at, err := ledger.ReadTuple(r.Header)
		if err == nil {
			site, news, err = p.sets.Apply(ledger.Record{Key: string(r.Key), Value: r.Value, Tuple: at})
		}
		if news {
			changed = true
			err = p.renew(site, keeps)
		}
		if err != nil {
			bad(fmt.Errorf("offset %d: %w", r.Offset, err))
		}
	}
	p.next, p.end = b.Next, b.End
	return changed
}

// renew replaces a site's rules by its new set, if the set can be applied.
func (p *part) renew(site string, keeps func(site, id string) bool) error {
	set := p.sets.Of(site)
	if set.Unknown != nil {
		first := set.Records[0]
		p.sites[site] = &held{rules.Site{Name: site, ByDomain: first.ByDomain, Hosts: first.Hosts}, set.At}
		return fmt.Errorf("apply no rule of site %q: %w", site, set.Unknown)
	}
	var records []rule.Record
	for _, r := range set.Records {
		if keeps(site, r.ID) {
			records = append(records, r)
		}
	}
	if len(records) == 0 {
		delete(p.sites, site)
		return nil
	}
	s, err := rules.NewSite(site, records)
	if err == nil {
		_, err = (&rules.List{Sites: []rules.Site{s}}).Compile()
	}
	if err != nil {
		return fmt.Errorf("apply the rules of site %q: %w", site, err)
	}
	p.sites[site] = &held{s, set.At}
	return nil
}
