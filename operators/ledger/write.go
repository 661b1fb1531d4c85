package ledger

import (
	"bytes"
	"maps"
	"slices"

	"dustbuster/operators/lifecycle"
)

// Act is one act of a site's machine. If Share is set, the Act is instead the cut of the
// site's window, as the owner wrote the cut.
type Act struct {
	Site  string
	Act   lifecycle.Act
	Share []byte
}

// Write makes records of acts, in one batch for each site, with the published records last.
// Values that are already in the log are not written. politeness is the value of the key
// fetch, or nil if the value has not changed.
func (o *Owner) Write(acts []Act, politeness []byte) (all []Batch) {
	bySite := map[string]*drafts{}
	for i := range acts {
		d := bySite[acts[i].Site]
		if d == nil {
			d = &drafts{values: map[Key][]byte{}}
			bySite[acts[i].Site] = d
		}
		if acts[i].Share != nil {
			d.set(Key{State, acts[i].Site, share}, acts[i].Share)
			continue
		}
		o.draft(d, acts[i].Site, &acts[i].Act)
	}
	for _, site := range sorted(bySite) {
		if b := o.fair(site, bySite[site]); len(b) > 0 {
			all = append(all, b)
		}
	}
	if k := (Key{Kind: Fetch}); politeness != nil && o.news(k, politeness) {
		all = append(all, Batch{o.number(k, politeness)})
	}
	return all
}

// drafts are the values that result from a site's acts.
type drafts struct {
	keys      []Key // in the order of their first act
	values    map[Key][]byte
	published *lifecycle.Publication // the last publication
}

func (d *drafts) put(k Key, a lifecycle.Act) { d.set(k, a.Encode()) }

func (d *drafts) set(k Key, value []byte) {
	if _, ok := d.values[k]; !ok {
		d.keys = append(d.keys, k)
	}
	d.values[k] = value
}

// draft records the changes made by one act.
func (o *Owner) draft(d *drafts, site string, a *lifecycle.Act) {
	state := func(name string) Key { return Key{State, site, name} }
	if a.Pair != nil {
		o.pair(d, site, a.Pair)
		o.again(d, site, a.Pair)
	}
	if a.Noise > 0 {
		d.put(state(noise), lifecycle.Act{Noise: a.Noise})
	}
	if a.Rule != nil {
		o.verdict(d, site, a.Rule)
	}
	if a.Learnt != nil && a.Learnt.Stage > 0 {
		d.put(state(learnt), lifecycle.Act{Learnt: a.Learnt})
	}
	if a.Round != nil && a.Round.At > 0 {
		d.put(state(round), lifecycle.Act{Round: a.Round})
	}
	if p := a.Publication; p != nil && p.Sequence > 0 {
		if _, begun := d.values[state(round)]; !begun && o.l.value(state(round)) == nil {
			d.put(state(round), lifecycle.Act{Round: &lifecycle.Round{At: p.At}}) // as the machine does after a publication
		}
		d.published = p
	}
	if a.Separators != 0 {
		d.put(state(separators), lifecycle.Act{Separators: a.Separators})
	}
	if a.Approved != "" {
		d.put(state(approved), lifecycle.Act{Approved: a.Approved})
	}
}

// verdict drafts the record of a rule's entry, without parts that reveal URLs.
func (o *Owner) verdict(d *drafts, site string, e *lifecycle.Entry) {
	bare := *e
	bare.Verdict.Evidence, bare.Sent = nil, nil
	d.put(Key{Verdict, site, e.ID}, lifecycle.Act{Rule: &bare})
}

// again counts a pair that was tried again for a rule, as the machine does.
func (o *Owner) again(d *drafts, site string, p *lifecycle.PairAct) {
	if p.Rule == "" {
		return
	}
	k := Key{Verdict, site, p.Rule}
	value := d.values[k]
	if value == nil {
		value = o.l.value(k)
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

// fair makes a batch of drafts.
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
func (o *Owner) news(k Key, value []byte) bool {
	return o.mend[k] || !bytes.Equal(o.l.value(k), value)
}

// republish writes a site's set again. A set of unknown content, such as the set of a newer
// program, stays unchanged.
func (o *Owner) republish(site string) Batch {
	p, known := o.publication(site)
	if !known {
		maps.DeleteFunc(o.mend, func(k Key, _ bool) bool { return k.Site == site && k.published() })
		return nil
	}
	for i := range p.Records {
		o.note(Key{Rule, site, p.Records[i].ID}, true)
	}
	o.note(Key{State, site, publication}, true)
	o.note(Key{Kind: Set, Site: site}, true)
	return o.publish(site, p)
}

// publish writes the rules missing in the log, withdraws the rules that are no longer
// published, and writes the marker last. With sequence 0 nothing is published and there are
// no rules.
func (o *Owner) publish(site string, p *lifecycle.Publication) (b Batch) {
	m := Marker{schema, site, p.Sequence, p.At, make([]Named, 0, len(p.Records)), p.Sample}
	in := map[string]bool{}
	bare := *p
	bare.Records = slices.Clone(p.Records)
	for i := range bare.Records {
		r := &bare.Records[i]
		r.Verdict.Evidence = nil
		k := Key{Rule, site, r.ID}
		if value := writeRule(*r); o.news(k, value) {
			b = append(b, o.number(k, value))
		}
		m.Rules = append(m.Rules, Named{r.ID, o.l.get(k).Tuple})
		in[r.ID] = true
	}
	for _, id := range o.strays(site, in) {
		b = append(b, o.number(Key{Rule, site, id}, nil))
	}
	var state []byte
	if p.Sequence > 0 {
		state = (&lifecycle.Act{Publication: &bare}).Encode()
	}
	if k := (Key{State, site, publication}); o.news(k, state) {
		b = append(b, o.number(k, state))
	}
	if k, value := (Key{Kind: Set, Site: site}), encode(m); len(b) > 0 || o.news(k, value) {
		b = append(b, o.number(k, value))
	}
	return b
}

// strays returns the rules of a site that are, or may be, in the log but not in the set.
func (o *Owner) strays(site string, in map[string]bool) []string {
	out := map[string]bool{}
	for id := range o.l.names(site, Rule) {
		out[id] = true
	}
	for k := range o.mend {
		if k.Kind == Rule && k.Site == site {
			out[k.Name] = true
		}
	}
	for id := range in {
		delete(out, id)
	}
	return sorted(out)
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
