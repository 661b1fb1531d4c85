package ledger

import (
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/validator"
)

// Owner is the ledger of a partition in the hands of who writes it. It is given the
// log's records with Read, up to the end; then it makes its Claim, which is appended;
// and it is given what comes behind. When it has read its own claim it is the owner:
// Sure says so, and Acts are all that was done before.
//
// What Write, Compact and Mend return from then on is to be appended in this order:
// each batch at once, or if it is too large for that, its records in their order. A
// batch of which that is not certain goes to Failed. Read is given what comes behind,
// the owner's own records among them.
//
// It belongs to one goroutine.
type Owner struct {
	l       Ledger
	claim   *Record // made, and not read yet
	at      Tuple   // of the last record numbered; its epoch says who is the owner
	echoed  int64   // the greatest sequence of its own that it has read
	sure    bool    // the claim is in the log
	lost    bool
	mend    map[Key]bool      // keys whose last record in the log may not be what is held
	tried   map[string]*tried // pairs that are kept, by site
	written int               // records since the last compaction
}

// Batch is records that are written together.
type Batch []Record

// Read takes in the record at an offset of the log, in the log's order. An error says
// what is wrong with a record that was passed over.
func (o *Owner) Read(offset int64, r Record) error {
	k, err := ParseKey(r.Key)
	if err != nil {
		return err
	}
	if len(r.Value) > maxValue {
		return fmt.Errorf("read %.100q: a value of %d bytes", r.Key, len(r.Value))
	}
	if k.Kind == Claim && o.claim != nil && o.claim.compare(&r) == 0 {
		o.begin(k, offset)
		return nil
	}
	by := r.Tuple.owner().Compare(o.at.owner())
	switch {
	case !o.sure:
		o.lost = o.lost || k.Kind == Claim && o.claim != nil   // another has come first
		late := r.Tuple.owner().Compare(o.l.Top().owner()) < 0 // and may have covered what is gone now
		o.note(k, o.l.Apply(k, r) == Refused || late)
	case by > 0 || by == 0 && r.Tuple.Sequence > o.at.Sequence:
		o.lost = true // and what it says is its writer's business
	case by < 0:
		o.note(k, !o.l.holds(k, &r)) // even if newer than what is held: it is not what this owner goes on from
	default:
		covered := o.l.Apply(k, r) == Refused
		if !covered || o.l.get(k).Tuple.Sequence <= o.echoed { // else the newer one is still to come
			o.note(k, covered)
		}
		o.echoed = max(o.echoed, r.Tuple.Sequence)
	}
	return nil
}

// begin makes an owner of who has read its claim.
func (o *Owner) begin(k Key, offset int64) {
	o.note(k, o.l.Apply(k, *o.claim) == Refused)
	o.at = Tuple{max(offset, o.claim.Tuple.Epoch), o.claim.Tuple.Generation, 0}
	o.sure, o.claim, o.echoed = !o.lost, nil, 0
	for _, site := range o.l.siteNames() {
		if !o.sound(site) {
			o.note(Key{Kind: Set, Site: site}, true)
		}
	}
}

// note notes whether the log's last record of a key is what is held.
func (o *Owner) note(k Key, covered bool) {
	if !covered {
		delete(o.mend, k)
		return
	}
	if o.mend == nil {
		o.mend = map[Key]bool{}
	}
	o.mend[k] = true
}

// claimValue is the value of the claim.
type claimValue struct {
	Schema int    `json:"schema"`
	Member string `json:"member"`
}

// Claim returns the claim of a member: end is the log's end, up to which records were
// read, and generation that of its group. An owner may make it again, to go on in
// another generation; and so may who has not become one, as another came first.
func (o *Owner) Claim(member string, generation, end int64) Record {
	r := Record{Key{Kind: Claim}.String(), encode(claimValue{schema, member}), Tuple{end, generation, 0}}
	if top := o.l.Top(); top.Epoch >= end && top != (Tuple{}) { // a copied log
		r.Tuple.Epoch = top.Epoch + 1
	}
	o.claim, o.lost = &r, o.lost && o.sure
	return r
}

// Claimed tells whether the last claim made has been read.
func (o *Owner) Claimed() bool { return o.claim == nil }

// Sure tells whether a claim has been read, and no later one of another.
func (o *Owner) Sure() bool { return o.sure && !o.lost }

// Lost tells whether the log has shown another owner.
func (o *Owner) Lost() bool { return o.lost }

// Next numbers a record that goes to another log under the same claim.
func (o *Owner) Next() Tuple {
	o.at.Sequence++
	return o.at
}

// number makes a record and holds it.
func (o *Owner) number(k Key, value []byte) Record {
	r := Record{k.String(), value, o.Next()}
	o.l.Apply(k, r)
	delete(o.mend, k)
	o.written++
	return r
}

// Failed says that a batch may not be in the log.
func (o *Owner) Failed(b Batch) {
	for i := range b {
		if k, err := ParseKey(b[i].Key); err == nil {
			o.note(k, true)
		}
	}
}

// sound tells whether readers of the log can hold what a site has published, and no
// other.
func (o *Owner) sound(site string) bool {
	p, known := o.publication(site)
	if !known {
		return true // there is nothing to hold it against
	}
	k := Key{Kind: Set, Site: site}
	held := o.l.get(k)
	if held == nil || held.Value == nil {
		return p.Sequence == 0 && len(o.strays(site, nil)) == 0
	}
	m, err := readMarker(k, held.Value)
	return err == nil && m.Sequence == p.Sequence && o.l.complete(&m, held.Tuple) &&
		slices.EqualFunc(m.Rules, p.Records, func(n Named, r rule.Record) bool { return n.ID == r.ID })
}

// publication is what a site has published: what its state says; or without that, its
// marker and rules, if they are whole; or nothing, with sequence 0. It is not known if
// something is there that cannot be read.
func (o *Owner) publication(site string) (p *validator.Publication, known bool) {
	k := Key{State, site, publication}
	state := o.l.value(k)
	if a, err := readState(k, state); err == nil && a.Publication != nil {
		return a.Publication, true
	}
	p = &validator.Publication{}
	k = Key{Kind: Set, Site: site}
	held := o.l.get(k)
	if held == nil || held.Value == nil {
		return p, state == nil
	}
	m, err := readMarker(k, held.Value)
	if err != nil || !o.l.complete(&m, held.Tuple) {
		return p, err == nil && state == nil
	}
	p.Sequence, p.At, p.Sample = m.Sequence, m.At, m.Sample
	p.Records, err = o.l.records(&m)
	return p, err == nil
}

// Mend writes again what the log's last records do not say; nothing if they say all.
func (o *Owner) Mend() (all []Batch) {
	bySite := map[string][]Key{}
	for k := range o.mend {
		bySite[k.Site] = append(bySite[k.Site], k)
	}
	for _, site := range sorted(bySite) {
		keys := bySite[site]
		slices.SortFunc(keys, func(a, b Key) int { return strings.Compare(a.String(), b.String()) })
		var b Batch
		for _, k := range keys {
			if !k.published() {
				b = append(b, o.number(k, o.l.value(k)))
			}
		}
		if slices.ContainsFunc(keys, Key.published) {
			b = append(b, o.republish(site)...)
		}
		if len(b) > 0 {
			all = append(all, b)
		}
	}
	return all
}

// published tells whether a key has a part in what readers hold of a site.
func (k Key) published() bool {
	return k.Kind == Rule || k.Kind == Set || k.Kind == State && k.Name == publication
}

// Covered tells whether there is something to mend.
func (o *Owner) Covered() bool { return len(o.mend) > 0 }

// Size is the number of keys that have a value, and the bytes of all keys and values.
func (o *Owner) Size() (keys, bytes int) { return o.l.Size() }

// Written is how many records were written since the last Compact.
func (o *Owner) Written() int { return o.written }

// readState reads a verdict or a state.
func readState(k Key, value []byte) (validator.Act, error) {
	if value == nil {
		return validator.Act{}, fmt.Errorf("read %.100q: it has no value", k)
	}
	a, err := validator.Decode(value)
	if err == nil && k.Kind == Verdict && (a.Rule == nil || a.Rule.ID != k.Name || rule.ID(k.Site, &a.Rule.Rule) != k.Name) {
		err = fmt.Errorf("it is about another rule")
	}
	if err != nil {
		return validator.Act{}, fmt.Errorf("read %.100q: %w", k, err)
	}
	return a, nil
}
