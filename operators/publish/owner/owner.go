package owner

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/rule"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// The names of states.
const (
	learnt      = "learnt"
	round       = "round"
	noise       = "noise"
	approved    = "approved"
	stale       = "stale"
	publication = "publication"
	share       = "share"
	separators  = "separators"
	wishes      = "wishes"
	files       = "files"
)

func key(kind ledger.Kind, site, name string) ledger.Key {
	return ledger.Key{Kind: kind, Site: site, Name: name}
}

// Owner is the ledger of a partition, held by the member that writes to it. An owner is
// made in three steps. First, Read takes the log's records up to the end. Second, the
// caller appends the record returned by Claim. Third, Read takes the records behind the
// end. Once Read has taken the claim, the member is the owner: Sure returns true, and Acts
// returns the acts of earlier owners.
//
// The caller appends the batches of Write, Compact and Mend in order. A batch is appended
// in one piece; if it is too large, its records are appended in their order. A batch whose
// append failed or is uncertain is passed to Failed. Read takes all further records of the
// log, including the owner's own.
//
// An Owner belongs to one goroutine.
type Owner struct {
	l       ledger.Ledger
	claim   *ledger.Record // made and not read yet
	at      ledger.Tuple   // of the last record numbered; the epoch identifies the owner
	echoed  int64          // the greatest sequence read among the owner's own records
	sure    bool           // the claim is in the log
	lost    bool
	mend    map[ledger.Key]bool      // keys whose last record in the log may differ from the held record
	newest  *lru.LRU[string, *block] // the newest blocks of pairs, by site; nil before the first
	written int                      // records since the last compaction
}

// Batch is a group of records that are written together.
type Batch []ledger.Record

// Read takes in the record at an offset of the log. Records must come in the log's order.
// A malformed record is skipped, and Read returns an error.
func (o *Owner) Read(offset int64, r ledger.Record) error {
	k, err := ledger.ParseKey(r.Key)
	if err != nil {
		return err
	}
	if len(r.Value) > ledger.MaxValue {
		return fmt.Errorf("read %.100q: a value of %d bytes", r.Key, len(r.Value))
	}
	if k.Kind == ledger.Claim && o.claim != nil && o.claim.Compare(&r) == 0 {
		o.begin(k, offset)
		return nil
	}
	by := r.Tuple.Owner().Compare(o.at.Owner())
	switch {
	case !o.sure:
		o.lost = o.lost || k.Kind == ledger.Claim && o.claim != nil // another claim came first
		late := r.Tuple.Owner().Compare(o.l.Top().Owner()) < 0      // the record may have covered records removed since
		o.note(k, o.l.Apply(k, r) == ledger.Refused || late)
	case by > 0 || by == 0 && r.Tuple.Sequence > o.at.Sequence:
		o.lost = true // the record belongs to its writer
	case by < 0:
		o.note(k, !o.l.Holds(k, &r)) // even a newer record counts as covering: this owner does not continue from it
	default:
		covered := o.l.Apply(k, r) == ledger.Refused
		if !covered || o.l.Get(k).Tuple.Sequence <= o.echoed { // otherwise the newer record is still to come
			o.note(k, covered)
		}
		o.echoed = max(o.echoed, r.Tuple.Sequence)
	}
	return nil
}

// begin makes the member the owner after the claim was read.
func (o *Owner) begin(k ledger.Key, offset int64) {
	o.note(k, o.l.Apply(k, *o.claim) == ledger.Refused)
	o.at = ledger.Tuple{Epoch: max(offset, o.claim.Tuple.Epoch), Generation: o.claim.Tuple.Generation}
	o.sure, o.claim, o.echoed = !o.lost, nil, 0
	for _, site := range o.l.Sites() {
		if !o.sound(site) {
			o.note(ledger.Key{Kind: ledger.Set, Site: site}, true)
		}
	}
}

// note records whether the log's last record of a key covers the held record.
func (o *Owner) note(k ledger.Key, covered bool) {
	if !covered {
		delete(o.mend, k)
		return
	}
	if o.mend == nil {
		o.mend = map[ledger.Key]bool{}
	}
	o.mend[k] = true
}

// claimSchema is the version of a claim, and of the records that its owner writes for owners:
// verdicts, states and pairs. The acts in them have a version too, by which a record of a newer
// program is passed over.
const claimSchema = 2

type claimValue struct {
	Schema int    `json:"schema"`
	Member string `json:"member"`
}

// OtherVersion returns an error, which names the remedy, if the log read so far has the records of
// an owner of another version of this program, whose schema differs. Such a log is not to be claimed.
func (o *Owner) OtherVersion() error {
	var last claimValue
	if err := json.Unmarshal(o.l.Value(ledger.Key{Kind: ledger.Claim}), &last); err != nil {
		return nil // there is no claim, or it tells nothing
	}
	of, remedy := "an older", "read the logs again, into new topics"
	switch {
	case last.Schema == claimSchema:
		return nil
	case last.Schema > claimSchema:
		of, remedy = "a newer", "run the newer version"
	}
	return fmt.Errorf("%s version of this program wrote the topic (schema %d, this program knows %d): %s", of, last.Schema, claimSchema, remedy)
}

// Claim returns the claim of a member. end is the end of the log up to which records were
// read. generation is the generation of the member's group. An owner may claim again to
// continue in another generation. A member that lost to an earlier claim may also claim
// again.
func (o *Owner) Claim(member string, generation, end int64) ledger.Record {
	r := ledger.Record{
		Key:   ledger.Key{Kind: ledger.Claim}.String(),
		Value: encode(claimValue{claimSchema, member}),
		Tuple: ledger.Tuple{Epoch: end, Generation: generation},
	}
	if top := o.l.Top(); top.Epoch >= end && top != (ledger.Tuple{}) { // a copied log
		r.Tuple.Epoch = top.Epoch + 1
	}
	o.claim, o.lost = &r, o.lost && o.sure
	return r
}

// Claimed reports whether the last claim has been read.
func (o *Owner) Claimed() bool { return o.claim == nil }

// Sure reports whether a claim has been read without a later claim by another member.
func (o *Owner) Sure() bool { return o.sure && !o.lost }

// Lost reports whether the log has shown another owner.
func (o *Owner) Lost() bool { return o.lost }

// Next returns the tuple of a record written to another log under the same claim.
func (o *Owner) Next() ledger.Tuple {
	o.at.Sequence++
	return o.at
}

// number makes a record with the next tuple and applies it.
func (o *Owner) number(k ledger.Key, value []byte) ledger.Record {
	r := ledger.Record{Key: k.String(), Value: value, Tuple: o.Next()}
	o.l.Apply(k, r)
	delete(o.mend, k)
	o.written++
	return r
}

// Failed reports to the owner a batch that may be missing in the log.
func (o *Owner) Failed(b Batch) {
	for i := range b {
		if k, err := ledger.ParseKey(b[i].Key); err == nil {
			o.note(k, true)
		}
	}
}

// sound reports whether readers of the log can hold the site's publication and cannot hold
// any other set.
func (o *Owner) sound(site string) bool {
	p, known := o.publication(site)
	if !known {
		return true // there is no publication to compare with
	}
	k := ledger.Key{Kind: ledger.Set, Site: site}
	held := o.l.Get(k)
	if held == nil || held.Value == nil {
		return p.Sequence == 0 && len(o.strays(site, nil)) == 0
	}
	m, err := ledger.ReadMarker(k, held.Value)
	return err == nil && m.Sequence == p.Sequence && o.l.Complete(&m, held.Tuple) &&
		slices.EqualFunc(m.Rules, p.Records, func(n ledger.Named, r rule.Record) bool { return n.ID == r.ID })
}

// publication returns the publication of a site: that of its state; or, without a state,
// that of the marker and the rules, if they are complete; or an empty one with sequence 0.
// known is false if a record cannot be read.
func (o *Owner) publication(site string) (p *book.Publication, known bool) {
	k := key(ledger.State, site, publication)
	state := o.l.Value(k)
	if a, err := readState(k, state); err == nil && a.Publication != nil {
		return a.Publication, true
	}
	p = &book.Publication{}
	k = ledger.Key{Kind: ledger.Set, Site: site}
	held := o.l.Get(k)
	if held == nil || held.Value == nil {
		return p, state == nil
	}
	m, err := ledger.ReadMarker(k, held.Value)
	if err != nil || !o.l.Complete(&m, held.Tuple) {
		return p, err == nil && state == nil
	}
	p.Sequence, p.At, p.Sample = m.Sequence, m.At, m.Sample
	p.Records, err = o.l.Records(&m)
	return p, err == nil
}

// Mend returns batches that restore records covered in the log, or nil if nothing is
// covered.
func (o *Owner) Mend() (all []Batch) {
	bySite := map[string][]ledger.Key{}
	for k := range o.mend {
		bySite[k.Site] = append(bySite[k.Site], k)
	}
	for _, site := range sorted(bySite) {
		keys := bySite[site]
		slices.SortFunc(keys, func(a, b ledger.Key) int { return strings.Compare(a.String(), b.String()) })
		var b Batch
		for _, k := range keys {
			if !published(k) {
				b = append(b, o.number(k, o.l.Value(k)))
			}
		}
		if slices.ContainsFunc(keys, published) {
			b = append(b, o.republish(site)...)
		}
		if len(b) > 0 {
			all = append(all, b)
		}
	}
	return all
}

// published reports whether a key is part of the set that readers hold of a site.
func published(k ledger.Key) bool {
	return k.Kind == ledger.Rule || k.Kind == ledger.Set || k.Kind == ledger.State && k.Name == publication
}

// Covered reports whether there are records to mend.
func (o *Owner) Covered() bool { return len(o.mend) > 0 }

// Size returns the number of keys that have a value, and the bytes of all keys and values.
func (o *Owner) Size() (keys, bytes int) { return o.l.Size() }

// Written returns the number of records written since the last Compact.
func (o *Owner) Written() int { return o.written }

func readState(k ledger.Key, value []byte) (book.Act, error) {
	if value == nil {
		return book.Act{}, fmt.Errorf("read %.100q: it has no value", k)
	}
	a, err := book.Decode(value)
	if err == nil && k.Kind == ledger.Verdict && (a.Rule == nil || a.Rule.ID != k.Name || rule.ID(k.Site, &a.Rule.Rule) != k.Name) {
		err = fmt.Errorf("it is about another rule")
	}
	if err != nil {
		return book.Act{}, fmt.Errorf("read %.100q: %w", k, err)
	}
	return a, nil
}
