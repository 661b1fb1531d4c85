package miner

import (
	"cmp"
	"iter"
	"slices"

	"dustbuster/operators/learn/drops"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/equal"
	"dustbuster/operators/learn/kinds"
	"dustbuster/operators/learn/labelled"
	"dustbuster/operators/learn/listed"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/papers/fanout"
	"dustbuster/operators/learn/papers/tree"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/urllist"
)

// WindowLearner is a learner that looks at a whole window now and then.
type WindowLearner struct {
	Name  string
	About string // what it finds, for people

	params bool // finds rules that edit parameters, and is off where such rules are off
	named  bool // runs only if it is named: not among the learners by default

	// Learn returns rules as a function of the pages alone, in the learner's own order. The
	// pages are in byte order of their URLs and must not be modified. If stop returns true,
	// Learn soon returns false.
	Learn func(o *Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool)
}

// windowLearners are the learners that look at a window, in the order of their rules in a
// list.
var windowLearners = []WindowLearner{
	{equal.Name, equal.About, false, false, func(o *Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
		return equal.Learn(equal.Options{Envelope: o.Envelope, NoRefine: o.NoRefine}, pages, stop)
	}},
	{drops.Name, drops.About, true, false, func(o *Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
		return drops.Learn(drops.Options{MinSupport: o.Params.MinSupport, Similarity: o.Params.Similarity, Numbers: o.numbers}, pages, stop)
	}},
	{kinds.Name, kinds.About, false, false, func(o *Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
		return kinds.Learn(kinds.Options{MinSupport: o.Params.MinSupport, Similarity: o.Params.Similarity, NoParams: o.FormsOnly, Numbers: o.numbers}, pages, stop)
	}},
	{tree.Name, tree.About, true, true, func(o *Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
		return tree.LearnWindow(o.Envelope.Similarity, pages, stop)
	}},
	{fanout.Name, fanout.About, true, true, func(o *Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {
		return fanout.LearnWindow(o.Envelope.Similarity, pages, stop)
	}},
}

// WindowLearners returns the learners that look at a window, in the order of their rules in a
// list. The result must not be modified.
func WindowLearners() []WindowLearner { return windowLearners }

// Learners returns the names of all learners, in the order of their rules in a list: the
// two online learners, and the learners that look at a window.
func Learners() []string {
	names := []string{envelope.Name, params.Name}
	for _, l := range windowLearners {
		names = append(names, l.Name)
	}
	return names
}

// DefaultLearners returns the names of the learners that run unless others are named, in the
// order of Learners. The others are tree and fanout, which learn from digests and from fetched texts. Live,
// tree takes the coverage of gitweb after 3,000 requests from .677 to .705, and false merges of 10,000 URLs from 0
// to 3.2; docs stays. More false merges are no default. Name both for a crawl with digests.
func DefaultLearners() []string {
	return slices.DeleteFunc(Learners(), func(name string) bool {
		return slices.ContainsFunc(windowLearners, func(l WindowLearner) bool { return l.Name == name && l.named })
	})
}

// FindsParameters reports whether a learner is off where parameter rules are off.
func FindsParameters(name string) bool {
	return name == params.Name || slices.ContainsFunc(windowLearners, func(l WindowLearner) bool { return l.Name == name && l.params })
}

// Learn returns the rules that the learners of Options.Window find in a window, and that
// are not among the listed rules of the site. The rules belong behind the listed rules. A
// rule found by several learners counts for the first of them. Learn sets the weights of the
// listed and of the found rules, and how many URLs they merge unless Options.NoEffects is set. Learn
// is a function of the arguments, and may be called by any goroutine.
//
// Learn calls stop now and then, by Options.Together from several goroutines. If stop returns true,
// Learn returns false without result.
func (o *Options) Learn(site string, pages []evidence.Page, days table.Days, listed []rule.Likely, stop func() bool) (all []rule.Likely, ok bool) {
	_, _, all, ok = o.learn(site, pages, days, stop, func(numbers *search.Numbers) (*Reach, []rule.Likely) {
		return &Reach{pages: pages, o: o, numbers: numbers}, listed
	})
	return all, ok
}

// learn is Learn with the listed rules, and the reach of the pages, that list returns. The learners
// look at the window beside that, and other tasks are done.
func (o *Options) learn(site string, pages []evidence.Page, days table.Days, stop func() bool, list func(*search.Numbers) (*Reach, []rule.Likely), others ...func()) (reach *Reach, listed, all []rule.Likely, ok bool) {
	looking := *o
	looking.numbers = numbersOf(pages)
	if looking.named, ok = o.listed(site, pages, stop); !ok {
		return nil, nil, nil, false
	}
	found, ok := looking.find(site, pages, stop, func() {
		if reach, listed = list(looking.numbers); len(listed) > 0 {
			reach.search() // beside the learners
		}
	}, others...)
	if ok {
		all, ok = looking.combine(site, reach, days, listed, found, stop)
	}
	if !ok {
		return nil, nil, nil, false
	}
	return reach, listed, all, true
}

// numbersOf finds pages by their URLs.
func numbersOf(pages []evidence.Page) *search.Numbers {
	return search.NewNumbers(len(pages), func(n int) string { return pages[n].URL })
}

// find returns what each of the learners of Options.Window finds in the pages, in the order of their
// rules in a list. Beside that, find does some other tasks, of which the first takes longest, and is begun first. If a
// learner gives up, find returns false.
func (o *Options) find(site string, pages []evidence.Page, stop func() bool, first func(), others ...func()) (found [][]rule.Likely, ok bool) {
	tasks, ended := []func(){first}, []bool{}
	add := func(learn func() ([]rule.Likely, bool)) {
		n := len(ended)
		tasks = append(tasks, func() { found[n], ended[n] = learn() })
		found, ended = append(found, nil), append(ended, false)
	}
	for _, l := range windowLearners {
		if slices.Contains(o.Window, l.Name) {
			add(func() ([]rule.Likely, bool) { return l.Learn(o, pages, stop) })
		}
	}
	if len(o.named) > 0 {
		add(func() ([]rule.Likely, bool) {
			return listed.Learn(listed.Options{Similarity: o.Params.Similarity, Numbers: o.numbers}, o.named, pages, stop)
		})
	}
	if o.Labels != nil {
		add(func() ([]rule.Likely, bool) {
			pairs, _ := o.Labels.On(site)
			return labelled.Learn(labelled.Options{Envelope: o.Envelope, NoRefine: o.NoRefine, NoParams: o.FormsOnly}, pairs, pages, stop)
		})
	}
	o.SideBySide(append(tasks, others...)...)
	return found, !slices.Contains(ended, false)
}

// SideBySide runs tasks by Options.Together, or one after the other.
func (o *Options) SideBySide(tasks ...func()) {
	if o.Together != nil {
		o.Together(tasks...)
		return
	}
	for _, task := range tasks {
		task()
	}
}

// combine sets the weights of the listed rules, and returns the found rules that are not among them,
// with their weights.
func (o *Options) combine(site string, reach *Reach, days table.Days, listed []rule.Likely, found [][]rule.Likely, stop func() bool) (all []rule.Likely, ok bool) {
	known := map[rule.Rule]bool{} // the found rules, and whether they are listed: there may be far more listed ones
	for _, rules := range found {
		for i := range rules {
			known[rules[i].Rule] = false
		}
	}
	for i := range listed {
		if _, is := known[listed[i].Rule]; is {
			known[listed[i].Rule] = true
		}
	}
	o.mark(append(found, listed))
	some := len(listed)
	for n := range found {
		found[n] = Unlisted(known, found[n])
		some += len(found[n])
	}
	if some == 0 {
		return nil, true
	}
	if !reach.weigh(days.Append).Weigh(stop, append(found, listed)...) {
		return nil, false
	}
	for n := range found {
		kept := heaviest(Unlisted(known, found[n]), o.MaxLearned)
		for i := range kept {
			kept[i].Site = site
			known[kept[i].Rule] = true
		}
		all = append(all, kept...)
	}
	return all, true
}

// listed returns the parameters of the pages of a site that Lists names.
func (o *Options) listed(site string, pages []evidence.Page, stop func() bool) (names []string, ok bool) {
	if !o.looksUp() {
		return nil, true
	}
	return listed.Names(o.Lists.On(site), pages, stop)
}

func (o *Options) looksUp() bool { return o.Lists != nil && !o.FormsOnly }

// mark marks the rules that drop nothing but what Lists names, and those that Labels lead to.
func (o *Options) mark(lists [][]rule.Likely) {
	labelled := ofLabels(lists)
	isNamed := func(name string) bool { _, is := slices.BinarySearch(o.named, name); return is }
	for _, rules := range lists {
		for i := range rules {
			d := rules[i].Rule.Params()
			rules[i].Listed = labelled[rules[i].Rule] || len(o.named) > 0 && rules[i].Rule.Kind() == rule.KindDrop && d.Param != "" && every(d.Names(), isNamed)
		}
	}
}

// ofLabels returns the rules that were found among labelled pages.
func ofLabels(lists [][]rule.Likely) map[rule.Rule]bool {
	var all map[rule.Rule]bool
	for _, rules := range lists {
		for i := range rules {
			if rules[i].Learner != labelled.Name {
				break
			}
			if all == nil {
				all = map[rule.Rule]bool{}
			}
			all[rules[i].Rule] = true
		}
	}
	return all
}

func every(names iter.Seq[string], holds func(string) bool) bool {
	for name := range names {
		if !holds(name) {
			return false
		}
	}
	return true
}

// Looks reports whether a learner of a name looks at the window.
func (o *Options) Looks(name string) bool {
	return slices.Contains(o.Window, name) || o.looksUp() && name == listed.Name || o.Labels != nil && name == labelled.Name
}

// Listed returns the parameters of a machine's window that Options.Lists names, in byte order. O(bytes of the URLs).
func Listed(a *Reach) []string {
	names, _ := a.o.listed(a.window.site, a.pages, func() bool { return false })
	return names
}

// weightKey is the key of the hashes that select the pairs of a rule. The weights of a list
// depend only on the window.
var weightKey = [2]uint64{0x77656967, 0x68740000}

// Unlisted returns the rules that are not among the known rules. Unlisted may reuse the
// slice.
func Unlisted(known map[rule.Rule]bool, rules []rule.Likely) []rule.Likely {
	return slices.DeleteFunc(rules, func(r rule.Likely) bool { return known[r.Rule] })
}

// heaviest returns the n rules of greatest weight, of equal weights the earlier rules, in
// their order; all rules if n is 0.
func heaviest(rules []rule.Likely, n int) []rule.Likely {
	if n == 0 || len(rules) <= n {
		return rules
	}
	places := make([]int, len(rules))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(rules[b].Weight, rules[a].Weight) })
	places = places[:n]
	slices.Sort(places)
	kept := make([]rule.Likely, n)
	for i, place := range places {
		kept[i] = rules[place]
	}
	return kept
}

// Looks reports whether some learner looks at the window.
func (m *Machine) Looks() bool { return len(m.o.Window) > 0 || m.o.looksUp() || m.o.Labels != nil }

// Window copies the URLs of the window and their evidence, for Options.Learn. O(URLs),
// about 60 bytes each.
func (m *Machine) Window() *urllist.Copy {
	m.settle()
	return m.urls.Copy()
}

// pages returns the pages of the window. They are valid until the next Fold. If the learners have no
// URL yet, pages leaves it to the next settle to give them all URLs, perhaps beside a look at the pages.
func (m *Machine) pages() []evidence.Page {
	if len(m.inside) > 0 || m.table.Unsettled() == 0 || m.table.Gone() > 0 {
		m.settle()
		return m.urls.Pages()
	}
	for id := range m.urls.All() {
		m.evidence = m.table.Evidence(m.evidence[:0], id)
		m.urls.SetEvidence(id, m.evidence)
	}
	if m.o.Finished {
		return m.urls.Arrange()
	}
	return m.urls.Pages()
}

// Days returns the days of the window's pages, in which any goroutine may look. O(URLs).
func (m *Machine) Days() table.Days { return m.table.Days().Clone() }

// AllRules returns the rules of all learners with their weights: Rules, and behind them the
// rules of the learners that look at the window. AllRules takes up to a second for 20,000
// URLs.
func (m *Machine) AllRules() []rule.Likely {
	rules, _ := m.Mine()
	return rules
}

// mostBeside is the number of pages up to which notes are made beside the learners. Of a million pages, they would
// raise the peak of memory by 70 MB.
const mostBeside = 1 << 17

// Mine returns AllRules, and the Reach by which they were found. If the pairs of the window exceed the budget of
// Sites, Mine first cuts the window.
func (m *Machine) Mine() ([]rule.Likely, *Reach) {
	m.fit()
	pages := m.pages()
	var told *notes.Site
	var others []func()
	if m.o.Finished && len(pages) <= mostBeside { // whoever shows the rules of a finished log asks for the notes
		clients, left, days := m.masks(), m.leftOut(), m.table.Days()
		others = append(others, func() { told = m.o.notes(m.o.Split(pages, days), clients, m.tally, left) })
	}
	reach, rules, found, _ := m.o.learn(m.site, pages, m.table.Days(), func() bool { return false }, func(numbers *search.Numbers) (*Reach, []rule.Likely) {
		m.settlePages(pages)
		rules := m.Rules()
		if m.o.Finished {
			m.finish()
		}
		return m.reach(pages, numbers), rules
	}, others...)
	reach.notes = told
	return slices.Concat(rules, found), reach
}
