package admin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/metric"
	"dustbuster/operators/read/input"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/report"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/export"
)

// shown is a state that is swapped as a whole, as in the daemon.
type shown struct{ at atomic.Pointer[fixed] }

// fixed is an immutable state.
type fixed struct {
	status    any
	metrics   []metric.Metric
	inputs    []input.State
	revision  int64
	rules     []rule.Likely
	published map[string]*book.Publication
	knows     func(site string) bool
	missing   error // of likely and of valid rules
	ready     error
	healthy   error
}

func (s *shown) Status(int) any { return s.at.Load().status }
func (s *shown) Waste() any     { return map[string]int{"total": 7} }
func (s *shown) Sites() any     { return map[string][]string{"sites": {"a.example"}} }
func (s *shown) SiteWaste(site string) (any, bool) {
	return map[string]string{"site": site}, site == "a.example" || site == ""
}
func (s *shown) Metrics() []metric.Metric { return s.at.Load().metrics }
func (s *shown) Inputs() []input.State    { return s.at.Load().inputs }
func (s *shown) Revision() int64          { return s.at.Load().revision }
func (s *shown) Rules() Rules {
	f := s.at.Load()
	return Rules{Likely: packed(f.rules), Unlisted: f.missing, Unread: f.missing, Tried: f.published != nil, Published: f.published, Knows: f.knows}
}

// packed packs rules, which stand in the order of sites.
func packed(rules []rule.Likely) (lists []rule.List) {
	for n := 0; len(rules) > 0; rules = rules[n:] {
		site := rules[0].Site
		if n = slices.IndexFunc(rules, func(l rule.Likely) bool { return l.Site != site }); n < 0 {
			n = len(rules)
		}
		lists = append(lists, rule.List{Site: site, Rules: rules[:n]})
	}
	return lists
}

func (s *shown) Decide(site string, d book.Decision) error {
	switch {
	case site == busySite:
		return report.ErrBusy
	case site != "a.example":
		return report.ErrNoSite
	case d.Mark == "old":
		return book.ErrChanged
	case d.Mark == "many":
		return book.ErrMany
	case d.Mark != "m":
		return book.ErrNotHeld
	case d.ID != "" && d.ID != "r":
		return book.ErrNoRule
	}
	return nil
}
func (s *shown) Recheck(site, id string) error {
	switch {
	case site == busySite:
		return report.ErrBusy
	case site == "a.example" && (id == "" || id == "r"):
		return nil
	}
	return book.ErrNoRule
}

// busySite computes whenever it is asked.
const busySite = "busy.example"

func (s *shown) Report(r *report.Report) (report.Answer, error) {
	switch r.Site {
	case "a.example":
		_, _, err := r.Mined(false)
		return report.Answer(cmp.Or(r.Reporter, string(report.Taken))), err
	case busySite:
		return report.NotTaken, report.ErrBusy
	case "full.example":
		return report.NotTaken, report.ErrFull
	}
	return report.NotTaken, report.ErrNoSite
}
func (s *shown) Wish(site string, w book.Wish) error {
	switch {
	case site == busySite:
		return report.ErrBusy
	case site != "a.example":
		return report.ErrNoSite
	case w.Veto == "many", w.Pin == "many":
		return book.ErrMany
	case w.Veto == "settings", w.Pin == "settings":
		return book.ErrSettings
	case w.Veto != "" && w.Veto != "r", w.Pin != "" && w.Pin != "r", w.Undo && len(w.Prefer) == 1 && w.Prefer[0] == "/x/":
		return book.ErrNoRule
	case w.Drop != nil && !w.Drop.Redirect:
		return book.ErrNoFile
	case w.Text+w.PinText+w.Allow == "b" && w.Undo:
		return book.ErrNoRule
	case len(w.Prefer) == 1 && w.Prefer[0] == "a b", w.Text+w.PinText == "a b":
		return book.ErrText
	case w.Allow == "a&b":
		return book.ErrParam
	}
	return nil
}
func (s *shown) Detail(_ context.Context, site string, q lifecycle.Query) (d lifecycle.Detail, err error) {
	if site == busySite {
		return d, report.ErrBusy
	}
	if site != "a.example" || q.ID != "r" || q.Most != 1 {
		return d, report.ErrNoSite
	}
	d.Tried = []book.Entry{{ID: "r", Rule: rule.Rule{Edit: rule.Drop{Param: "sid"}}, State: rule.Refuted, Verdict: rule.Verdict{Threshold: .9, Examples: []rule.Example{{U: "/x?sid=***", V: "/x"}}}}}
	d.Pairs = map[string][]book.Opened{"r": {{U: book.Side{URL: "/x?sid=***"}, V: book.Side{URL: "/x", Link: "http://a.example/x", Status: 200}, Outcome: "different", At: 7, Compared: true, Words: []book.Words{{U: "<b>", V: "one"}}}}}
	if q.Effects {
		d.Effects = map[string]waste.Effect{"r": {URLs: 7, Bytes: 70, Families: [32]int{0: 3}}}
	}
	return d, nil
}
func (s *shown) LookNow(site, id string, pair int) (*book.Opened, error) {
	switch {
	case site == busySite:
		return nil, report.ErrBusy
	case site != "a.example":
		return nil, report.ErrNoSite
	case id == "busy":
		return nil, book.ErrBusy
	case id == "slow":
		return nil, nil
	case pair != 0:
		return nil, book.ErrNoPair
	}
	return &book.Opened{Outcome: "similar"}, nil
}
func (s *shown) Export(_ context.Context, site, format string, redirect bool) (*export.Made, error) {
	switch site {
	case "a.example":
		return &export.Made{Text: fmt.Appendf(nil, "%s %t <b>", format, redirect)}, nil
	case "broken.example":
		return nil, errors.New("broken")
	}
	return nil, ErrNoRules
}
func (s *shown) Elsewhere(_ context.Context, site string) (Owner, bool) {
	switch site {
	case "elsewhere.example":
		return Owner{"dustbuster-7", "10.0.0.7"}, true
	case "moving.example":
		return Owner{}, true
	}
	return Owner{}, false
}
func (s *shown) Ready() error   { return s.at.Load().ready }
func (s *shown) Healthy() error { return s.at.Load().healthy }

func show(f fixed) *shown {
	s := &shown{}
	s.at.Store(&f)
	return s
}

var errBehind = errors.New("still reading what was there at the start")

// full is a state with a status document and metrics of made-up packages.
func full() fixed {
	return fixed{
		status: map[string]any{"caught_up": true, "last_error": "<disk full>"},
		metrics: []metric.Metric{
			metric.Gauge("rules", "Rules.", 136),
			metric.Counter("lines_total", "Lines.", 7, metric.Label{Name: "result", Value: "blank"}),
			metric.Counter("lines_total", "Lines.", 8, metric.Label{Name: "result", Value: "other"}),
			metric.Gauge("lag_seconds", "Lag.", 1.5, metric.Label{Name: "topic", Value: "a\"b"}, metric.Label{Name: "file", Value: "/a"}),
		},
		rules: someRules(),
	}
}

func someRules() []rule.Likely {
	likely := func(site, alpha string) rule.Likely {
		return rule.Likely{Site: site, Rule: rule.Rule{Edit: rule.Substring{From: alpha}}, Support: 3, SupportHigh: 4}
	}
	return []rule.Likely{likely("", "?x=1"), likely("a.example", "/a&b"), likely("a.example", "/c"), likely("b.example", "/d")}
}

// doorOf is the door of a listener, of which an address 127.0.0.1 is on loopback.
func doorOf(t *testing.T, o Options) *door {
	t.Helper()
	d, err := newDoor(&o, strings.HasPrefix(o.Listen, "127."))
	must(t, err)
	return d
}

// local answers on loopback, where no token is set.
func local(t *testing.T, s State) http.Handler {
	t.Helper()
	return handler(s, doorOf(t, Options{Listen: "127.0.0.1:9464"}), nil)
}

// send sends a request to a handler. The headers are in pairs, among them Host, and From, the
// remote address. An empty Origin is none.
func send(t *testing.T, h http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return sendFrom(t, h, method, path, strings.NewReader(body), header...)
}

func sendFrom(t *testing.T, h http.Handler, method, path string, body io.Reader, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, body)
	r.Host = "127.0.0.1:9464"
	for i := 0; i+1 < len(header); i += 2 {
		switch name, value := header[i], header[i+1]; name {
		case "Host":
			r.Host = value
		case "From":
			r.RemoteAddr = value
		case "Origin":
			if value != "" {
				r.Header.Set(name, value)
			}
		default:
			r.Header.Add(name, value)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// get sends a request without a body.
func get(t *testing.T, h http.Handler, path string, header ...string) (code int, kind, body string) {
	t.Helper()
	w := send(t, h, http.MethodGet, path, "", header...)
	return w.Code, w.Header().Get("Content-Type"), w.Body.String()
}

// lineOf returns a rule of someRules as JSON.
func lineOf(site, alpha string) string {
	return fmt.Sprintf(`{"schema":2,"site":%q,"kind":"substring","alpha":%q,"beta":"","at_start":false,"at_end":false,"scope":{},"support":3,"support_high":4}`, site, alpha)
}

// must ends a test at an error.
var must = expect.NoError
