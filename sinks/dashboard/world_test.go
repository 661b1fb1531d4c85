package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/read/input"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/report"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/admin"
	"dustbuster/sinks/export"
	"dustbuster/sinks/page"
	"dustbuster/stream/fetch"
	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/miners"
	"dustbuster/stream/prober"
	of "dustbuster/stream/site"
)

// world is a made-up daemon whose foreign texts come from one function.
type world struct {
	look  *Look
	text  func(what string) string
	done  []string // acts
	looks atomic.Int64
}

func (w *world) Look() *Look { w.looks.Add(1); return w.look }

func (w *world) Detail(_ context.Context, site string, q lifecycle.Query) (d lifecycle.Detail, err error) {
	verdict := rule.Verdict{Samples: 60, Positives: 60, Skipped: 2, Bound: .049, Threshold: .9, Control: rule.Control{Mixed: 40, Equal: 2, Quantile: .61}, Time: 1000, Reason: "trial", Examples: w.examples()}
	r := w.rule(0)
	c := &lifecycle.Course{OnTrial: lifecycle.OnTrial{ID: "x", Rule: &r, Pairs: 90, Positives: 20, Negatives: 1, Skipped: 3, Bound: .2, Purpose: lifecycle.Proof}, Epsilon: .05, Threshold: .9}
	for i := range 24 {
		p := lifecycle.TriedPair{U: w.text("/u"), V: w.text("/v"), Outcome: trial.Positive, Reason: trial.Similar, Compared: true, Alike: .9 + float64(i)/240, Bound: 1 / float64(1+i)}
		if i%5 == 4 {
			p.Outcome, p.Reason, p.Alike = trial.Negative, trial.Different, .3
		}
		c.Tried = append(c.Tried, p)
	}
	d = lifecycle.Detail{Course: c, Coverage: []lifecycle.Point{{Pairs: 0}, {Pairs: 60, Merged: .2}, {Pairs: 130, Merged: .31}}}
	for i := range 120 {
		state := []rule.State{rule.Valid, rule.Refuted, rule.Undecided, rule.Retired}[i%4]
		if i < perPage && (q.State == "" || q.State == state) {
			d.Tried = append(d.Tried, book.Entry{ID: fmt.Sprint("e", i), Rule: w.rule(i), State: state, Verdict: verdict})
		}
		d.History = append(d.History, book.Change{Sequence: int64(120 - i), At: 5000, Came: i%3 > 0, ID: fmt.Sprint("h", i), Rule: w.rule(i), State: state, Verdict: verdict})
	}
	d.Counted = 120
	if q.ID != "" {
		d.Tried = slices.DeleteFunc(d.Tried, func(e book.Entry) bool { return e.ID != q.ID })
	}
	d.Pairs = map[string][]book.Opened{}
	for _, e := range d.Tried {
		d.Pairs[e.ID] = []book.Opened{w.opened()}
	}
	d.Effects = map[string]waste.Effect{"id0": {URLs: 1240, Bytes: 9000, Families: [32]int{0: 7, 2: 1200}}, "e1": {URLs: 1}}
	for i := range q.Likely {
		e := lifecycle.LikelyRule{Untried: forms.FewPairs, Number: 7, Needed: 10}
		if i%3 > 0 {
			e = lifecycle.LikelyRule{Trial: &book.Entry{ID: "l", Rule: q.Likely[i], State: []rule.State{rule.SentBack, rule.Refuted}[i%2], Verdict: verdict}}
		}
		d.Likely = append(d.Likely, e)
	}
	if site == "busy" {
		return d, report.ErrBusy
	}
	return d, nil
}

func (w *world) Members(context.Context) ([]kafka.GroupMember, error) {
	return []kafka.GroupMember{{ID: w.text("member"), Host: w.text("10.0.0.1"), Partitions: map[string][]int{w.text("topic"): {0, 1}}}, {ID: "idle"}}, errors.New(w.text("brokers"))
}

func (w *world) Decide(site string, d book.Decision) error {
	w.done = append(w.done, fmt.Sprintf("decide %s %+v", site, d))
	switch {
	case d.Mark == "old":
		return book.ErrChanged
	case d.Mark != "m":
		return book.ErrNotHeld
	case d.ID == "q":
		return book.ErrNoRule
	}
	return nil
}

func (w *world) Recheck(site, id string) error {
	w.done = append(w.done, "recheck "+site+" "+id)
	return nil
}

func (w *world) LookNow(site, id string, pair int) (*book.Opened, error) {
	w.done = append(w.done, fmt.Sprint("look ", site, " ", id, " ", pair))
	switch id {
	case "busy":
		return nil, book.ErrBusy
	case "gone":
		return nil, book.ErrNoPair
	}
	return nil, nil
}

func (w *world) Wish(site string, wish book.Wish) error {
	if wish.Drop != nil {
		w.done = append(w.done, fmt.Sprintf("drop %s %+v %t", site, *wish.Drop, wish.Undo))
		return nil
	}
	w.done = append(w.done, fmt.Sprintf("wish %s %+v", site, wish))
	switch wish.Veto {
	case "site":
		return report.ErrNoSite
	case "rule":
		return book.ErrNoRule
	case "settings":
		return book.ErrSettings
	case "many":
		return book.ErrMany
	case "text":
		return book.ErrText
	}
	return nil
}

func (w *world) Elsewhere(_ context.Context, site string) (admin.Owner, bool) {
	return admin.Owner{Member: w.text("other"), Host: w.text("10.0.0.2")}, site == "elsewhere"
}

func (w *world) rule(i int) rule.Rule { return ruleOf(i, w.text) }

func ruleOf(i int, text func(string) string) rule.Rule {
	if i%2 == 0 {
		return rule.Rule{Edit: rule.Substring{From: text(fmt.Sprintf("/a%d/", i)), To: text("/b/"), AtStart: true}}
	}
	return rule.Rule{Edit: rule.Drop{Param: text(fmt.Sprintf("p%d", i))}}
}

// mined returns a text as a published rule may hold it: bounded, and without bytes that no mined
// string holds.
func (w *world) mined(s string) string {
	s = strings.Map(func(c rune) rune {
		if c <= ' ' || c > '~' || strings.ContainsRune(`"<>=&;`, c) {
			return -1
		}
		return c
	}, w.text(s))
	return s[:min(len(s), 1000)]
}

// opened is a pair with all that may be known of one.
func (w *world) opened() book.Opened {
	side := func(url string) book.Side {
		return book.Side{URL: w.text(url), Link: "http://www0.example/" + w.text(url), Status: 200, Length: 1234, Failed: w.text("timeout"), To: w.text("/moved"), Canonical: w.text("/page"), NoIndex: true, More: 3}
	}
	o := book.Opened{U: side("/x?sid=1"), V: side("/x"), Outcome: "own_content", At: 70, Compared: true, Alike: .512}
	o.Words = []book.Words{{Before: w.text("before"), U: w.text("first"), V: w.text("second"), After: w.text("after")}, {V: w.text("only")}}
	now := o
	now.Words, now.Compared, now.Outcome = nil, false, "missing"
	o.Now = &now
	return o
}

func (w *world) examples() []rule.Example {
	e := rule.Example{U: w.text("/x?sid=1"), V: w.text("/y"), Outcome: "similar"}
	return []rule.Example{e, e, e}
}

// someDays returns a curve of forty days, on whose seventh last rules came.
func someDays() (c waste.Curve) {
	for n := range int64(40) {
		d := waste.Day{Date: 20_000 + n, Crawlers: waste.Figure{Fetched: 100, Pages: 60, Bytes: 9000}, Valid: 1}
		if n > 33 {
			d.Crawlers.Pages = 95
		}
		var w waste.Waste
		w[2], w[3] = waste.Figure{Fetched: 40, Pages: 38, Bytes: 100}, waste.Figure{Fetched: 3, Pages: 2}
		d.By = waste.PartsOf(&w)
		if n == 33 {
			d.Came = 2
		}
		c, _ = c.With(d)
	}
	return c
}

// Export returns an export that shows what was asked for.
func (w *world) Export(_ context.Context, site, format string, redirect bool) (*export.Made, error) {
	made := &export.Made{Text: fmt.Appendf(nil, "# of %s, %t\n%.900s\n", format, redirect, w.text("text")), Rules: 130, URLs: 7, Of: 7,
		Skipped: []export.Skipped{{Rule: w.rule(0), Reason: w.text("it is odd")}, {Rule: w.rule(1), Reason: "no"}}}
	switch {
	case site != w.text("www0.example"):
		return nil, admin.ErrNoRules
	case format == "nutch":
		made.URLs = 0
	case format == "caddy":
		made.Of = 9000
	case format == "dud":
		made.Rules = 2
	case format == "heritrix":
		made.Text = make([]byte, page.MostText+1)
	case format == "clearurls":
		return nil, errors.New("cannot be made")
	}
	return made, nil
}

// newWorld returns a daemon with so many sites, and so many rules on the site big.
func newWorld(sites, rules int, text func(string) string) *world {
	w := &world{text: text}
	l := &Look{Version: "v0", Group: text("dustbuster"), Unready: errors.New(text("catching up"))}
	l.Loop = loop.Status{Started: time.Unix(1, 0), LastError: text("disk"), MemoryBudget: 1 << 30, MemoryUsed: 1 << 29, Late: 3, Shed: 4}
	l.Loop.Counts.Lines, l.Loop.Counts.Malformed = 1000, 10
	l.Trials = prober.Status{On: true, Sites: map[string]prober.SiteStatus{}, Published: map[string]*book.Publication{}, Pending: map[string]lifecycle.PendingUpdate{}}
	l.Fetches = fetch.Stats{Requests: 77, Refused: map[fetch.Reason]int64{fetch.Robots: 3}, First: map[fetch.Reason]string{fetch.Robots: text("/private")}}
	behind, lag := int64(90), int64(40)
	l.Inputs = []input.State{{Kind: input.Log, Name: text("/var/log/access.log"), Format: text("combined"), File: text("/var/log/access.log.1"), Offset: 50, Size: &behind, LagBytes: &lag, LagSeconds: 3,
		Behind: []input.Generation{{File: text("x")}}, Lines: map[string]int{"all": 1000, "malformed": 10}, Malformed: map[string]float64{"malformed": .01}, LastError: text("line"), LastErrorAt: 9, ReadAt: 10}}
	l.Partitions = []miners.Partition{{Partition: 1, Position: 10, End: 30}}
	curve := someDays()
	for i := range sites {
		name := text(fmt.Sprintf("www%d.example", i))
		l.Loop.Sites = append(l.Loop.Sites, of.Status{Name: name, Curve: curve, URLs: 10 * i, Rules: i % 7, Shed: i % 2, Waste: &waste.Told{Waste: waste.Waste{2: {Fetched: 10, Pages: 7, Bytes: 9000}, waste.Union: {Fetched: 10, Pages: 7, Bytes: 9000}}, Valid: 1}, Withheld: of.Withheld{Secret: 31, OneClient: 17}, Notes: []notes.Note{{Kind: notes.OneSize, URLs: 5, Of: 9, Size: 7}}, Seen: &notes.Seen{URLs: 9, Known: 9, Contents: 9, Params: []notes.Param{{Name: w.text("param"), URLs: 5}}}})
		r := w.rule(i)
		status := prober.SiteStatus{Status: lifecycle.Status{States: map[rule.State]int{rule.Valid: 1, rule.Refuted: 4}, Provisional: 1, URLs: 10 * i, Forms: 9 * i, Out: 9*i + i/2, Pairs: 3,
			Now:      lifecycle.Now{Why: lifecycle.Unable, Until: 7200, Left: []lifecycle.Left{{Why: forms.FewPairs, Rules: 27, Example: text("drop few"), Number: 7, Needed: 10}}},
			Private:  forms.Private{URLs: 9, Secret: 1, FirstSecret: text("/reset"), OneClient: 1, FirstOneClient: text("/once")},
			NotTried: &forms.NotTried{Rules: 13, URLs: 260, Bytes: 9000, By: []forms.Barred{{Why: forms.BarUnasked, Rules: 13, URLs: 260, Bytes: 9000, Example: text("drop never"), Number: 3, Needed: 17, Params: []string{text("ref")}}}}}}
		if i%2 == 0 {
			status.Outdated = []book.Outdated{{File: &book.File{Format: "nginx", Redirect: true, At: 1762128000, Marks: []string{"a", "b.01234567", "c"}}, Retired: []string{"a"}, Changed: []string{"b"}}}
		}
		if i%3 == 0 {
			status.Now = lifecycle.Now{Why: lifecycle.Trying}
			status.Trial = &lifecycle.OnTrial{ID: "x", Rule: &r, Pairs: 9, Positives: 2, Bound: .6, Purpose: lifecycle.Recheck}
		}
		if i%5 == 0 {
			l.Trials.Pending[name] = lifecycle.PendingUpdate{Share: .7, Rules: 3, Mark: text("m")}
			for k := range 3 {
				update := l.Trials.Pending[name]
				update.List = append(update.List, lifecycle.HeldRule{ID: text("r"), Rule: w.rule(k), Share: .61, Effect: waste.Effect{URLs: 77, Families: [32]int{2: 70}}, Verdict: rule.Verdict{Samples: 60, Positives: 60, Bound: .049, Examples: w.examples()}})
				l.Trials.Pending[name] = update
			}
		}
		n := 1
		if i == 0 {
			n = rules
			status.Wishes = &book.Wishes{Vetoes: []rule.Rule{r}, Pins: []string{"id1", "gone"}, Prefer: []string{text("/story/")}, Texts: []string{text("sid")}, PinTexts: []string{text("/kept/")}}
			status.Pinned = map[string]rule.Rule{"id1": w.rule(1)}
		}
		l.Trials.Sites[name] = status
		l.Trials.Published[name] = w.publication(name, n)
		var likely []rule.Likely
		for k := range n {
			likely = append(likely, rule.Likely{Site: name, Rule: w.rule(k), Learner: "equal", Support: 9, Weighed: true, Pairs: 8, Alike: 7, Weight: 12})
		}
		l.Likely = append(l.Likely, rule.List{Site: name, Rules: likely})
	}
	w.look = l
	return w
}

func (w *world) publication(site string, rules int) *book.Publication {
	p := &book.Publication{Sequence: 3, At: 4000, Sample: rule.Sample{URLs: 50, Samples: 40, Bound: .03}}
	for k := range rules {
		r := ruleOf(k, w.mined)
		p.Records = append(p.Records, rule.Record{Schema: rule.Schema, Site: site, ID: fmt.Sprint("id", k), Wire: *rule.NewWire(&r), Rank: k + 1, State: rule.Valid,
			Verdict: rule.Verdict{Samples: 60, Positives: 60, Bound: .049, Reason: "trial", Examples: w.examples()}, ValidatedAt: 3000})
	}
	return p
}

func plain(s string) string { return s }

// serve returns the pages of a daemon.
func serve(d Daemon) http.Handler {
	mux := pages(d)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mux.ServeHTTP(w, r.WithContext(admin.As(r.Context(), admin.Operate)))
	})
}

// pages handles requests of readers without a role.
func pages(d Daemon) *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, h := range New(d).Handlers() {
		mux.Handle(pattern, h)
	}
	return mux
}

// get returns the answer at an address.
func get(t testing.TB, h http.Handler, address string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	return w
}
