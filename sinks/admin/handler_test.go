package admin

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/metric"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
)

func TestRules(t *testing.T) {
	h := local(t, show(fixed{rules: someRules()}))
	all := []string{lineOf("", "?x=1"), lineOf("a.example", "/a&b"), lineOf("a.example", "/c"), lineOf("b.example", "/d")}
	for _, c := range []struct {
		path string
		want []string
	}{
		{"/api/v1/rules", all},
		{"/api/v1/rules?site=a.example", all[1:3]},
		{"/api/v1/rules?site=", all[:1]},
		{"/api/v1/rules?site", all[:1]},
		{"/api/v1/rules?site=none", nil},
	} {
		lines := ""
		if c.want != nil {
			lines = strings.Join(c.want, "\n") + "\n"
		}
		if code, kind, body := get(t, h, c.path); code != http.StatusOK || kind != "application/x-ndjson" || body != lines {
			t.Errorf("%s: %d, %s\n%s", c.path, code, kind, body)
		}
		code, kind, body := get(t, h, c.path, "Accept", "application/json")
		var array []json.RawMessage
		if err := json.Unmarshal([]byte(body), &array); err != nil || array == nil || code != http.StatusOK || kind != "application/json" {
			t.Errorf("%s: %v, %d, %s\n%s", c.path, err, code, kind, body)
		}
		for i := range max(len(array), len(c.want)) {
			if len(array) != len(c.want) || string(array[i]) != c.want[i] {
				t.Errorf("%s: got %s", c.path, body)
				break
			}
		}
	}
}

// While rules may be missing, no list is served that would be taken for all of them. What is known of a site is.
func TestRulesNotKnownYet(t *testing.T) {
	h := local(t, show(fixed{rules: someRules(), published: map[string]*book.Publication{}, missing: errBehind}))
	for _, c := range []struct {
		path string
		code int
	}{
		{"/api/v1/rules?state=likely", http.StatusServiceUnavailable},
		{"/api/v1/rules?state=valid", http.StatusServiceUnavailable},
		{"/api/v1/rules", http.StatusServiceUnavailable},
		{"/api/v1/rules?state=likely&site=a.example", http.StatusOK},
		{"/api/v1/rules?state=likely&site=none.example", http.StatusServiceUnavailable},
		{"/api/v1/rules?state=valid&site=a.example", http.StatusServiceUnavailable},
		{"/api/v1/rules?state=likely&site=elsewhere.example", http.StatusMisdirectedRequest},
	} {
		w := send(t, h, http.MethodGet, c.path, "")
		if w.Code != c.code || (c.code == http.StatusServiceUnavailable) != (w.Header().Get("Retry-After") == "5" && strings.Contains(w.Body.String(), errBehind.Error())) {
			t.Errorf("%s: %d, %v\n%s", c.path, w.Code, w.Header(), w.Body)
		}
	}
	h = local(t, show(fixed{published: map[string]*book.Publication{}}))
	for _, state := range []string{"likely", "valid"} { // nothing is missing
		if w := send(t, h, http.MethodGet, "/api/v1/rules?state="+state, ""); w.Code != http.StatusOK || w.Body.Len() > 0 {
			t.Errorf("%d, %s", w.Code, w.Body)
		}
	}
}

// A list has its digest, by which a reader knows that it was cut short.
func TestRulesDigest(t *testing.T) {
	w := send(t, local(t, show(fixed{rules: someRules()})), http.MethodGet, "/api/v1/rules", "")
	sum := sha256.Sum256(w.Body.Bytes())
	if want := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"; w.Header().Get("Repr-Digest") != want {
		t.Errorf("%q, want %q", w.Header().Get("Repr-Digest"), want)
	}
}

// A site without hits and rules is an error, and not a list without rules. The site of another
// member of the group is told from it.
func TestRulesOfUnknownSite(t *testing.T) {
	h := local(t, show(fixed{rules: someRules(), knows: func(site string) bool { return site != "typo.example" && site != "elsewhere.example" }}))
	for _, c := range []struct {
		path string
		want int
	}{
		{"/api/v1/rules", http.StatusOK},
		{"/api/v1/rules?site=a.example", http.StatusOK},
		{"/api/v1/rules?site=no-rules.example", http.StatusOK},
		{"/api/v1/rules?site=typo.example", http.StatusNotFound},
		{"/api/v1/rules?site=typo.example&state=likely", http.StatusNotFound},
		{"/api/v1/rules?site=elsewhere.example&state=valid", http.StatusMisdirectedRequest},
	} {
		code, kind, body := get(t, h, c.path)
		var why refusal
		if err := json.Unmarshal([]byte(body), &why); code != c.want || code != http.StatusOK && (err != nil || why.Field != "site" || why.Reason == "" || kind != "application/json") {
			t.Errorf("%s: %d, %s\n%s", c.path, code, kind, body)
		}
	}
}

// The pairs of a verdict come with the words by which the pages differ.
func TestPairs(t *testing.T) {
	h := local(t, show(fixed{}))
	for _, c := range []struct {
		path string
		want int
	}{
		{"/api/v1/pairs?site=a.example&id=r", http.StatusOK},
		{"/api/v1/pairs?site=a.example", http.StatusBadRequest},
		{"/api/v1/pairs?site=a.example&id=x", http.StatusNotFound},
		{"/api/v1/pairs?site=elsewhere.example&id=r", http.StatusMisdirectedRequest},
	} {
		code, kind, body := get(t, h, c.path)
		if code != c.want || kind != "application/json" {
			t.Errorf("%s: %d, %s\n%s", c.path, code, kind, body)
		}
		if code != http.StatusOK {
			continue
		}
		var got pairsJSON
		must(t, json.Unmarshal([]byte(body), &got))
		if !strings.Contains(body, `"params": [`) || got.State != rule.Refuted || got.Verdict.Threshold != .9 || len(got.Pairs) != 1 || got.Pairs[0].Words[0].U != "<b>" || strings.Contains(body, "evidence") || got.Effect.URLs != 7 || got.Effect.Families[0] != (waste.FamilyRecord{Family: "people", URLs: 3}) {
			t.Errorf("%s", body)
		}
	}
}

func TestAccept(t *testing.T) {
	for _, c := range []struct {
		accept string
		array  bool
	}{
		{"", false},
		{"*/*", false},
		{"text/html", false},
		{"application/*", false},
		{"application/json", true},
		{"Application/JSON; charset=utf-8", true},
		{"application/json, */*", false}, // both equally preferred
		{"application/json, */*;q=0.5", true},
		{"application/json;q=0.5, */*", false},
		{"application/json;q=0", false},
		{"application/x-ndjson", false},
		{"application/json, application/jsonl;q=0.9", true},
		{"application/json;q=0.8, application/x-ndjson", false},
		{"application/*;q=0.2, application/x-ndjson;q=0", true},
		{"nonsense/, application/json", true},
		{"application/json;q=much", false},
	} {
		if got := prefersArray(c.accept); got != c.array {
			t.Errorf("%q: array %v", c.accept, got)
		}
	}
}

func TestProbes(t *testing.T) {
	for _, c := range []struct {
		name           string
		state          fixed
		ready, healthy int
		body           string
	}{
		{"well", fixed{}, 200, 200, "ok\n"},
		{"behind", fixed{ready: errBehind}, 503, 200, errBehind.Error() + "\n"},
		{"unwell", fixed{ready: errBehind, healthy: errBehind}, 503, 503, errBehind.Error() + "\n"},
	} {
		h := local(t, show(c.state))
		ready, _, body := get(t, h, "/readyz")
		healthy, kind, _ := get(t, h, "/healthz")
		if ready != c.ready || healthy != c.healthy || body != c.body || kind != "text/plain; charset=utf-8" {
			t.Errorf("%s: ready %d, healthy %d, %q", c.name, ready, healthy, body)
		}
	}
}

func TestHandler(t *testing.T) {
	h := local(t, show(full()))
	for _, want := range []struct {
		path string
		code int
		body string
	}{
		{"/", 200, "/api/v1/status"},
		{"/metrics", 200, "dustbuster_rules 136"},
		{"/api/v1/status", 200, `"caught_up": true`},
		{"/api/v1/waste", 200, `"total": 7`},
		{"/api/v1/waste?site=", 200, `"site": ""`},
		{"/api/v1/waste?site=b<b>", 404, "no hit on this site"},
		{"/debug/pprof/", 200, "goroutine"},
		{"/debug/pprof/heap?debug=1", 200, "heap profile"},
		{"/debug/pprof/cmdline", 200, ""},
		{"/debug/pprof/symbol", 200, "num_symbols"},
		{"/none", 404, ""},
		{"/api/v1/", 404, ""},
	} {
		if code, _, body := get(t, h, want.path); code != want.code || !strings.Contains(body, want.body) {
			t.Errorf("%s: %d\n%s", want.path, code, body)
		}
	}
}

func TestMethods(t *testing.T) {
	h := local(t, show(fixed{rules: someRules()}))
	for _, c := range []struct {
		method string
		want   int
	}{{"GET", 200}, {"HEAD", 200}, {"POST", 405}, {"DELETE", 405}} {
		w := send(t, h, c.method, "/api/v1/rules", "")
		if w.Code != c.want || c.want == 200 && w.Header().Get("Content-Length") != "579" || w.Header().Get("Cache-Control") != map[bool]string{true: "no-cache", false: "no-store"}[c.want == 200] || c.method == "HEAD" && w.Body.Len() > 0 {
			t.Errorf("%s: %d, %v, %d bytes", c.method, w.Code, w.Header(), w.Body.Len())
		}
	}
}

func TestManyRules(t *testing.T) {
	many := make([]rule.Likely, 20_000)
	for i := range many {
		many[i] = someRules()[i%4]
	}
	_, _, body := get(t, local(t, show(fixed{rules: many})), "/api/v1/rules", "Accept", "application/json")
	var array []json.RawMessage
	if err := json.Unmarshal([]byte(body), &array); err != nil || len(array) != len(many) {
		t.Errorf("%v, %d rules", err, len(array))
	}
}

// The listener of an agent has no rules.
func TestAgentAnswers(t *testing.T) {
	s := full()
	s.ready = errBehind
	for _, want := range []struct {
		path string
		code int
		text string
	}{
		{"/", http.StatusOK, "/metrics\n"},
		{"/healthz", http.StatusOK, "ok\n"},
		{"/readyz", http.StatusServiceUnavailable, errBehind.Error() + "\n"},
		{"/metrics", http.StatusOK, "\ndustbuster_rules 136\n"},
		{"/api/v1/inputs", http.StatusOK, "{\n  \"inputs\": []\n}\n"},
		{"/api/v1/rules", http.StatusNotFound, ""},
		{"/api/v1/status", http.StatusOK, "{\n  \"caught_up\": true,\n  \"last_error\": \"\\u003cdisk full\\u003e\"\n}\n"},
	} {
		if code, _, body := get(t, agentHandler(show(s), doorOf(t, Options{Listen: "127.0.0.1:9464"})), want.path); code != want.code || !strings.Contains(body, want.text) {
			t.Errorf("%s: %d %s", want.path, code, body)
		}
	}
}

// Metrics are written as their packages name them, next to those of Go and the process.
func TestMetrics(t *testing.T) {
	_, _, body := get(t, local(t, show(full())), "/metrics")
	for _, want := range []string{`# HELP dustbuster_rules Rules.
# TYPE dustbuster_rules gauge
dustbuster_rules 136
`, `# HELP dustbuster_lines_total Lines.
# TYPE dustbuster_lines_total counter
dustbuster_lines_total{result="blank"} 7
dustbuster_lines_total{result="other"} 8
`, `# HELP dustbuster_lag_seconds Lag.
# TYPE dustbuster_lag_seconds gauge
dustbuster_lag_seconds{file="/a",topic="a\"b"} 1.5
`, "\ngo_goroutines ", "\nprocess_resident_memory_bytes ", "\ndustbuster_admin_streams 0\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
}

// Metrics that contradict each other are an error of the scrape, not a wrong number.
func TestMetricsThatContradict(t *testing.T) {
	one := metric.Gauge("a", "A.", 1)
	for _, c := range []struct {
		name  string
		other metric.Metric
	}{
		{"twice", one},
		{"other help", metric.Gauge("a", "B.", 1, metric.Label{Name: "x", Value: "y"})},
		{"other type", metric.Counter("a", "A.", 1, metric.Label{Name: "x", Value: "y"})},
		{"no name", metric.Gauge("b c\xff", "B.", 1)},
		{"no UTF-8", metric.Gauge("b", "B.", 1, metric.Label{Name: "x", Value: "\xff"})},
		{"label twice", metric.Gauge("b", "B.", 1, metric.Label{Name: "x", Value: "y"}, metric.Label{Name: "x", Value: "z"})},
	} {
		if code, _, body := get(t, local(t, show(fixed{metrics: []metric.Metric{one, c.other}})), "/metrics"); code != 500 {
			t.Errorf("%s: %d %s", c.name, code, body)
		}
	}
}

// counted counts the calls of Metrics.
type counted struct {
	*shown
	asked atomic.Int32
}

func (c *counted) Metrics() []metric.Metric { c.asked.Add(1); return c.shown.Metrics() }

func TestScrapeLooksOnce(t *testing.T) {
	c := &counted{shown: show(full())}
	h := local(t, c)
	get(t, h, "/metrics")
	if n := c.asked.Load(); n != 1 {
		t.Errorf("one scrape asked %d times", n)
	}
}
