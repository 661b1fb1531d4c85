package weight

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"iter"
	"maps"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/evidence"
)

// Options are the parameters of the weights.
type Options struct {
	Key        [2]uint64 // of the hashes that select pairs
	Similarity evidence.Similarity

	// Days appends the days of a page, those of a class in a row. Nil: none are known.
	Days func(to []evidence.Day, page *evidence.Page) []evidence.Day

	// Effects returns what a part of the rules is told of, while Weigh looks at the URLs that a rule changes; nil:
	// nobody asks for that.
	Effects func() Effects

	// Together runs tasks side by side, and returns once all have ended; nil: Weigh is one task. Then
	// Days and the stop of Weigh must bear calls of several goroutines.
	Together func(tasks ...func())
}

// Effects is told of the URLs that one rule changes, in ascending order, then of those of another.
type Effects interface {
	Change(url, form int, hash uint64, listed bool) // the number of a URL, and what Numbers.Find returns for its form
	End(r *rule.Likely)                             // of the URLs of a rule
}

// Shown is the least weight of a rule that is shown to people unasked.
const Shown = 3

// A Weigher weighs rules by one list of URLs. A Weigher belongs to one goroutine.
type Weigher struct {
	parts []*Weigher // with Options.Together: each weighs a part of the rules
	part  int        // number of this part, of so many
	of    int
	some  [][]*rule.Likely
	known map[uint64][][2]uint32 // the pairs of weighed rules that people may see, by the hash of the rule
	room  int                    // for further pairs in known, or rules
	block [][2]uint32            // room for some of them
	*list
	index   *search.Index
	pages   *census   // of all pages
	shares  []float64 // by number: the share of pages that are similar; -1: not yet computed
	votes   []vote
	effects Effects // nil: not asked for
	seen    seen
	own     []uint64 // u2 of the votes, and a bit for those that are similar
	control *census  // of u2 of the votes
	sample  sample
	dates   [2][mostDates]known // of u1 and of u2
	asked   []asked             // of the rules of one call of Weigh
	kept    []vote              // of some of them
	joined  [][2]uint32
	lookups *search.Lookups
	made    []made     // of the texts in lookups
	kin     []kin      // of the votes of asked
	members []member   // found by this part
	keys    []rule.Key // scratch of the siblings, as the next
	values  []uint64
	sum     uint64
	text    []byte // scratch, as the next
	buf     []byte
	form    []byte

	stop    func() bool
	steps   int
	stopped bool
}

// New returns a Weigher of a list of pages, which must not change, with the index and the numbers
// of their URLs.
func New(pages []evidence.Page, index *search.Index, numbers *search.Numbers, o Options) *Weigher {
	return newWeigher(newList(pages, numbers, o), index)
}

func newWeigher(l *list, index *search.Index) *Weigher {
	return &Weigher{list: l, index: index, control: newCensus(l), known: map[uint64][][2]uint32{}, room: mostKnown, lookups: l.numbers.Lookups()}
}

// sides is the number of parts of a Weigher with Options.Together.
const sides = 2

// count counts all pages, before the first chance is asked for.
func (w *Weigher) count() {
	w.pages = newCensus(w.list)
	for id := range w.all {
		w.pages.add(uint32(id), w.hashes[id])
	}
	w.pages.settle()
	w.parts = []*Weigher{w}
	for w.o.Together != nil && len(w.parts) < sides {
		w.parts = append(w.parts, newWeigher(w.list, w.index))
	}
	for i, p := range w.parts {
		p.part, p.of = i, len(w.parts)
		p.pages, p.shares = w.pages, slices.Repeat([]float64{-1}, len(w.all))
	}
}

// Weigh sets Pairs, Alike, Expected and Weight of each rule of some lists, its Meetings, and its Own
// weight. The result does not depend on the order of pages or rules.
//
// Weigh calls stop now and then. If stop returns true, Weigh returns false, and only some of
// the rules are weighed.
func (w *Weigher) Weigh(stop func() bool, lists ...[]rule.Likely) bool {
	if w.pages == nil {
		w.count()
	}
	n := 0
	for _, p := range w.parts {
		p.stop, p.steps, p.stopped, p.asked, p.kin, p.some = stop, 0, false, p.asked[:0], nil, nil
		if w.o.Effects != nil {
			p.effects = w.o.Effects()
		}
	}
	give := func(some ...*rule.Likely) {
		p := w.parts[n%len(w.parts)]
		p.some = append(p.some, some)
		n++
	}
	drops := map[rule.Rule][]*rule.Likely{} // by edit: the same drop in different scopes
	for _, rules := range lists {
		for i := range rules {
			if r := &rules[i]; r.Rule.Kind() == rule.KindDrop {
				drops[edit(&r.Rule)] = append(drops[edit(&r.Rule)], r)
			} else {
				give(r)
			}
		}
	}
	for _, all := range drops {
		give(all...)
	}
	w.eachPart((*Weigher).weighSome)
	for _, p := range w.parts[1:] {
		maps.Copy(w.known, p.known)
	}
	w.setOwn()
	return !w.stopped
}

// eachPart lets each part do its share of a task.
func (w *Weigher) eachPart(task func(part *Weigher)) {
	if len(w.parts) == 1 {
		task(w)
		return
	}
	var tasks []func()
	for _, p := range w.parts {
		tasks = append(tasks, func() { task(p) })
	}
	w.o.Together(tasks...)
	for _, p := range w.parts {
		w.stopped = w.stopped || p.stopped
	}
}

// weighSome weighs the rules of this part.
func (w *Weigher) weighSome() {
	for _, some := range w.some {
		if some[0].Rule.Kind() != rule.KindDrop {
			w.weigh(some[0], func() { w.join(&some[0].Rule) })
			continue
		}
		edit := edit(&some[0].Rule)
		g := w.group(&edit)
		for _, r := range some {
			w.weigh(r, func() { w.against(g, &r.Rule); w.change(&r.Rule) })
		}
	}
	w.effects = nil // Pairs tells nobody
}

// edit returns a drop without its scope.
func edit(drop *rule.Rule) rule.Rule {
	r := *drop
	r.Scope = rule.Scope{}
	return r
}

// Pairs returns the pairs of pages that a rule joins, by their numbers in the list: those that
// Pairs of a weighed rule counts. The result is valid until the next call.
func (w *Weigher) Pairs(r *rule.Rule) [][2]uint32 {
	if pairs, known := w.known[w.hashOf(r)]; known {
		return pairs
	}
	w.stop, w.steps, w.stopped = func() bool { return false }, 0, false
	w.sample.reset()
	if r.Kind() == rule.KindDrop {
		edit := edit(r)
		w.against(w.group(&edit), r)
	} else {
		w.join(r)
	}
	w.sample.settle()
	w.joined = w.sample.appendTo(w.joined[:0])
	return w.joined
}

// A Weigher remembers mostKnown pairs, in blocks of pairsOfBlock. A rule takes as much as pairsOfRule: its hash and its
// place. Of a million URLs with 73,000 rules, all are remembered.
const (
	mostKnown    = 1 << 19
	pairsOfBlock = 1 << 13
	pairsOfRule  = 5
)

// remember keeps the pairs in the sample, of a rule that people may see.
func (w *Weigher) remember(r *rule.Likely) {
	n := len(w.sample.pairs)
	if r.Weight < Shown || pairsOfRule+n > w.room {
		return
	}
	w.room -= pairsOfRule + n
	if cap(w.block)-len(w.block) < n {
		w.block = make([][2]uint32, 0, pairsOfBlock)
	}
	from := len(w.block)
	w.block = w.sample.appendTo(w.block)
	w.known[w.hashOf(&r.Rule)] = w.block[from:len(w.block):len(w.block)]
}

// hashOf returns the hash of a rule. Two of n rules are confused with a probability of n² / 2⁶⁵.
func (w *Weigher) hashOf(r *rule.Rule) uint64 { return maphash.Comparable(w.seed, *r) }

// join samples the pairs of a rule other than a drop.
func (w *Weigher) join(r *rule.Rule) {
	switch r.Kind() {
	case rule.KindSubstring:
		w.instances(r)
	case rule.KindSegment, rule.KindOrder:
		w.against(w.group(r), &rule.Rule{})
		w.change(r)
	default:
		w.changes(r, func(m *made) {
			if m.listed && m.number != uint32(m.url) {
				w.add(uint32(m.url), m.number)
			}
		})
	}
}

// weigh sets the figures of a rule, whose pairs a function adds to the sample.
func (w *Weigher) weigh(r *rule.Likely, sample func()) {
	if w.stopped {
		return
	}
	w.sample.reset()
	sample()
	w.set(r)
	if w.effects != nil {
		w.effects.End(r)
	}
}

// instances samples the instances of a rule's pair that can be compared. They are found by the URLs that the rule
// changes if its effect is asked for, and else by the side whose rarest token fewer URLs hold.
func (w *Weigher) instances(r *rule.Rule) {
	p := r.Pair()
	urls, n := w.index.Holding(p.Alpha)
	told, swapped := w.effects != nil && *r == *ruleOf(p), false
	if !told {
		w.change(r)
		others, m := w.index.Holding(p.Beta)
		if swapped = m < n; swapped {
			p.Alpha, p.Beta, urls = p.Beta, p.Alpha, others
		}
	}
	w.each(urls, func(id int32) {
		form := len(w.made)
		told := told && w.apply(r, id)
		for text := range p.Replacements(&w.buf, w.text) {
			if told && bytes.Equal(text, w.form) {
				w.made[form].joins = true
			} else {
				w.make(made{url: id, joins: true}, text)
			}
		}
	}, func(m *made) {
		u, v := uint32(m.url), m.number
		if swapped {
			u, v = v, u
		}
		if m.joins && m.listed {
			w.add(u, v)
		}
	})
}

func ruleOf(p dust.Pair) *rule.Rule {
	return &rule.Rule{Edit: rule.Substring{From: p.Alpha, To: p.Beta, AtStart: p.AtStart, AtEnd: p.AtEnd}}
}

// changes calls use with the form of each URL that a rule changes.
func (w *Weigher) changes(r *rule.Rule, use func(m *made)) {
	urls, _ := w.index.MayChange(r)
	w.each(urls, func(id int32) { w.apply(r, id) }, use)
}

// change tells of the URLs that a rule changes, if its effect is asked for.
func (w *Weigher) change(r *rule.Rule) {
	if w.effects != nil {
		w.changes(r, func(*made) {})
	}
}

// made is a text that is made of a URL.
type made struct {
	url   int32
	form  bool // the text is what the rule makes of the URL
	joins bool // the text is a replacement of a side of the rule's pair

	listed bool   // the text is the URL of a page
	number uint32 // of this page
	hash   uint64 // of the text
}

// each calls read with each of some URLs, whose text is in w.text, and then use with each text that read has made of
// it.
func (w *Weigher) each(urls iter.Seq[int32], read func(id int32), use func(m *made)) {
	w.lookups.Clear()
	w.made = w.made[:0]
	for id := range urls {
		if w.stops() {
			return
		}
		w.text = append(w.text[:0], w.url(uint32(id))...)
		if read(id); len(w.made) >= search.Together {
			w.find(use)
		}
	}
	w.find(use)
}

// make adds a text.
func (w *Weigher) make(m made, text []byte) {
	w.made = append(w.made, m)
	w.lookups.Add(text)
}

// apply makes a form of a URL, which is in w.text, if the rule changes it.
func (w *Weigher) apply(r *rule.Rule, id int32) (changed bool) {
	form, changed := r.Apply(w.form[:0], w.text)
	if changed {
		w.form = form
		w.make(made{url: id, form: true}, form)
	}
	return changed
}

func (w *Weigher) find(use func(m *made)) {
	w.lookups.Find(func(place, number int, hash uint64, listed bool) {
		m := &w.made[place]
		m.number, m.hash, m.listed = uint32(number), hash, listed
		if m.form && w.effects != nil {
			w.effects.Change(int(m.url), number, hash, listed)
		}
		use(m)
	})
	w.made = w.made[:0]
}

// stopEvery is the number of URLs visited between two calls of stop.
const stopEvery = 4096

// stops reports whether the run is to stop, before a URL is visited.
func (w *Weigher) stops() bool {
	if w.steps++; w.steps%stopEvery == 0 && !w.stopped {
		w.stopped = w.stop()
	}
	return w.stopped
}

// set sets the figures of a rule whose pairs are in the sample.
func (w *Weigher) set(r *rule.Likely) {
	w.sample.settle()
	pairs := w.sample.pairs
	r.Weighed, r.Pairs, r.Alike = true, len(pairs), 0
	for _, p := range pairs {
		if w.similar(p.u, p.v) {
			r.Alike++
		}
	}
	w.poll(pairs)
	k := 0
	for _, v := range w.votes {
		if v.similar {
			k++
		}
	}
	q := w.chance()
	r.Expected = q * float64(r.Pairs)
	r.Weight = ratio(len(w.votes), k, q)
	r.Own, r.OneContent = r.Weight, r.Rule.Kind() == rule.KindSubstring && k < 2
	r.Meetings, r.Met = w.meet(pairs)
	w.remember(r)
	if r.Rule.Kind() == rule.KindSubstring && r.Weight > 0 {
		w.asked = append(w.asked, asked{r, w.keep(w.votes), k, q})
		for _, v := range w.votes { // whose URLs have just been read
			w.kin = append(w.kin, w.kinOf(v))
		}
	}
}

// keep returns a copy of votes.
func (w *Weigher) keep(votes []vote) []vote {
	if cap(w.kept)-len(w.kept) < len(votes) {
		w.kept = make([]vote, 0, 8*mostVotes)
	}
	n := len(w.kept)
	w.kept = append(w.kept, votes...)
	return w.kept[n:]
}

// pair is two different URLs joined by a rule.
type pair struct {
	hash uint64 // keyed
	u, v uint32
}

func (p pair) compare(q pair) int {
	if c := cmp.Compare(p.hash, q.hash); c != 0 { // nearly always
		return c
	}
	return cmp.Or(cmp.Compare(p.u, q.u), cmp.Compare(p.v, q.v))
}

// most is the number of pairs of a sample.
const most = 2000

// sample keeps the pairs with the smallest hashes. A sample is reused.
type sample struct {
	pairs []pair
	full  bool   // a pair was left out
	bound uint64 // greatest hash of the kept pairs, if full
}

// appendTo appends the pairs without their hashes.
func (s *sample) appendTo(all [][2]uint32) [][2]uint32 {
	for _, p := range s.pairs {
		all = append(all, [2]uint32{p.u, p.v})
	}
	return all
}

func (s *sample) reset() { *s = sample{pairs: s.pairs[:0]} }

// add adds a pair, which may be in the sample already.
func (s *sample) add(p pair) {
	if s.full && p.hash > s.bound {
		return
	}
	if s.pairs = append(s.pairs, p); len(s.pairs) == 2*most {
		s.settle()
	}
}

// settle sorts the pairs, and leaves out those that occur twice and those beyond most.
func (s *sample) settle() {
	slices.SortFunc(s.pairs, pair.compare)
	s.pairs = slices.Compact(s.pairs)
	if len(s.pairs) > most {
		s.pairs = s.pairs[:most]
		s.full, s.bound = true, s.pairs[most-1].hash
	}
}
