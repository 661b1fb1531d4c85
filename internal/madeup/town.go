package madeup

import (
	"encoding/json"
	"fmt"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/drops"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"

	"github.com/dchest/siphash"
)

// Town is a site. /a/ and /b/ mirror each other. sid has no effect. sort has an effect on
// the page but not on the size. /c/ has the sizes of /d/ but other pages.
type Town struct {
	Pages   []evidence.Page
	Size    map[string]int64
	Text    map[string]string   // page of each URL; a URL without a page answers 404
	Fails   func(u string) bool // reports whether a URL is answered with 500; nil: none is
	Refuses func(u string) bool // the same with 403
}

// NewTown returns a town with n pages of each kind.
func NewTown(n int) *Town {
	w := EmptyTown()
	for i := range n {
		size := int64(1000 + 37*i)
		for _, dir := range []string{"a", "b"} {
			w.Add(fmt.Sprintf("/%s/p%d.html", dir, i), fmt.Sprint("page ", i), size)
		}
		w.Add(fmt.Sprintf("/c/q%d.html", i), fmt.Sprint("left ", i), size)
		w.Add(fmt.Sprintf("/d/q%d.html", i), fmt.Sprint("right ", i), size)
		w.Add(fmt.Sprintf("/list/%d", i), fmt.Sprint("list ", i), size)
		for sid := range 3 {
			w.Add(fmt.Sprintf("/list/%d?sid=%d%d", i, i, sid), fmt.Sprint("list ", i), size)
		}
		for _, sort := range []string{"up", "down"} {
			w.Add(fmt.Sprintf("/list/%d?sort=%s", i, sort), fmt.Sprint("list ", i, sort), size)
		}
	}
	return w
}

// Add adds a page to the town and to its log.
func (w *Town) Add(u, text string, size int64) {
	w.Text[u], w.Size[u] = text, size
	w.Pages = append(w.Pages, evidence.Page{URL: u, Evidence: evidence.Spans{{Min: size, Max: size}}})
}

// EmptyTown returns a town without pages.
func EmptyTown() *Town {
	return &Town{Text: map[string]string{}, Size: map[string]int64{}}
}

// Shown returns the page of a URL.
func (w *Town) Shown(u string) trial.Shown { return Shown(w.Text[u], w.Size[u]) }

// Shown returns a page with a text.
func Shown(text string, size int64) trial.Shown {
	return trial.Shown{HTML: true, Words: 100, Text: siphash.Hash(1, 1, []byte(text)), Sent: size, Length: size}
}

// Compared returns the comparison of two pages that have everything in common or nothing.
func Compared(u, v trial.Shown) trial.Compared {
	c := trial.Compared{U: u, V: v}
	if u.Text == v.Text {
		c.Alike, c.SameText = 1, true
	}
	return c
}

// SeenTwice returns a pair whose outcome was confirmed by a second look.
func SeenTwice(o trial.Outcome, r trial.Reason, at int64) book.Result {
	s := Judged(o, r)
	return book.Result{Looks: book.Looks{Seen: s, Second: &s, Self: 1}, At: at}
}

// Judged returns an outcome that is the same under every control.
func Judged(o trial.Outcome, r trial.Reason) trial.Seen {
	return trial.Seen{Judgement: trial.Judgement{Outcome: o, Reason: r}}
}

// Fetch returns the document of a URL.
func (w *Town) Fetch(u string) trial.Document {
	if w.Fails != nil && w.Fails(u) {
		return trial.Document{Status: 500}
	}
	if w.Refuses != nil && w.Refuses(u) {
		return trial.Document{Status: 403}
	}
	if w.Text[u] == "" {
		return trial.Document{Status: 404}
	}
	return trial.Document{Status: 200}
}

// Mine returns the town's likely rules.
func (w *Town) Mine() []rule.Candidate {
	m := miner.New("", MinerOptions())
	for i := range w.Pages {
		for _, o := range forms.ObservationsOf(&w.Pages[i], w.Pages[i].URL) {
			m.Fold(&o)
		}
	}
	return forms.Candidates(m.Rules())
}

// Options are the options of the machine of a town: no rechecks, and no list is held.
func Options() book.Options {
	o := book.Defaults()
	o.Miner, o.RecheckEvery, o.HoldShare = MinerOptions(), 0, 1
	return o
}

// Words returns a readable list of rules.
func Words(rules []rule.Rule) string {
	var all []string
	for i := range rules {
		b, _ := json.Marshal(rule.NewWire(&rules[i]))
		all = append(all, string(b))
	}
	return strings.Join(all, "\n")
}

// BroadTown returns a town with eight more rules.
func BroadTown() *Town {
	w := NewTown(100)
	for i := range 100 * 8 {
		dir, size := i%8, int64(1000*i)
		w.Add(fmt.Sprintf("/from%d/p%d.html", dir, i), fmt.Sprint("more ", i), size)
		w.Add(fmt.Sprintf("/to%d/p%d.html", dir, i), fmt.Sprint("more ", i), size)
	}
	return w
}

// MinerOptions returns the options of a miner with the learners that are on by default.
func MinerOptions() miner.Options {
	e := envelope.Defaults()
	return miner.Options{Table: table.Options{MaxURLs: 1_000_000}, Envelope: e, Params: params.Options{Similarity: e.Similarity}, Window: miner.DefaultLearners(), MaxLearned: 1000}
}

// SessionTown has a session in its URLs that has an effect on the pages of /x/, though not
// on their size, and none on the few pages of /y/.
func SessionTown() *Town {
	w := EmptyTown()
	for i := range 200 {
		w.AddSessions(fmt.Sprintf("/x/p%d/list", i), int64(1000+97*i), true)
	}
	for i := range 14 {
		w.AddSessions(fmt.Sprintf("/y/q%d/list", i), int64(90_000+997*i), false)
	}
	return w
}

// AddSessions adds a page with the URLs of three sessions. matter: the session changes the page.
func (w *Town) AddSessions(url string, size int64, matter bool) {
	for s, query := range []string{"", "?s=1", "?s=2"} {
		text := url
		if matter {
			text = fmt.Sprint(url, s)
		}
		w.Add(url+query, text, size)
	}
}

// DropsOptions are the options of a machine with the learner drops.
func DropsOptions() book.Options {
	o := Options()
	o.Miner.Window = []string{drops.Name}
	return o
}
