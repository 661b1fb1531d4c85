package owner

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/rule"
)

var long = flag.Bool("long", false, "try all small worlds of six steps, and more random ones")

// A world is a log with owners and readers. Owners come and go, and some owners write late.

type entry struct {
	offset int64
	ledger.Record
}

type world struct {
	t       testing.TB
	rng     *rand.Rand
	log     []entry
	end     int64
	gen     int64
	owners  []*writer
	readers []*reader
	known   map[ledger.Tuple]string // content of every marker ever made

	patient bool  // compaction never comes before an owner has read the log, as with segments of an hour
	seen    int64 // end of the log read by an owner without anything left to mend
}

// writer is an owner with the batches that are not in the log yet.
type writer struct {
	*Owner
	next int64 // offset
	out  []Batch
	seq  map[string]int64 // of each site's publications
}

// reader follows the log, next to a plain reader.
type reader struct {
	ledger.Sets
	next  int64
	tuple map[string]ledger.Tuple // held tuple of each key
	set   map[string]ledger.Tuple // of each site's marker
	plain plainReader

	l       ledger.Ledger // of the same records
	refused int           // by l
}

// plainReader folds all records read so far at each step.
type plainReader struct {
	held map[string]ledger.Record
	sets map[string]string
}

func (p *plainReader) apply(r ledger.Record) {
	if p.held == nil {
		p.held, p.sets = map[string]ledger.Record{}, map[string]string{}
	}
	if h, ok := p.held[r.Key]; !ok || r.Compare(&h) > 0 {
		p.held[r.Key] = r
	}
	for name, h := range p.held {
		k, _ := ledger.ParseKey(name)
		if k.Kind != ledger.Set {
			continue
		}
		m, whole, text := ledger.Marker{}, true, ""
		if h.Value != nil {
			m, _ = ledger.ReadMarker(k, h.Value)
		}
		for _, n := range m.Rules {
			rule := p.held[key(ledger.Rule, k.Site, n.ID).String()]
			whole = whole && rule.Value != nil && rule.Tuple == n.At
			text += string(rule.Value)
		}
		for other, rule := range p.held {
			o, _ := ledger.ParseKey(other)
			if o.Kind == ledger.Rule && o.Site == k.Site && rule.Tuple.Compare(h.Tuple) > 0 {
				whole = false
			}
		}
		if whole {
			p.sets[k.Site] = text
		}
	}
}

var testRules = func() (all []rule.Rule) {
	for _, name := range []string{"a", "b", "c"} {
		all = append(all, rule.Rule{Edit: rule.Drop{Param: name}})
	}
	return all
}()

// publicationOf makes a publication of some of testRules, selected by the bits of which.
func publicationOf(site string, sequence int64, which, support int) *book.Publication {
	p := &book.Publication{Sequence: sequence, At: 1000 + sequence, Sample: rule.Sample{Samples: int(sequence)}}
	for i, r := range testRules {
		if which>>i&1 == 1 {
			p.Records = append(p.Records, rule.Record{Schema: rule.Schema, Site: site, ID: rule.ID(site, &r),
				Wire: *rule.NewWire(&r), Rank: i + 1, State: rule.Valid, Support: support})
		}
	}
	return p
}

func contentOf(records []rule.Record) (text string) {
	for _, r := range records {
		r.Verdict.Examples = nil
		text += string(encode(r))
	}
	return text
}

// queue takes batches, and records the content of their markers.
func (w *world) queue(o *writer, batches []Batch) {
	for _, b := range batches {
		for _, r := range b {
			k, err := ledger.ParseKey(r.Key)
			if err != nil {
				w.t.Fatal(err)
			}
			if k.Kind == ledger.Set {
				m, err := ledger.ReadMarker(k, r.Value)
				if err != nil {
					w.t.Fatal(err)
				}
				if m.Sequence > 0 && m.Sample == (rule.Sample{}) {
					w.t.Fatalf("no sample in %+v", m)
				}
				text := ""
				for _, n := range m.Rules {
					text += string(o.l.Value(key(ledger.Rule, m.Site, n.ID)))
				}
				w.known[r.Tuple] = text
			}
		}
	}
	o.out = append(o.out, batches...)
}

func (w *world) newOwner() *writer {
	o := &writer{Owner: &Owner{}, seq: map[string]int64{}}
	w.owners = append(w.owners, o)
	w.follow(o)
	w.queue(o, []Batch{{o.Claim(fmt.Sprint("member ", len(w.owners)), w.gen, w.end)}})
	return o
}

func (w *world) follow(o *writer) {
	for _, e := range w.log {
		if e.offset >= o.next {
			if err := o.Read(e.offset, e.Record); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	o.next = w.end
}

// sure lets an owner read until it is sure.
func (w *world) sure(o *writer) bool {
	if o.sure {
		return true
	}
	w.follow(o)
	for _, site := range o.l.Sites() {
		if p, ok := o.publication(site); ok {
			o.seq[site] = p.Sequence
		}
	}
	return o.sure
}

// mend lets an owner read the log and write covered records again.
func (w *world) mend(o *writer) {
	if w.follow(o); o.Sure() {
		if w.queue(o, o.Mend()); len(o.out) == 0 {
			w.seen = w.end
		}
	}
}

func (w *world) append(b Batch) {
	for _, r := range b {
		w.log = append(w.log, entry{w.end, r})
		w.end++
	}
}

// write appends an owner's next batch to the log, or fails.
func (w *world) write(o *writer, certain bool) {
	if len(o.out) == 0 {
		return
	}
	b := o.out[0]
	o.out = o.out[1:]
	switch at := w.rng.IntN(10); {
	case certain || at > 3:
		w.append(b)
	case at == 0: // the broker has the batch, but the owner does not know
		w.append(b)
		o.Failed(b)
	case at == 1: // the batch comes later, or never
		o.Failed(b)
		o.out = append(o.out, b)
	case at == 2: // the batch is written twice
		w.append(b)
		w.append(b)
	default: // the batch is too large; the rest is lost
		n := w.rng.IntN(len(b) + 1)
		w.append(b[:n])
		o.Failed(b[n:])
	}
}

// publish lets an owner publish a set of a site.
func (w *world) publish(o *writer, site string, which int) {
	if !w.sure(o) {
		return
	}
	o.seq[site]++
	p := publicationOf(site, o.seq[site], which, w.rng.IntN(2))
	e := book.Entry{ID: rule.ID(site, &testRules[0]), Rule: testRules[0], State: rule.Refuted, Support: w.rng.IntN(3)}
	w.queue(o, o.Write([]Act{{Site: site, Act: book.Act{Publication: p}}, {Site: site, Act: book.Act{Rule: &e}}}, fmt.Append(nil, w.rng.IntN(3))))
}

// compact drops records as Kafka's cleaner may: any record of a key except the last, and
// the last if it has no value and no earlier one is left.
func (w *world) compact() {
	last, left := map[string]int64{}, map[string]int{}
	for _, e := range w.log {
		if !w.patient || e.offset < w.seen {
			last[e.Key] = e.offset
		}
	}
	w.log = slices.DeleteFunc(w.log, func(e entry) bool {
		gone := w.rng.IntN(2) == 0 && (!w.patient || e.offset < w.seen) && (e.offset < last[e.Key] || e.Value == nil && left[e.Key] == 0)
		if !gone {
			left[e.Key]++
		}
		return gone
	})
}

// read lets a reader read some records, and checks it.
func (w *world) read(r *reader, most int) {
	for _, e := range w.log {
		if e.offset < r.next {
			continue
		}
		if most--; most < 0 {
			return
		}
		if _, _, err := r.Apply(e.Record); err != nil {
			w.t.Fatal(err)
		}
		r.next = e.offset + 1
		if k, _ := ledger.ParseKey(e.Key); k.Kind == ledger.Rule || k.Kind == ledger.Set {
			r.plain.apply(e.Record)
			if r.l.Apply(k, e.Record) == ledger.Refused {
				r.refused++
			}
		}
		if r.Refused() != r.refused {
			w.t.Fatalf("%d records refused, want %d", r.Refused(), r.refused)
		}
		w.check(r, e.Key)
	}
	r.next = w.end
}

func (w *world) check(r *reader, key string) {
	if r.tuple == nil {
		r.tuple, r.set = map[string]ledger.Tuple{}, map[string]ledger.Tuple{}
	}
	k, _ := ledger.ParseKey(key)
	if held := r.l.Get(k); held != nil {
		if held.Tuple.Compare(r.tuple[key]) < 0 {
			w.t.Fatalf("%s: %v after %v", key, held.Tuple, r.tuple[key])
		}
		r.tuple[key] = held.Tuple
	}
	for set := range r.All {
		text := contentOf(set.Records)
		if known, ok := w.known[set.Tuple]; !ok || text != known {
			w.t.Fatalf("set %v of %q was never published: %s", set.Tuple, set.Site, text)
		}
		if text != r.plain.sets[set.Site] {
			w.t.Fatalf("set %v of %q: %s, in the plain %s", set.Tuple, set.Site, text, r.plain.sets[set.Site])
		}
		if set.Tuple.Compare(r.set[set.Site]) < 0 {
			w.t.Fatalf("set %v of %q after %v", set.Tuple, set.Site, r.set[set.Site])
		}
		r.set[set.Site] = set.Tuple
	}
}

// settle lets all late writers write. Then one owner writes all covered records again.
// After that, all readers hold the owner's sets, including new readers and readers after
// compaction, and a new owner continues from there. If compaction was not patient, a reader
// may hold a set lost to all others until the site's next publication.
func (w *world) settle(o *writer) {
	for _, zombie := range w.owners {
		for len(zombie.out) > 0 && zombie != o {
			w.write(zombie, true)
		}
	}
	for round := 0; ; round++ {
		for len(o.out) > 0 {
			w.write(o, true)
		}
		w.mend(o)
		if !o.Sure() { // another owner has the partition, or the claim was lost
			w.gen++
			o = w.newOwner()
			continue
		}
		if len(o.out) == 0 {
			break
		}
		if round > 20 {
			w.t.Fatalf("there is always something to mend: %v", o.out)
		}
	}
	for range 2 {
		w.readers = append(w.readers, &reader{})
		for i, r := range w.readers {
			if w.read(r, 1<<30); w.patient || i == len(w.readers)-1 {
				w.holds(r, o)
			}
		}
		w.compact()
	}
	next := &writer{Owner: &Owner{}}
	w.follow(next)
	if got, want := w.restored(next), w.restored(o); got != want {
		w.t.Fatalf("the next owner goes on from\n%s\nwant\n%s", got, want)
	}
	for n := range int64(2) { // the first pass may mend records written before a claim that arrived behind the claim
		w.append(Batch{next.Claim("next", w.gen+1+n, w.end)})
		w.follow(next)
		for _, b := range next.Mend() {
			w.append(b)
		}
		if w.follow(next); !next.Sure() || next.Covered() {
			w.t.Fatal("there is something left to mend")
		}
		next = &writer{Owner: &Owner{}}
		if w.follow(next); n > 0 && next.Covered() {
			w.t.Fatal("there is always something to mend")
		}
	}
}

func (w *world) holds(r *reader, o *writer) {
	for _, site := range o.l.Sites() {
		p, known := o.publication(site)
		if !known {
			w.t.Fatalf("%q cannot be read", site)
		}
		set := r.Of(site)
		if set == nil && p.Sequence == 0 {
			continue
		}
		if set == nil || set.Sequence != p.Sequence || contentOf(set.Records) != contentOf(p.Records) {
			w.t.Fatalf("%q: a reader holds %+v, and the owner %+v", site, set, p)
		}
	}
}

func (w *world) restored(o *writer) string {
	var b bytes.Buffer
	o.Acts(func(err error) { w.t.Fatal(err) }, func(a Act) bool {
		fmt.Fprintf(&b, "%s %s\n", a.Site, a.Act.Encode())
		return true
	})
	fmt.Fprintf(&b, "%s", o.Politeness())
	return b.String()
}

func newWorld(t testing.TB, seed uint64) *world {
	return &world{t: t, rng: rand.New(rand.NewPCG(seed, 6)), known: map[ledger.Tuple]string{}, gen: 1, patient: seed%4 > 0}
}

// With late writers and any compaction, no reader goes back, no reader holds an unpublished
// set, and in the end all readers hold the owner's sets.
func TestRandomWorlds(t *testing.T) {
	sites := []string{"", "www.example.org", "a/b%"}
	refused, epochs := 0, map[bool]int{}
	worlds := uint64(60)
	if *long {
		worlds = 3000
	}
	for seed := range worlds {
		w := newWorld(t, seed)
		w.newOwner()
		for range 20 + w.rng.IntN(120) {
			o := w.owners[w.rng.IntN(len(w.owners))]
			newest := w.owners[len(w.owners)-1]
			switch w.rng.IntN(16) {
			case 0:
				if w.rng.IntN(3) > 0 {
					continue // owners last for a while
				}
				if w.gen++; w.rng.IntN(3) == 0 {
					w.gen = 1
				}
				w.newOwner()
			case 1, 2:
				w.publish(newest, sites[w.rng.IntN(len(sites))], w.rng.IntN(8))
			case 3:
				if newest.Sure() { // the group assigns its partitions again, and this partition to the same member
					w.follow(newest)
					w.gen++
					w.queue(newest, []Batch{{newest.Claim("again", w.gen, w.end)}})
				}
			case 4:
				w.publish(o, sites[w.rng.IntN(len(sites))], w.rng.IntN(8)) // a former owner that has not noticed its successor
			case 5, 6, 7:
				w.write(newest, false)
			case 8:
				w.write(o, false)
			case 9:
				w.mend(newest)
			case 10:
				w.compact()
			case 11:
				w.readers = append(w.readers, &reader{})
			default:
				if len(w.readers) > 0 {
					w.read(w.readers[w.rng.IntN(len(w.readers))], 1+w.rng.IntN(12))
				}
			}
		}
		last := w.owners[len(w.owners)-1]
		w.publish(last, sites[0], w.rng.IntN(8))
		if len(last.out) > 0 && last.sure { // the network is down just before the end
			lost := last.out[len(last.out)-1]
			last.out = last.out[:len(last.out)-1]
			last.Failed(lost)
		}
		w.settle(last)
		for _, r := range w.readers {
			refused += r.Refused()
		}
		epochs[w.owners[len(w.owners)-1].at.Epoch > 0]++
	}
	if refused < 100 || epochs[true] < 40 {
		t.Errorf("the worlds are tame: %d records refused, %v", refused, epochs)
	}
}

// Every short history of two owners on one site is tried. The first owner writes late.
func TestSmallWorlds(t *testing.T) {
	length := 4
	if *long {
		length = 6
	}
	actions := []func(w *world){
		func(w *world) { w.publish(w.owners[0], "s", 1) },
		func(w *world) { w.publish(w.owners[len(w.owners)-1], "s", 2) },
		func(w *world) { w.publish(w.owners[len(w.owners)-1], "s", 3) },
		func(w *world) { w.write(w.owners[0], true) },
		func(w *world) { w.write(w.owners[len(w.owners)-1], true) },
		func(w *world) { w.newOwner() }, // of the same generation: the generations of the group have restarted
		func(w *world) { w.compact() },
		func(w *world) {
			w.mend(w.owners[len(w.owners)-1])
		},
		func(w *world) { w.read(w.readers[0], 2) },
	}
	histories := 1
	for range length {
		histories *= len(actions)
	}
	for history := 0; history < histories; history++ {
		w := newWorld(t, uint64(history))
		w.readers = []*reader{{}}
		w.newOwner()
		for n, left := 0, history; n < length; n, left = n+1, left/len(actions) {
			actions[left%len(actions)](w)
		}
		w.settle(w.owners[len(w.owners)-1])
	}
}
