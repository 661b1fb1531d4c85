package owner

import (
	"cmp"
	"fmt"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/window/table"
)

// Acts yields acts that restore the machines whose acts were written, except for older
// pairs. Those of each site come in the order of lifecycle.Machine.Dump, its cuts first. A
// value that cannot be read is reported to bad and skipped.
func (o *Owner) Acts(bad func(error), yield func(Act) bool) {
	for _, site := range o.l.Sites() {
		if cuts := o.cuts(site, bad); cuts != nil && !yield(Act{Site: site, Cuts: cuts}) {
			return
		}
		for _, a := range o.acts(site, bad) {
			if !yield(Act{Site: site, Act: a}) {
				return
			}
		}
	}
}

// cuts returns the cuts of a site's window, nil if there are none.
func (o *Owner) cuts(site string, bad func(error)) []table.Cut {
	k := key(ledger.State, site, share)
	value := o.l.Value(k)
	if value == nil {
		return nil
	}
	cuts, err := table.DecodeCuts(value)
	if err != nil {
		bad(fmt.Errorf("read %.100q: %w", k, err))
	}
	return cuts
}

func (o *Owner) acts(site string, bad func(error)) (all []book.Act) {
	read := func(k ledger.Key) (book.Act, bool) {
		value := o.l.Value(k)
		if value == nil {
			return book.Act{}, false
		}
		a, err := readState(k, value)
		if err != nil {
			bad(err)
		}
		return a, err == nil
	}
	for id := range o.l.Names(site, ledger.Verdict) {
		if a, ok := read(key(ledger.Verdict, site, id)); ok {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b book.Act) int {
		return cmp.Or(cmp.Compare(a.Rule.Verdict.Time, b.Rule.Verdict.Time), cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
	for _, b := range o.blocks(site, &drafts{}, bad) {
		for i := range b.Pairs {
			all = append(all, book.Act{Pair: &b.Pairs[i]})
		}
	}
	for _, name := range [...]string{noise, learnt, round, publication, approved, separators, wishes, files, stale} {
		a, ok := read(key(ledger.State, site, name))
		if name == publication {
			a.Publication, ok = o.publication(site)
			ok = ok && a.Publication.Sequence > 0
		}
		if ok {
			all = append(all, a)
		}
	}
	return all
}

// Politeness returns the value of the key fetch, or nil.
func (o *Owner) Politeness() []byte { return o.l.Value(ledger.Key{Kind: ledger.Fetch}) }

// Compact writes the difference between the log and a dump of the machines, and withdraws
// the verdicts that they forgot. Sites missing in the dump stay unchanged.
func (o *Owner) Compact(dump []Act, politeness []byte) []Batch {
	kept := map[string]map[string]bool{}
	for i := range dump {
		site := dump[i].Site
		if kept[site] == nil {
			kept[site] = map[string]bool{}
		}
		if e := dump[i].Act.Rule; e != nil {
			kept[site][e.ID] = true
		}
	}
	all := o.Write(o.unknown(dump), politeness)
	for _, site := range sorted(kept) {
		var b Batch
		for _, id := range slices.Sorted(o.l.Names(site, ledger.Verdict)) {
			if !kept[site][id] {
				b = append(b, o.number(key(ledger.Verdict, site, id), nil))
			}
		}
		if len(b) > 0 {
			all = append(all, b)
		}
	}
	o.written = 0
	return all
}
