package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/evidence"
	"dustbuster/operators/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/trial"
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

// moving returns a rule that changes all pages below a directory.
func moving(dir string) rule.Rule {
	return rule.Rule{From: "/" + dir + "/", To: "/z/", AtStart: true}
}

// join adds to L a rule that changes all pages below a directory.
func (m *Machine) join(dir string) string {
	r := moving(dir)
	id := rule.ID("", &r)
	m.planner.do(Act{Rule: &Entry{ID: id, Rule: r, State: rule.Valid, Rank: m.book.lastRank() + 1, ValidatedAt: 1}})
	return id
}

// part removes the rule of a directory from L.
func (m *Machine) part(dir string) {
	r := moving(dir)
	e := *m.book.entries[rule.ID("", &r)]
	e.State = rule.Retired
	m.planner.do(Act{Rule: &e})
}

// settleAll runs a machine until nothing is left to do. All pairs are alike.
func settleAll(m *Machine, now int64) {
	for test, ok := m.Next(now); ok; test, ok = m.Next(now) {
		m.Outcome(test, judged(trial.Positive, trial.Similar), 1, now)
	}
}

// holder returns a machine that holds back updates of more than half of the URLs.
func holder(count map[string]int) *Machine {
	o := townOptions()
	o.HoldShare, o.GivenOnly, o.RecheckEvery = 0.5, true, day
	m := New("", o)
	m.Load(NewWindow(pagesOf(count)), nil)
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
		dirs = append(dirs, strings.Trim(rule.From, "/"))
	}
	return strings.Join(dirs, " ")
}

func (m *Machine) want(t *testing.T, when string, sequence int64, out string, waiting int) {
	t.Helper()
	hold, held := m.PendingUpdate()
	if m.Published().Sequence != sequence || m.out() != out || held != (waiting > 0) || hold.Rules != waiting {
		t.Errorf("%s: published %d, %q, held %+v; want %d, %q, %d", when, m.Published().Sequence, m.out(), hold, sequence, out, waiting)
	}
	if m.Owes() {
		t.Errorf("%s: there is something to publish", when)
	}
	if back := m.Published().Held; back != nil && waiting == 0 {
		t.Errorf("%s: the publication says that %+v is held", when, back)
	}
}

var thirds = map[string]int{"a": 30, "b": 30, "c": 10, "d": 10, "z": 20}

// The first publication is the longest beginning that changes at most the allowed share.
// The rest waits until the rest is approved, although the change added by the rest is
// smaller than the share.
func TestFirstPublicationIsHeld(t *testing.T) {
	m := holder(thirds)
	a, b, c := m.join("a"), m.join("b"), m.join("c")
	settleAll(m, 10)
	m.want(t, "at first", 1, "a", 2)
	if hold, _ := m.PendingUpdate(); hold.Share != 0.7 || hold.Mark != a+b+c {
		t.Errorf("held: %+v", hold)
	}
	for now := range int64(10) {
		m.Load(NewWindow(pagesOf(thirds)), nil)
		settleAll(m, 10+now*hour)
		m.want(t, "later", 1, "a", 2)
	}
	hold, _ := m.PendingUpdate()
	m.Approve(hold.Mark)
	settleAll(m, day)
	m.want(t, "approved", 2, "a b c", 0)
	m.join("d")
	settleAll(m, 2*day)
	m.want(t, "one more", 3, "a b c d", 0)
}

// An update that changes too many URLs leaves the publication unchanged until the update is
// approved.
func TestUpdateIsHeld(t *testing.T) {
	m := holder(map[string]int{"a": 10, "b": 60, "c": 10, "z": 20})
	m.join("a")
	settleAll(m, 10)
	m.want(t, "at first", 1, "a", 0)
	m.join("b")
	settleAll(m, 20)
	m.want(t, "an update", 1, "a", 1)
	m.join("c")
	settleAll(m, 30)
	m.want(t, "another", 1, "a", 2)
	hold, _ := m.PendingUpdate()
	m.Approve(hold.Mark)
	settleAll(m, 40)
	m.want(t, "approved", 2, "a b c", 0)
	m = holder(map[string]int{"a": 10, "b": 60, "z": 30})
	m.join("a")
	settleAll(m, 10)
	m.join("b")
	settleAll(m, 20)
	m.want(t, "the same", 1, "a", 1)
	m.part("b")
	settleAll(m, 30)
	m.want(t, "it goes", 1, "a", 0)
}

// Rules behind a waiting rest wait as well.
func TestHeldRestGrows(t *testing.T) {
	m := holder(thirds)
	m.join("a")
	m.join("b")
	settleAll(m, 10)
	m.want(t, "at first", 1, "a", 1)
	m.join("c")
	settleAll(m, 20)
	m.want(t, "one more", 1, "a", 2)
}

// If the first rule alone changes too many URLs, nothing is published.
func TestAllIsHeld(t *testing.T) {
	m := holder(map[string]int{"a": 60, "b": 10, "z": 30})
	m.join("a")
	m.join("b")
	settleAll(m, 10)
	m.want(t, "at first", 0, "", 2)
	m.part("a")
	settleAll(m, 20)
	m.want(t, "without it", 1, "b", 0)
}

// A rule that no longer holds is withdrawn, however many URLs change. The withdrawal
// publishes no other rule.
func TestRetirementsGoOut(t *testing.T) {
	m := holder(map[string]int{"a": 45, "b": 30, "c": 10, "z": 15})
	m.join("a")
	settleAll(m, 10)
	m.join("b")
	m.join("c")
	settleAll(m, 20)
	m.want(t, "at first", 2, "a b c", 0) // next to a, the rules b and c change less than half
	m.part("a")
	settleAll(m, 30)
	m.want(t, "a is retired", 3, "b c", 0)

	m = holder(map[string]int{"a": 30, "b": 60, "z": 10})
	id := m.join("a")
	m.join("b")
	settleAll(m, 10)
	m.want(t, "the same with a rest", 1, "a", 1)
	m.part("a")
	settleAll(m, 20)
	m.want(t, "a is retired", 2, "", 1)
	if p := m.Published(); !slices.Equal(p.Retired, []string{id}) {
		t.Errorf("retired: %v", p.Retired)
	}

	m = holder(map[string]int{"a": 10, "b": 10, "c": 60, "z": 20})
	m.join("a")
	id = m.join("b")
	settleAll(m, 10)
	m.join("c")
	m.join("b") // sent back and valid again: b is now behind the waiting rest
	settleAll(m, 20)
	m.want(t, "b waits with c", 2, "a", 2)
	if p := m.Published(); !slices.Equal(p.Retired, []string{id}) {
		t.Errorf("retired: %v", p.Retired)
	}
}

// A rule that was sent back and is valid again is published as before.
func TestReturningRuleIsOut(t *testing.T) {
	m := holder(map[string]int{"a": 10, "b": 60, "z": 30})
	m.book.o.HoldShare = 0.9
	m.join("a")
	m.join("b")
	settleAll(m, 10)
	m.want(t, "at first", 1, "a b", 0)
	m.book.o.HoldShare = 0.5
	m.join("a") // another rank
	settleAll(m, 20)
	m.want(t, "a is the last now", 2, "b a", 0)
}

// When the rest of L disappears, nothing is held back any more. The next update is compared
// with the publication.
func TestRestThatGoes(t *testing.T) {
	m := holder(thirds)
	m.join("a")
	m.join("b")
	settleAll(m, 10)
	m.want(t, "at first", 1, "a", 1)
	m.part("b")
	settleAll(m, 20)
	m.want(t, "the rest goes", 2, "a", 0)
	m.join("b")
	settleAll(m, 30)
	m.want(t, "it comes again", 3, "a b", 0)
}

// A held rest follows the window. When the share is small enough, the rest is published
// without approval. Published rules stay published.
func TestShareOfANewWindow(t *testing.T) {
	m := holder(thirds)
	m.join("a")
	m.join("b")
	settleAll(m, 10)
	m.want(t, "at first", 1, "a", 1)
	load := func(count map[string]int) { m.Load(NewWindow(pagesOf(count)), nil) }
	load(map[string]int{"a": 80, "b": 10, "z": 10})
	settleAll(m, 20)
	m.want(t, "a larger share", 1, "a", 1)
	if hold, _ := m.PendingUpdate(); hold.Share != 0.9 {
		t.Errorf("held: %+v", hold)
	}
	load(map[string]int{"a": 20, "b": 20, "z": 60})
	settleAll(m, 30)
	m.want(t, "a smaller share", 2, "a b", 0)
	load(map[string]int{"a": 80, "b": 10, "z": 10})
	settleAll(m, 40)
	m.want(t, "what is out", 2, "a b", 0)
}

// Approved rules are published although L has grown since the approval. Later rules are not
// published.
func TestPassOfAnOlderList(t *testing.T) {
	m := holder(map[string]int{"a": 10, "b": 60, "c": 60, "d": 10, "z": 60})
	m.join("a")
	m.join("b")
	m.join("c") // a and b are 0.35
	settleAll(m, 10)
	m.want(t, "at first", 1, "a b", 1)
	hold, _ := m.PendingUpdate()
	m.Approve(hold.Mark)
	m.join("d")
	settleAll(m, 20)
	m.want(t, "with d", 2, "a b c d", 0)

	m = holder(map[string]int{"a": 60, "b": 110, "z": 30})
	m.join("a")
	m.book.o.HoldShare = 0.1
	settleAll(m, 10)
	hold, _ = m.PendingUpdate()
	m.Approve(hold.Mark)
	m.join("b")
	settleAll(m, 20)
	m.want(t, "with b", 1, "a", 1)
}

// A HoldShare of 1 holds back nothing.
func TestNothingIsHeld(t *testing.T) {
	m := holder(map[string]int{"a": 50, "b": 50})
	m.book.o.HoldShare = 1
	m.join("a")
	m.join("b")
	settleAll(m, 10)
	m.want(t, "at once", 1, "a b", 0)
}

// A held rest survives a crash after any act. The crash publishes nothing.
func TestHoldAfterCrash(t *testing.T) {
	m := holder(thirds)
	m.join("a")
	m.join("b")
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
		copied.Load(NewWindow(pagesOf(thirds)), nil)
		settleAll(copied, day)
		if n >= 2 {
			copied.want(t, fmt.Sprint("after act ", n), 1, "a", 1)
		}
	}
}

// The published set is the set that was tried.
func TestHeldSetIsTriedAsItGoesOut(t *testing.T) {
	m := holder(map[string]int{"a": 30, "b": 30, "y": 40})
	m.join("a")
	r := rule.Rule{From: "/z/", To: "/y/", AtStart: true} // a makes the same text
	m.planner.do(Act{Rule: &Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: 2, ValidatedAt: 1}})
	m.join("b")
	m.book.o.HoldShare = 0.3
	forms := map[string]bool{}
	for now := int64(10); ; now++ {
		test, ok := m.Next(now)
		if !ok {
			break
		}
		forms[strings.Split(test.V, "/")[1]] = true
		m.Outcome(test, judged(trial.Positive, trial.Similar), 1, now)
	}
	if m.out() != "a z" || !forms["y"] || forms["z"] || m.Published().Sample.URLs != 30 {
		t.Errorf("published %q, tried forms %v, sample %+v", m.out(), forms, m.Published().Sample)
	}
}

// Under the published rules, a form that redirects to one of its URLs is wrong, even while
// a rest is held back.
func TestLeadsBackByWhatGoesOut(t *testing.T) {
	m := holder(map[string]int{"a": 20, "b": 20, "z": 60})
	m.join("a")
	m.join("b")
	r := rule.Rule{From: "/z/", To: "/y/", AtStart: true}
	m.planner.do(Act{Rule: &Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: 3, ValidatedAt: 1}})
	test, _ := m.Next(10)
	page := trial.Document{Status: 200}
	other := strings.Replace(strings.Replace(test.U, "/a/", "/x/", 1), "/b/", "/a/", 1)
	other = strings.Replace(other, "/x/", "/b/", 1)
	back := trial.Document{Status: 200, Redirected: true, Target: other}
	if j := m.Look(test, page, back, nil); test.Purpose != SetTrial || j.Outcome != trial.Returned {
		t.Errorf("%+v, sent to %s: %v", test, other, j.Outcome)
	}
}

// The shares of all beginnings are compared with the result of canonizing the window under
// each beginning.
func TestShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	letters := []string{"a", "b", "c", "d", "", "..", "a/b", "c.d"}
	pick := func() string { return letters[rng.IntN(len(letters))] }
	restless := 0
	for range 1000 {
		var pages []evidence.Page
		for range 1 + rng.IntN(12) {
			pages = append(pages, evidence.Page{URL: "/" + pick() + "/" + pick() + "." + pick()})
		}
		w := &view{window: NewWindow(pages)}
		for n := 1 + rng.IntN(6); len(w.list) < n; {
			r := rule.Rule{From: pick(), To: pick(), AtStart: rng.IntN(4) == 0}
			if r.Validate() == nil {
				w.list = append(w.list, &Entry{ID: fmt.Sprint(len(w.list)), Rule: r})
			}
		}
		if rng.IntN(2) == 0 {
			for i := range w.window.pages {
				w.window.note(i, rng.IntN(2) == 0)
			}
		}
		rules := rulesOf(w.list)
		var before []rule.Rule
		for _, r := range rules {
			if rng.IntN(3) == 0 {
				before = append(before, r)
			}
		}
		from := rng.IntN(len(rules) + 1)
		got, was := w.shares(before, from), formsOf(w.window, before)
		for n := from; n <= len(rules); n++ {
			now, changed, of := formsOf(w.window, rules[:n]), 0, 0
			for i := range w.window.pages {
				if w.window.counts(i) {
					of++
					if now.texts[now.of[i]] != was.texts[was.of[i]] {
						changed++
					}
				}
			}
			want := share(changed, of)
			if _, rank := compile(rules[:n]).Unsafe(w.window.bytes()); rank >= 0 {
				want = unsafe
				restless++
			}
			if got[n] != want {
				t.Fatalf("%d of the rules\n%s\nover %v: %v, want %v", n, words(rules), pages, got[n], want)
			}
		}
	}
	if restless < 30 {
		t.Errorf("only %d lists leave a URL without a form", restless)
	}
}

// A URL counts if the URL was seen in two panes, or by two clients where clients can be
// told apart. If no URL qualifies, all URLs count.
func TestUsual(t *testing.T) {
	o := minerOptions()
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
	for name, c := range map[string]struct {
		window int64
		hits   []hit
		want   string // the URLs that count; "": all
	}{
		"two panes":             {86400, []hit{{"/a", 0, 1}, {"/a", 1, 1}, {"/b", 0, 1}, {"/b", 0, 2}, {"/c", 1, 1}}, "/a"},
		"two clients of many":   {86400, append(crowd, hit{"/a", 0, 1}, hit{"/a", 0, 2}, hit{"/b", 0, 5}), "/a"},
		"both":                  {86400, append(crowd, hit{"/a", 0, 1}, hit{"/a", 0, 2}, hit{"/b", 0, 5}, hit{"/b", 3, 5}), "/a /b"},
		"an endless pane":       {0, []hit{{"/a", 0, 1}, {"/a", 1, 1}, {"/b", 0, 1}}, ""},
		"one with many clients": {0, append(crowd, hit{"/a", 0, 1}, hit{"/a", 5, 2}, hit{"/b", 0, 5}, hit{"/b", 3, 5}), "/a"},
		"nothing twice":         {86400, append(crowd, hit{"/a", 0, 1}, hit{"/b", 1, 1}), ""},
	} {
		o.Table.Window = c.window
		m := miner.New("", o)
		for _, h := range c.hits {
			m.Fold(&evidence.Observation{URL: []byte(h.url), Time: int64(h.pane) * 3600, Min: 100, Max: 100, ClientMin: h.client, ClientMax: h.client})
		}
		w := WindowOf(m)
		var got []string
		for i, p := range w.pages {
			if w.counts(i) {
				got = append(got, p.URL)
			}
		}
		if all := len(got) == len(w.pages); all != (c.want == "") || !all && strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A single client that invents values of a parameter cannot cause a site's list to be held
// back.
func TestInventedParameter(t *testing.T) {
	o := minerOptions()
	o.Table.Window, o.Table.Pane = 86400, 3600
	mined := miner.New("", o)
	see := func(url string, hour, client int) {
		mined.Fold(&evidence.Observation{URL: []byte(url), Time: int64(3600 * hour), Min: 100, Max: 100, ClientMin: uint8(client), ClientMax: uint8(client)})
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
	m.Load(WindowOf(mined), nil)
	r := rule.Rule{Kind: rule.Drop, Param: "x"}
	m.planner.do(Act{Rule: &Entry{ID: rule.ID("", &r), Rule: r, State: rule.Valid, Rank: 1, ValidatedAt: 1}})
	settleAll(m, 10)
	if hold, held := m.PendingUpdate(); held || m.Published().Sequence != 1 {
		t.Errorf("published %d, held %+v", m.Published().Sequence, hold)
	}
}
