package owner

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/window/table"
)

// Act is one act of a site's machine. If Cuts is set, it is instead the present cuts of the
// site's window.
type Act struct {
	Site string
	Act  book.Act
	Cuts []table.Cut
}

// Write makes records of acts, in one batch for each site, with the published records last.
// Values that are already in the log are not written. politeness is the value of the key
// fetch, or nil if it has not changed.
func (o *Owner) Write(acts []Act, politeness []byte) (all []Batch) {
	bySite := map[string][]*Act{}
	for i := range acts {
		bySite[acts[i].Site] = append(bySite[acts[i].Site], &acts[i])
	}
	for _, site := range sorted(bySite) {
		if b := o.fair(site, o.drafts(site, bySite[site])); len(b) > 0 {
			all = append(all, b)
		}
	}
	if k := (ledger.Key{Kind: ledger.Fetch}); politeness != nil && o.news(k, politeness) {
		all = append(all, Batch{o.number(k, politeness)})
	}
	return all
}

// drafts are the values that result from a site's acts.
type drafts struct {
	keys      []ledger.Key // in the order of their first act
	values    map[ledger.Key][]byte
	published *book.Publication // the last publication
}

func (d *drafts) put(k ledger.Key, a book.Act) { d.set(k, a.Encode()) }

func (d *drafts) set(k ledger.Key, value []byte) {
	if _, ok := d.values[k]; !ok {
		d.keys = append(d.keys, k)
	}
	d.values[k] = value
}

func (o *Owner) drafts(site string, acts []*Act) *drafts {
	d := &drafts{values: map[ledger.Key][]byte{}}
	for _, a := range acts {
		if a.Cuts != nil {
			d.set(key(ledger.State, site, share), table.EncodeCuts(a.Cuts))
			continue
		}
		o.draft(d, site, &a.Act)
	}
	return d
}

// draft records the changes made by one act.
func (o *Owner) draft(d *drafts, site string, a *book.Act) {
	state := func(name string) ledger.Key { return key(ledger.State, site, name) }
	if a.Pair != nil {
		o.pair(d, site, a.Pair)
		o.again(d, site, a.Pair)
	}
	if a.Noise > 0 {
		d.put(state(noise), book.Act{Noise: a.Noise})
	}
	if a.Stale != nil {
		o.forget(d, site, a.Stale.Pairs)
		d.put(state(stale), book.Act{Stale: &book.Stale{Since: a.Stale.Since}})
	}
	if a.Rule != nil {
		o.verdict(d, site, a.Rule)
	}
	if a.Learnt != nil && a.Learnt.Stage > 0 {
		d.put(state(learnt), book.Act{Learnt: a.Learnt})
	}
	if a.Round != nil && a.Round.At > 0 {
		d.put(state(round), book.Act{Round: a.Round})
	}
	if p := a.Publication; p != nil && p.Sequence > 0 {
		if _, begun := d.values[state(round)]; !begun && o.l.Value(state(round)) == nil {
			d.put(state(round), book.Act{Round: &book.Round{At: p.At}}) // as the machine does after a publication
		}
		d.published = p
	}
	if a.Separators != 0 {
		d.put(state(separators), book.Act{Separators: a.Separators})
	}
	if a.Wishes != nil {
		d.put(state(wishes), book.Act{Wishes: a.Wishes})
	}
	if a.Files != nil {
		d.put(state(files), book.Act{Files: a.Files})
	}
	if a.Approved != "" {
		d.put(state(approved), book.Act{Approved: a.Approved})
	}
}

// verdict drafts the record of a rule's entry, without parts that reveal URLs.
func (o *Owner) verdict(d *drafts, site string, e *book.Entry) {
	bare := *e
	bare.Verdict.Examples, bare.Sent = nil, nil
	d.put(key(ledger.Verdict, site, e.ID), book.Act{Rule: &bare})
}

// again counts a pair that was tried again for a rule, as the machine does.
func (o *Owner) again(d *drafts, site string, p *book.PairAct) {
	if p.Rule == "" {
		return
	}
	k := key(ledger.Verdict, site, p.Rule)
	value := d.values[k]
	if value == nil {
		value = o.l.Value(k)
	}
	a, err := readState(k, value)
	if err != nil {
		return // the machine did not have the rule either
	}
	a.Rule.Change.Again++
	if p.Changed {
		a.Rule.Change.Changed++
	}
	o.verdict(d, site, a.Rule)
}

func (o *Owner) fair(site string, d *drafts) (b Batch) {
	for _, k := range d.keys {
		if o.news(k, d.values[k]) {
			b = append(b, o.number(k, d.values[k]))
		}
	}
	if d.published != nil {
		b = append(b, o.publish(site, d.published)...)
	}
	return b
}

// news reports whether a value differs from the log's value of a key.
func (o *Owner) news(k ledger.Key, value []byte) bool {
	return o.mend[k] || !bytes.Equal(o.l.Value(k), value)
}

// republish writes a site's set again. A set of unknown content, such as that of a newer
// program, stays unchanged.
func (o *Owner) republish(site string) Batch {
	p, known := o.publication(site)
	if !known {
		maps.DeleteFunc(o.mend, func(k ledger.Key, _ bool) bool { return k.Site == site && published(k) })
		return nil
	}
	for i := range p.Records {
		o.note(key(ledger.Rule, site, p.Records[i].ID), true)
	}
	o.note(key(ledger.State, site, publication), true)
	o.note(ledger.Key{Kind: ledger.Set, Site: site}, true)
	return o.publish(site, p)
}

// publish writes the rules missing in the log, withdraws those that are no longer
// published, and writes the marker last. With sequence 0 nothing is published and there are
// no rules.
func (o *Owner) publish(site string, p *book.Publication) (b Batch) {
	m := ledger.Marker{Schema: ledger.Schema, Site: site, Sequence: p.Sequence, At: p.At, Rules: make([]ledger.Named, 0, len(p.Records)), Sample: p.Sample}
	in := map[string]bool{}
	bare := *p
	bare.Records = slices.Clone(p.Records)
	for i := range bare.Records {
		r := &bare.Records[i]
		r.Verdict.Examples = nil // they hold private URLs
		k := key(ledger.Rule, site, r.ID)
		if value := encode(r); o.news(k, value) {
			b = append(b, o.number(k, value))
		}
		m.Rules = append(m.Rules, ledger.Named{ID: r.ID, At: o.l.Get(k).Tuple})
		in[r.ID] = true
	}
	for _, id := range o.strays(site, in) {
		b = append(b, o.number(key(ledger.Rule, site, id), nil))
	}
	var state []byte
	if p.Sequence > 0 {
		state = (&book.Act{Publication: &bare}).Encode()
	}
	if k := (key(ledger.State, site, publication)); o.news(k, state) {
		b = append(b, o.number(k, state))
	}
	if k, value := (ledger.Key{Kind: ledger.Set, Site: site}), encode(m); len(b) > 0 || o.news(k, value) {
		b = append(b, o.number(k, value))
	}
	return b
}

// strays returns the rules of a site that are, or may be, in the log but not in the set.
func (o *Owner) strays(site string, in map[string]bool) []string {
	out := map[string]bool{}
	for id := range o.l.Names(site, ledger.Rule) {
		out[id] = true
	}
	for k := range o.mend {
		if k.Kind == ledger.Rule && k.Site == site {
			out[k.Name] = true
		}
	}
	for id := range in {
		delete(out, id)
	}
	return sorted(out)
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// encode returns JSON without HTML escapes.
func encode(v any) []byte {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		panic(err) // strings, numbers and booleans can always be encoded
	}
	return bytes.Clone(bytes.TrimSuffix(b.Bytes(), []byte("\n"))) // which is kept, without the room of the buffer
}
