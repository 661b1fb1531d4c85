package admin

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"dustbuster/operators/rule"
)

func TestRules(t *testing.T) {
	h := local(show(fixed{rules: someRules()}))
	all := []string{lineOf("", "?x=1"), lineOf("a.example", "/a&b"), lineOf("a.example", "/c"), lineOf("b.example", "/d")}
	for path, want := range map[string][]string{
		"/api/v1/rules":                all,
		"/api/v1/rules?site=a.example": all[1:3],
		"/api/v1/rules?site=":          all[:1],
		"/api/v1/rules?site":           all[:1],
		"/api/v1/rules?site=none":      nil,
	} {
		lines := ""
		if want != nil {
			lines = strings.Join(want, "\n") + "\n"
		}
		if code, kind, body := get(t, h, path); code != http.StatusOK || kind != "application/x-ndjson" || body != lines {
			t.Errorf("%s: %d, %s\n%s", path, code, kind, body)
		}
		code, kind, body := get(t, h, path, "Accept", "application/json")
		var array []json.RawMessage
		if err := json.Unmarshal([]byte(body), &array); err != nil || array == nil || code != http.StatusOK || kind != "application/json" {
			t.Errorf("%s: %v, %d, %s\n%s", path, err, code, kind, body)
		}
		for i := range max(len(array), len(want)) {
			if len(array) != len(want) || string(array[i]) != want[i] {
				t.Errorf("%s: got %s", path, body)
				break
			}
		}
	}
}

func TestAccept(t *testing.T) {
	for accept, array := range map[string]bool{
		"":                                false,
		"*/*":                             false,
		"text/html":                       false,
		"application/*":                   false,
		"application/json":                true,
		"Application/JSON; charset=utf-8": true,
		"application/json, */*":           false, // both equally preferred
		"application/json, */*;q=0.5":     true,
		"application/json;q=0.5, */*":     false,
		"application/json;q=0":            false,
		"application/x-ndjson":            false,
		"application/json, application/jsonl;q=0.9":     true,
		"application/json;q=0.8, application/x-ndjson":  false,
		"application/*;q=0.2, application/x-ndjson;q=0": true,
		"nonsense/, application/json":                   true,
		"application/json;q=much":                       false,
	} {
		if got := prefersArray(accept); got != array {
			t.Errorf("%q: array %v", accept, got)
		}
	}
}

func TestProbes(t *testing.T) {
	for name, c := range map[string]struct {
		state          fixed
		ready, healthy int
		body           string
	}{
		"well":   {fixed{}, 200, 200, "ok\n"},
		"behind": {fixed{ready: errBehind}, 503, 200, errBehind.Error() + "\n"},
		"unwell": {fixed{ready: errBehind, healthy: errBehind}, 503, 503, errBehind.Error() + "\n"},
	} {
		h := local(show(c.state))
		ready, _, body := get(t, h, "/readyz")
		healthy, kind, _ := get(t, h, "/healthz")
		if ready != c.ready || healthy != c.healthy || body != c.body || kind != "text/plain; charset=utf-8" {
			t.Errorf("%s: ready %d, healthy %d, %q", name, ready, healthy, body)
		}
	}
}

func TestHandler(t *testing.T) {
	h := local(show(fixed{status: full(), rules: someRules()}))
	for path, want := range map[string]struct {
		code int
		body string
	}{
		"/":                         {200, "/api/v1/status"},
		"/metrics":                  {200, "dustbuster_rules 136"},
		"/api/v1/status":            {200, `"caught_up": true`},
		"/debug/pprof/":             {200, "goroutine"},
		"/debug/pprof/heap?debug=1": {200, "heap profile"},
		"/debug/pprof/cmdline":      {200, ""},
		"/debug/pprof/symbol":       {200, "num_symbols"},
		"/none":                     {404, ""},
		"/api/v1/":                  {404, ""},
	} {
		if code, _, body := get(t, h, path); code != want.code || !strings.Contains(body, want.body) {
			t.Errorf("%s: %d\n%s", path, code, body)
		}
	}
}

func TestMethods(t *testing.T) {
	h := local(show(fixed{rules: someRules()}))
	for method, want := range map[string]int{"GET": 200, "HEAD": 200, "POST": 405, "DELETE": 405} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), method, "/api/v1/rules", nil)
		r.Host = "localhost"
		h.ServeHTTP(w, r)
		if w.Code != want || w.Header().Get("Cache-Control") != map[bool]string{true: "no-cache", false: "no-store"}[want == 200] || method == "HEAD" && w.Body.Len() > 0 {
			t.Errorf("%s: %d, %v, %d bytes", method, w.Code, w.Header(), w.Body.Len())
		}
	}
}

// The status is a contract, too.
func TestStatus(t *testing.T) {
	_, kind, body := get(t, local(show(fixed{status: full()})), "/api/v1/status")
	want := `{"version":"v1.2.3","started":"2026-01-02T02:04:05Z","caught_up":true,` +
		`"lines":{"admitted":100,"all":1178,"blank":1,"control_bytes":104,"directive":5,"host":105,"ignored_client":106,"malformed":4,"method":101,"other":7,"other_host":110,"oversized":2,"own_validator":107,"reread":60,"status":102,"target":103,"too_many_bytes":108,"too_many_tokens":109,"unknown_format":3,"wrapper":6},` +
		`"hits_dropped":{"ahead_of_clock":24,"beyond_max_sites":23,"late":21,"shed":22},` +
		`"tail":{"bytes":41,"oversized_lines":42,"skipped_bytes":43,"null_runs":44,"rotations":45,"truncations":46,"abandoned_files":47,"abandoned_bytes":48,"damaged_files":49,"errors":50,"following_files":51},` +
		`"files":[{"file":"/a\ufffd","lag_bytes":96,"lag_seconds":0},{"file":"/b","lag_bytes":97,"lag_seconds":0},{"file":"/b","lag_bytes":98,"lag_seconds":0}],` +
		`"state":{"bytes":33,"saved":"2026-01-02T14:00:00.5Z","save_seconds":1.5},"memory":{"budget_bytes":94,"used_bytes":95},"events":31,"errors":32,"last_error":"save state: <disk full>",` +
		`"validate":{"on":true,"valid_rules":81,"sites":{"a.example":{"rules":{"refuted":76},"under_test":"r","pairs":77,"canonical_forms":78,"never_asked":{"urls":70,"secret":71,"one_client":72,"pairs_left_out":73,"first_secret":"/a/***"}}},` +
		`"published":{"a.example":{"sequence":79,"at":80,"rules":81,"sample":{"urls":87,"samples":88,"negatives":89,"skipped":90,"bound":0.5}}},` +
		`"held_updates":{"a.example":{"share":0.75,"rules":74,"mark":"m"}},"verdicts":{"undecided unsafe":75},"requests":82,"bytes":83,"cache_hits":84,"refused":{"robots":85},"waited_seconds":86},` +
		`"sites":[{"site":"a.example","urls":61,"likely_pairs":62,"rules":63,"newest_pane":"2026-01-02T14:00:00Z"},{"site":"","urls":71,"likely_pairs":72,"rules":73,"urls_shed":74}],` +
		`"partitions":[{"partition":5,"position":91,"end":100,"lost_records":92,"refused_records":93,"caught_up":true}]}`
	var got, wanted any
	if err := json.Unmarshal([]byte(body), &got); err != nil || kind != "application/json" {
		t.Fatal(err, kind)
	}
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(wanted)
	if string(a) != string(b) {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
	if _, _, body := get(t, local(show(fixed{})), "/api/v1/status"); !strings.Contains(body, `"sites": []`) || strings.Contains(body, "saved") {
		t.Errorf("at the start: %s", body)
	}
}

func TestManyRules(t *testing.T) {
	many := make([]rule.Likely, 20_000)
	for i := range many {
		many[i] = someRules()[i%4]
	}
	_, _, body := get(t, local(show(fixed{rules: many})), "/api/v1/rules", "Accept", "application/json")
	var array []json.RawMessage
	if err := json.Unmarshal([]byte(body), &array); err != nil || len(array) != len(many) {
		t.Errorf("%v, %d rules", err, len(array))
	}
}
