package lifecycle

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// pagesOf returns a number of pages for each directory.
func pagesOf(count map[string]int) (pages []evidence.Page) {
	for dir, n := range count {
		for i := range n {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("/%s/%d", dir, i)})
		}
	}
	return pages
}

// Approve approves an update.
func (m *Machine) Approve(mark string) { _ = m.Operator.Decide(book.Decision{Mark: mark}) }

// moving returns a rule that changes all pages below a directory.
func moving(dir string) rule.Rule {
	return rule.Rule{Edit: rule.Substring{From: "/" + dir + "/", To: "/z/", AtStart: true}}
}

// joinAll adds to L a rule that changes all pages below a directory.
func (m *Machine) joinAll(dir string) string {
	r := moving(dir)
	id := rule.ID("", &r)
	m.do(book.Act{Rule: &book.Entry{ID: id, Rule: r, State: rule.Valid, Rank: m.book.LastRank() + 1, ValidatedAt: 1}})
	return id
}

// part removes the rule of a directory from L.
func (m *Machine) part(dir string) {
	r := moving(dir)
	e := *m.book.Entries[rule.ID("", &r)]
	e.State = rule.Retired
	m.do(book.Act{Rule: &e})
}

// settleAll runs a machine until nothing is left to do. All pairs are alike.
func settleAll(m *Machine, now int64) {
	for test, ok := m.Next(now); ok; test, ok = m.Next(now) {
		m.Dialogue.Outcome(test, madeup.Judged(trial.Positive, trial.Similar), 1, now)
	}
}

// holder returns a machine that holds back updates of more than half of the URLs.
func holder(count map[string]int) *Machine {
	o := madeup.Options()
	o.HoldShare, o.GivenOnly, o.RecheckEvery = 0.5, true, book.Day
	m := New("", o)
	m.Load(forms.NewWindow(pagesOf(count)), nil)
	return m
}

// out returns the directories moved by the published rules.
func (m *Machine) out() string {
	var dirs []string
	for _, r := range m.Published().Records {
		rule, err := r.Rule()
		if err != nil {
			panic(err)
		}
		dirs = append(dirs, strings.Trim(rule.Sides().From, "/"))
	}
	return strings.Join(dirs, " ")
}

func (m *Machine) want(t *testing.T, when string, sequence int64, out string, waiting int) {
	t.Helper()
	hold, held := m.Operator.PendingUpdate()
	if m.Published().Sequence != sequence || m.out() != out || held != (waiting > 0) || hold.Rules != waiting {
		t.Errorf("%s: published %d, %q, held %+v; want %d, %q, %d", when, m.Published().Sequence, m.out(), hold, sequence, out, waiting)
	}
	if m.Answers.Owes() {
		t.Errorf("%s: there is something to publish", when)
	}
	if back := m.Published().Held; back != nil && waiting == 0 {
		t.Errorf("%s: the publication says that %+v is held", when, back)
	}
}

var thirds = map[string]int{"a": 30, "b": 30, "c": 10, "d": 10, "z": 20}

// The first publication is L without the rules with which more than the allowed share would
// change. These wait until they are approved, although what they add is smaller than the share.
func TestFirstPublicationIsHeld(t *testing.T) {
	m := holder(thirds)
	m.joinAll("a")
	b := m.joinAll("b")
	m.joinAll("c")
	settleAll(m, 10)
	m.want(t, "at first", 1, "a c", 1)
	if hold, _ := m.Operator.PendingUpdate(); hold.Share != 0.7 || hold.Mark != b {
		t.Errorf("held: %+v", hold)
	}
	for now := range int64(10) {
		m.Load(forms.NewWindow(pagesOf(thirds)), nil)
		settleAll(m, 10+now*book.Hour)
		m.want(t, "later", 1, "a c", 1)
	}
	hold, _ := m.Operator.PendingUpdate()
	m.Approve(hold.Mark)
	settleAll(m, book.Day)
	m.want(t, "approved", 2, "a b c", 0)
	m.joinAll("d")
	settleAll(m, 2*book.Day)
	m.want(t, "one more", 3, "a b c d", 0)
}

// holdStep is what happens to a machine before it settles, and what is published then.
type holdStep struct {
	acts     string         // +a: a rule of a joins; -a: it goes; ok: what is held is approved; no: it is rejected; ok:a, no:a: a rule of it is
	share    float64        // is HoldShare from here on; 0: as before
	window   map[string]int // is loaded; nil: the window stays
	sequence int64
	out      string
	waiting  int
	held     float64 // is the share that waits; 0: any
}

// holds are the updates of lists, of which a HoldShare of .5 holds some.
var holds = map[string]struct {
	count map[string]int
	steps []holdStep
}{
	"a rule that changes too many URLs waits until it is approved": {map[string]int{"a": 10, "b": 60, "c": 10, "z": 20}, []holdStep{
		{acts: "+a", sequence: 1, out: "a"},
		{acts: "+b", sequence: 1, out: "a", waiting: 1},
		{acts: "+c", sequence: 2, out: "a c", waiting: 1},
		{acts: "ok", sequence: 3, out: "a b c"},
	}},
	"a rule that waits goes": {map[string]int{"a": 10, "b": 60, "z": 30}, []holdStep{
		{acts: "+a", sequence: 1, out: "a"},
		{acts: "+b", sequence: 1, out: "a", waiting: 1},
		{acts: "-b", sequence: 1, out: "a"},
	}},
	"rules behind a rule that waits do not wait": {thirds, []holdStep{
		{acts: "+a +b", sequence: 1, out: "a", waiting: 1},
		{acts: "+c", sequence: 2, out: "a c", waiting: 1},
		{acts: "+d", sequence: 3, out: "a c d", waiting: 1},
	}},
	"the first rule alone changes too many URLs, and the others go out without it": {map[string]int{"a": 60, "b": 10, "z": 30}, []holdStep{
		{acts: "+a +b", sequence: 1, out: "b", waiting: 1},
		{acts: "-a", sequence: 2, out: "b"},
	}},
	"a rule that was sent back and is valid again, with another rank, goes out as before": {map[string]int{"a": 10, "b": 60, "z": 30}, []holdStep{
		{acts: "+a +b", share: 0.9, sequence: 1, out: "a b"},
		{acts: "+a", share: 0.5, sequence: 2, out: "b a"},
	}},
	"the rest goes, and the next update is compared with the publication": {thirds, []holdStep{
		{acts: "+a +b", sequence: 1, out: "a", waiting: 1},
		{acts: "-b", sequence: 2, out: "a"},
		{acts: "+b", sequence: 3, out: "a b"},
	}},
	"a rest follows the window, and what is out stays out": {thirds, []holdStep{
		{acts: "+a +b", sequence: 1, out: "a", waiting: 1},
		{window: map[string]int{"a": 80, "b": 10, "z": 10}, sequence: 1, out: "a", waiting: 1, held: 0.9},
		{window: map[string]int{"a": 20, "b": 20, "z": 60}, sequence: 2, out: "a b"},
		{window: map[string]int{"a": 80, "b": 10, "z": 10}, sequence: 2, out: "a b"},
	}},
	"approved rules go out although L has grown": {map[string]int{"a": 10, "b": 60, "c": 60, "d": 10, "z": 60}, []holdStep{
		{acts: "+a +b +c", sequence: 1, out: "a b", waiting: 1}, // a and b are 0.35
		{acts: "ok +d", sequence: 2, out: "a b c d"},
	}},
	"rules that came after an approval wait": {map[string]int{"a": 60, "b": 110, "z": 30}, []holdStep{
		{acts: "+a", share: 0.1, waiting: 1},
		{acts: "ok +b", sequence: 1, out: "a", waiting: 1},
	}},
	"a share of 1 holds nothing": {map[string]int{"a": 50, "b": 50}, []holdStep{
		{acts: "+a +b", share: 1, sequence: 1, out: "a b"},
	}},
	"one of two rules is approved, and then the other rejected": {map[string]int{"a": 60, "b": 70, "c": 10, "z": 10}, []holdStep{
		{acts: "+a +b +c", share: 0.3, sequence: 1, out: "c", waiting: 2},
		{acts: "ok:b", sequence: 2, out: "b c", waiting: 1},
		{acts: "no", sequence: 3, out: "b c"}, // and nothing is held
		{acts: "+a", sequence: 3, out: "b c"},
	}},
	"both decisions before the next look": {map[string]int{"a": 60, "b": 70, "c": 10, "z": 10}, []holdStep{
		{acts: "+a +b +c", share: 0.3, sequence: 1, out: "c", waiting: 2},
		{acts: "no:a ok:b", sequence: 2, out: "b c"},
	}},
	"an update is rejected as a whole": {map[string]int{"a": 60, "b": 70, "c": 10, "z": 10}, []holdStep{
		{acts: "+a +b +c", share: 0.3, sequence: 1, out: "c", waiting: 2},
		{acts: "no", sequence: 2, out: "c"},
	}},
	"a rule that is held alone does not freeze what updates are compared with": {map[string]int{"a": 200, "b": 40, "c": 40, "z": 60}, []holdStep{
		{acts: "+a +b", share: 0.2, sequence: 1, out: "b", waiting: 1},
		{acts: "+c", sequence: 2, out: "b c", waiting: 1}, // more than the share, together with b
	}},
}

func TestHolds(t *testing.T) {
	for name, c := range holds {
		t.Run(name, func(t *testing.T) {
			m := holder(c.count)
			for n, step := range c.steps {
				m.book.Options.HoldShare = cmp.Or(step.share, m.book.Options.HoldShare)
				if step.window != nil {
					m.Load(forms.NewWindow(pagesOf(step.window)), nil)
				}
				for act := range strings.FieldsSeq(step.acts) {
					switch act[0] {
					case '+':
						m.joinAll(act[1:])
					case '-':
						m.part(act[1:])
					default:
						hold, _ := m.Operator.PendingUpdate()
						d := book.Decision{Mark: hold.Mark, Reject: strings.HasPrefix(act, "no")}
						if _, dir, one := strings.Cut(act, ":"); one {
							r := moving(dir)
							d.ID = rule.ID("", &r)
						}
						must(t, m.Operator.Decide(d))
						if err := m.Operator.Decide(d); err == nil {
							t.Errorf("step %d: decided twice", n)
						}
					}
				}
				settleAll(m, int64(10*(n+1)))
				m.want(t, fmt.Sprint("step ", n), step.sequence, step.out, step.waiting)
				if hold, _ := m.Operator.PendingUpdate(); step.held > 0 && hold.Share != step.held {
					t.Errorf("step %d: held %+v, want %v", n, hold, step.held)
				}
			}
		})
	}
}

// Of two operators who see the same update, the second is refused once the first has decided on it or on a
// part of it. So is one who sees an update that has changed since. A decision survives a kill at once.
func TestDecisions(t *testing.T) {
	count := map[string]int{"a": 60, "b": 70, "c": 10, "z": 10}
	held := func() (m *Machine, a, b string, mark string) {
		m = holder(count)
		m.book.Options.HoldShare = 0.3
		a, b = m.joinAll("a"), m.joinAll("b")
		settleAll(m, 10)
		u, _ := m.Operator.PendingUpdate()
		if len(u.List) != 2 || u.List[0].ID != a || u.List[0].Share != 0.4 || u.List[1].Rule != moving("b") {
			t.Errorf("held: %+v", u)
		}
		return m, a, b, u.Mark
	}
	for _, c := range []struct {
		name          string
		first, second func(a, b, mark string) book.Decision
		want          error
		out           string
		waiting       int
	}{
		{"both approve all", func(_, _, mark string) book.Decision { return book.Decision{Mark: mark} }, func(_, _, mark string) book.Decision { return book.Decision{Mark: mark} }, book.ErrNotHeld, "a b", 0},
		{"one approves a rule, the other rejects all", func(a, _, mark string) book.Decision { return book.Decision{Mark: mark, ID: a} },
			func(_, _, mark string) book.Decision { return book.Decision{Mark: mark, Reject: true} }, book.ErrChanged, "a", 1},
		{"one rejects a rule, the other approves it", func(a, _, mark string) book.Decision { return book.Decision{Mark: mark, ID: a, Reject: true} },
			func(a, _, mark string) book.Decision { return book.Decision{Mark: mark, ID: a} }, book.ErrChanged, "", 1},
		{"one rejects a rule, the other approves the rest", func(a, _, mark string) book.Decision { return book.Decision{Mark: mark, ID: a, Reject: true} },
			func(_, b, _ string) book.Decision { return book.Decision{Mark: b} }, nil, "b", 0},
		{"a rule that is not held", func(a, _, mark string) book.Decision { return book.Decision{Mark: mark, ID: a} },
			func(a, b, _ string) book.Decision { return book.Decision{Mark: b, ID: a} }, book.ErrNoRule, "a", 1},
	} {
		m, a, b, mark := held()
		must(t, m.Operator.Decide(c.first(a, b, mark)))
		if err := m.Operator.Decide(c.second(a, b, mark)); err != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		killed := holder(count)
		killed.book.Options.HoldShare = 0.3
		for _, act := range m.Acts() {
			killed.Restore(recode(t, act))
		}
		killed.Load(forms.NewWindow(pagesOf(count)), nil)
		for _, m := range []*Machine{m, killed} {
			settleAll(m, 20)
			if u, _ := m.Operator.PendingUpdate(); m.out() != c.out || u.Rules != c.waiting {
				t.Errorf("%s: published %q, held %+v", c.name, m.out(), u)
			}
		}
	}
	m, _, _, mark := held()
	m.joinAll("c")
	m.book.Options.HoldShare = 0.01
	settleAll(m, 30)
	for _, reject := range []bool{false, true} {
		if err := m.Operator.Decide(book.Decision{Mark: mark, Reject: reject}); err != book.ErrChanged {
			t.Errorf("the update has one rule more: %v", err)
		}
	}
	if err := holder(count).Operator.Decide(book.Decision{}); err != book.ErrNotHeld {
		t.Errorf("nothing is held: %v", err)
	}
}

// The published rules count as merged, and the held ones are told apart.
func TestMergedByWhatIsOut(t *testing.T) {
	m := New("", func() book.Options { o := madeup.Options(); o.HoldShare, o.GivenOnly = 0.3, true; return o }())
	var pages []evidence.Page
	for i := range 60 {
		pages = append(pages, evidence.Page{URL: fmt.Sprintf("/p/%d", i)}, evidence.Page{URL: fmt.Sprintf("/p/%d?s=1", i)})
	}
	for i := range 10 {
		pages = append(pages, evidence.Page{URL: fmt.Sprintf("/p/%d?t=1", i)})
	}
	m.Load(forms.NewWindow(pages), nil)
	for n, name := range []string{"s", "t"} {
		r := rule.Rule{Edit: rule.Drop{Param: name}}
		m.do(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: n + 1, ValidatedAt: 1}})
	}
	settleAll(m, 10)
	if s := m.Answers.Status(); s.Merged() != 10./130 || s.WouldMerge() != 60./130 {
		t.Errorf("merged %v, would merge %v", s.Merged(), s.WouldMerge())
	}
	hold, _ := m.Operator.PendingUpdate()
	m.Approve(hold.Mark)
	settleAll(m, 20)
	if s := m.Answers.Status(); s.Merged() != 70./130 || s.WouldMerge() != 0 {
		t.Errorf("approved: merged %v, would merge %v", s.Merged(), s.WouldMerge())
	}
}

// A rule that no longer holds is withdrawn, however many URLs change. The withdrawal
// publishes no other rule.
func TestRetirementsGoOut(t *testing.T) {
	m := holder(map[string]int{"a": 45, "b": 30, "c": 10, "z": 15})
	m.joinAll("a")
	settleAll(m, 10)
	m.joinAll("b")
	m.joinAll("c")
	settleAll(m, 20)
	m.want(t, "at first", 2, "a b c", 0) // next to a, the rules b and c change less than half
	m.part("a")
	settleAll(m, 30)
	m.want(t, "a is retired", 3, "b c", 0)

	m = holder(map[string]int{"a": 30, "b": 60, "z": 10})
	id := m.joinAll("a")
	m.joinAll("b")
	settleAll(m, 10)
	m.want(t, "the same with a rest", 1, "a", 1)
	m.part("a")
	settleAll(m, 20)
	m.want(t, "a is retired", 2, "", 1)
	if p := m.Published(); !slices.Equal(p.Retired, []string{id}) {
		t.Errorf("retired: %v", p.Retired)
	}

	m = holder(map[string]int{"a": 10, "b": 10, "c": 60, "z": 20})
	m.joinAll("a")
	m.joinAll("b")
	settleAll(m, 10)
	m.joinAll("c")
	m.joinAll("b") // sent back and valid again: b is now behind c, which waits
	settleAll(m, 20)
	m.want(t, "c waits", 2, "a b", 1)
	if p := m.Published(); len(p.Retired) > 0 {
		t.Errorf("retired: %v", p.Retired)
	}
}

// A held rest survives a crash after any act. The crash publishes nothing.
func TestHoldAfterCrash(t *testing.T) {
	m := holder(thirds)
	m.joinAll("a")
	m.joinAll("b")
	settleAll(m, 10)
	acts := m.Acts()
	if acts[len(acts)-1].Publication == nil {
		t.Fatalf("the last act is %+v", acts[len(acts)-1])
	}
	for n := range len(acts) + 2 {
		copied := holder(thirds)
		if n > len(acts) {
			for a := range m.Dump {
				copied.Restore(recode(t, a))
			}
		} else {
			for _, a := range acts[:n] {
				copied.Restore(recode(t, a))
			}
		}
		copied.Load(forms.NewWindow(pagesOf(thirds)), nil)
		settleAll(copied, book.Day)
		if n >= 2 {
			copied.want(t, fmt.Sprint("after act ", n), 1, "a", 1)
		}
	}
}

// The published set is the set that was tried.
func TestHeldSetIsTriedAsItGoesOut(t *testing.T) {
	m := holder(map[string]int{"a": 30, "b": 30, "y": 40})
	m.joinAll("a")
	r := rule.Rule{Edit: rule.Substring{From: "/z/", To: "/y/", AtStart: true}} // a makes the same text
	m.do(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: 2, ValidatedAt: 1}})
	m.joinAll("b")
	m.book.Options.HoldShare = 0.3
	forms := map[string]bool{}
	for now := int64(10); ; now++ {
		test, ok := m.Next(now)
		if !ok {
			break
		}
		forms[strings.Split(test.V, "/")[1]] = true
		m.Dialogue.Outcome(test, madeup.Judged(trial.Positive, trial.Similar), 1, now)
	}
	if m.out() != "a z" || !forms["y"] || forms["z"] || m.Published().Sample.URLs != 30 {
		t.Errorf("published %q, tried forms %v, sample %+v", m.out(), forms, m.Published().Sample)
	}
}

// Under the published rules, a form that redirects to one of its URLs is wrong, even while
// a rest is held back.
func TestLeadsBackByWhatGoesOut(t *testing.T) {
	m := holder(map[string]int{"a": 20, "b": 20, "z": 60})
	m.joinAll("a")
	m.joinAll("b")
	r := rule.Rule{Edit: rule.Substring{From: "/z/", To: "/y/", AtStart: true}}
	m.do(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: 3, ValidatedAt: 1}})
	test, _ := m.Next(10)
	page := trial.Document{Status: 200}
	other := strings.Replace(strings.Replace(test.U, "/a/", "/x/", 1), "/b/", "/a/", 1)
	other = strings.Replace(other, "/x/", "/b/", 1)
	back := trial.Document{Status: 200, Redirected: true, Target: other}
	if j := m.Dialogue.Measure(test, page, back, nil); test.Purpose != SetTrial || j.Outcome != trial.Returned {
		t.Errorf("%+v, sent to %s: %v", test, other, j.Outcome)
	}
}

// What is held back is compared with the definition, over random rules that undo, repeat and
// disturb each other.
func TestHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	letters := []string{"a", "b", "c", "d", "", "..", "a/b", "c.d"}
	pick := func() string { return letters[rng.IntN(len(letters))] }
	alone, together, restless := 0, 0, 0
	for range 3000 {
		var pages []evidence.Page
		for range 1 + rng.IntN(12) {
			pages = append(pages, evidence.Page{URL: "/" + pick() + "/" + pick() + "." + pick()})
		}
		window := forms.NewWindow(pages)
		if rng.IntN(2) == 0 {
			for i := range window.Pages {
				window.Note(i, rng.IntN(2) == 0)
			}
		}
		o := madeup.Options()
		o.HoldShare = 0.1 + 0.8*rng.Float64()
		m := New("", o)
		for n := 1 + rng.IntN(6); len(m.book.Entries) < n; {
			r := rule.Rule{Edit: rule.Substring{From: pick(), To: pick(), AtStart: rng.IntN(4) == 0}}
			if r.Validate() == nil {
				m.Restore(book.Act{Rule: &book.Entry{ID: fmt.Sprint("<", len(m.book.Entries), ">"), Rule: r, State: rule.Valid, Rank: len(m.book.Entries) + 1}})
			}
		}
		var public book.Publication
		public.Sequence = 1
		for _, e := range m.book.Valid() {
			if rng.IntN(4) == 0 {
				public.Records = append(public.Records, rule.Record{ID: e.ID})
			}
			if rng.IntN(8) == 0 {
				m.book.Approved += e.ID
			}
		}
		if rng.IntN(3) == 0 {
			public.Held = &book.PendingRules{Base: []string{"<0>"}}
		}
		m.book.Publication = public
		w, _ := forms.NewView(m.book, window, forms.NewGuard(window, &o, nil), m.book.Valid())
		if w == nil {
			continue // a rule of L leaves a URL without a form
		}
		pub := m.publisher
		basis := pub.basis(w.List)
		reaches := func(list []*book.Entry) (part float64, settled bool) {
			now, was, changed, of := forms.Of(window, forms.RulesOf(list)), forms.Of(window, forms.RulesOf(basis)), 0, 0
			for i := range window.Pages {
				if window.Counts(i) {
					of++
					if now.Texts[now.Of[i]] != was.Texts[was.Of[i]] {
						changed++
					}
				}
			}
			_, rank := forms.Compile(forms.RulesOf(list)).Unsafe(window.Bytes())
			return book.Share(changed, of), rank < 0
		}
		joins := func(list []*book.Entry, e *book.Entry) []*book.Entry {
			list = append(slices.Clone(list), e)
			slices.SortStableFunc(list, func(a, b *book.Entry) int { return a.Rank - b.Rank })
			return list
		}
		var out, held []*book.Entry
		for _, e := range w.List {
			if m.book.IsPublished(e) || m.book.IsApproved(e) {
				out = append(out, e)
			}
		}
		_, safe := reaches(out)
		for _, e := range w.List {
			if slices.Contains(out, e) {
				continue
			}
			if part, _ := reaches(joins(basis, e)); part > o.HoldShare {
				held = append(held, e)
				alone++
				continue
			}
			part, settled := reaches(joins(out, e))
			switch {
			case part > o.HoldShare:
				together++
				held = append(held, e)
			case safe && !settled:
				restless++
				held = append(held, e)
			default:
				out = joins(out, e)
			}
		}
		got := pub.hold(w)
		if part, _ := reaches(w.List); safe && (!slices.Equal(got.list, out) || got.update.Mark != book.MarkOf(held) || got.update.Rules != len(held) || len(held) > 0 && got.update.Share != part) {
			t.Fatalf("of\n%s\nover %v with %+v, approved %s:\ngoes out %s and waits %+v, want %s and %s with %v", madeup.Words(forms.RulesOf(w.List)), pages, public, m.book.Approved, book.MarkOf(got.list), got.update, book.MarkOf(out), book.MarkOf(held), part)
		}
	}
	if alone < 100 || together < 100 || restless < 5 {
		t.Errorf("%d rules held back alone, %d together, %d for a URL without a form: too few", alone, together, restless)
	}
}

// A URL counts if the URL was seen in two panes, or by two clients where clients can be
// told apart. If no URL qualifies, all URLs count.
func TestUsual(t *testing.T) {
	o := madeup.MinerOptions()
	o.Table.Pane = 3600
	type hit struct {
		url    string
		pane   int
		client uint8
	}
	crowd := []hit{} // eight clients, each on a page of its own
	for c := range uint8(8) {
		crowd = append(crowd, hit{fmt.Sprint("/c", c), 0, 10 * c})
	}
	for _, c := range []struct {
		name   string
		window int64
		hits   []hit
		want   string // the URLs that count; "": all
	}{
		{"two panes", 86400, []hit{{"/a", 0, 1}, {"/a", 1, 1}, {"/b", 0, 1}, {"/b", 0, 2}, {"/c", 1, 1}}, "/a"},
		{"two clients of many", 86400, append(crowd, hit{"/a", 0, 1}, hit{"/a", 0, 2}, hit{"/b", 0, 5}), "/a"},
		{"both", 86400, append(crowd, hit{"/a", 0, 1}, hit{"/a", 0, 2}, hit{"/b", 0, 5}, hit{"/b", 3, 5}), "/a /b"},
		{"an endless pane", 0, []hit{{"/a", 0, 1}, {"/a", 1, 1}, {"/b", 0, 1}}, ""},
		{"one with many clients", 0, append(crowd, hit{"/a", 0, 1}, hit{"/a", 5, 2}, hit{"/b", 0, 5}, hit{"/b", 3, 5}), "/a"},
		{"nothing twice", 86400, append(crowd, hit{"/a", 0, 1}, hit{"/b", 1, 1}), ""},
	} {
		o.Table.Window = c.window
		m := miner.New("", o)
		for _, h := range c.hits {
			m.Fold(&evidence.Observation{URL: []byte(h.url), Time: int64(h.pane) * 3600, Min: 100, Max: 100, Clients: 1 << (h.client % 16)})
		}
		w := forms.WindowOf(m)
		var got []string
		for i, p := range w.Pages {
			if w.Counts(i) {
				got = append(got, p.URL)
			}
		}
		if all := len(got) == len(w.Pages); all != (c.want == "") || !all && strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A single client that invents values of a parameter cannot cause a site's list to be held
// back.
func TestInventedParameter(t *testing.T) {
	o := madeup.MinerOptions()
	o.Table.Window, o.Table.Pane = 86400, 3600
	mined := miner.New("", o)
	see := func(url string, hour, client int) {
		mined.Fold(&evidence.Observation{URL: []byte(url), Time: int64(3600 * hour), Min: 100, Max: 100, Clients: 1 << (client % 16)})
	}
	for i := range 400 {
		for client := range 9 {
			see(fmt.Sprintf("/page%d", i), client, 20*client)
		}
	}
	for i := range 3000 {
		see(fmt.Sprintf("/page%d?x=%d", i%400, i), 3, 7)
	}
	m := holder(nil)
	m.Load(forms.WindowOf(mined), nil)
	r := rule.Rule{Edit: rule.Drop{Param: "x"}}
	m.do(book.Act{Rule: &book.Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: 1, ValidatedAt: 1}})
	settleAll(m, 10)
	if hold, held := m.Operator.PendingUpdate(); held || m.Published().Sequence != 1 {
		t.Errorf("published %d, held %+v", m.Published().Sequence, hold)
	}
}

// Two clients that invent values of a parameter hold back the rule for that parameter, and no other
// rule: neither rules found later nor, after a restart, the list.
func TestInventedByTwo(t *testing.T) {
	o := madeup.MinerOptions()
	o.Table.Window, o.Table.Pane = 86400, 3600
	mined := miner.New("", o)
	see := func(url string, clients uint16) {
		mined.Fold(&evidence.Observation{URL: []byte(url), Time: 3600, Min: 100, Max: 100, Clients: clients})
	}
	for i := range 400 {
		see(fmt.Sprint("/page", i), 0xffff)
		for _, param := range []string{"sid", "ref", "sort"} {
			see(fmt.Sprintf("/page%d?%s=1", i, param), 0xffff)
		}
	}
	for i := range 3000 {
		see(fmt.Sprintf("/page%d?atk=%d", i%400, i), 3)
	}
	m := holder(nil)
	load := func(m *Machine) { m.Load(forms.WindowOf(mined), nil) }
	drop := func(param string) string {
		r := rule.Rule{Edit: rule.Drop{Param: param}}
		id := rule.ID("", &r)
		m.do(book.Act{Rule: &book.Entry{ID: id, Rule: r, State: rule.Valid, Rank: m.book.LastRank() + 1, ValidatedAt: 1}})
		return id
	}
	want := func(when string, m *Machine, mark string, ids ...string) {
		t.Helper()
		var out []string
		for _, r := range m.Published().Records {
			out = append(out, r.ID)
		}
		if update, _ := m.Operator.PendingUpdate(); !slices.Equal(out, ids) || update.Mark != mark {
			t.Errorf("%s: published %v, held %+v; want %v and %q", when, out, update, ids, mark)
		}
	}
	load(m)
	atk := drop("atk")
	settleAll(m, 10)
	want("at first", m, atk)
	sid := drop("sid")
	settleAll(m, 20)
	want("behind it", m, atk, sid)
	again := holder(nil)
	for a := range m.Dump {
		again.Restore(recode(t, a))
	}
	m = again
	load(m)
	ref := drop("ref")
	settleAll(m, 30)
	want("after a restart", m, atk, sid, ref)
	m.Approve(atk)
	again = holder(nil)
	for a := range m.Dump {
		again.Restore(recode(t, a))
	}
	m = again
	load(m)
	settleAll(m, 40)
	want("approved", m, "", atk, sid, ref)
	sort := drop("sort")
	settleAll(m, 50)
	want("and later", m, "", atk, sid, ref, sort)
}

// What was approved stays approved when more is approved before it is published.
func TestApprovalsAddUp(t *testing.T) {
	m := holder(map[string]int{"a": 60, "b": 60, "z": 10})
	m.book.Options.HoldShare = 0.3
	a := m.joinAll("a")
	settleAll(m, 10)
	m.want(t, "at first", 0, "", 1)
	m.Approve(a)
	b := m.joinAll("b")
	m.derive(20)
	m.publisher.outgoing(m.view)
	if hold, _ := m.Operator.PendingUpdate(); hold.Mark != b {
		t.Fatalf("held: %+v", hold)
	}
	m.Approve(b)
	settleAll(m, 30)
	m.want(t, "both", 1, "a b", 0)
}
