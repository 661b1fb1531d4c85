package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

var (
	one = strings.Repeat("a1", 32)
	two = strings.Repeat("B2", 32)
)

// text returns a report as JSON, with some members replaced.
func text(t *testing.T, replace map[string]any) []byte {
	t.Helper()
	return replaced(t, replace, map[string]any{"site": "www.example.org", "found": "http://www.example.org/a?sid=1", "canonical": "http://www.example.org/a", "sha256": []string{one, two}})
}

// replaced returns members as a JSON object, with some replaced; a nil member is left out.
func replaced(t *testing.T, replace, members map[string]any) []byte {
	t.Helper()
	for k, v := range replace {
		if members[k] = v; v == nil {
			delete(members, k)
		}
	}
	b, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestParse(t *testing.T) {
	r, err := Parse(text(t, map[string]any{"rules": `"v1"`, "reporter": "crawler-7"}))
	if err != nil {
		t.Fatal(err)
	}
	if want := (Report{"www.example.org", "http://www.example.org/a?sid=1", "http://www.example.org/a", [2]string{one, strings.ToLower(two)}, `"v1"`, "crawler-7", ""}); *r != want || r.Alike() {
		t.Errorf("%+v", r)
	}
	if r, err = Parse(text(t, map[string]any{"sha256": []string{two, strings.ToLower(two)}})); err != nil || !r.Alike() {
		t.Errorf("equal pages: %v", err)
	}
}

// An error names the member.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		replace map[string]any
		field   string
	}{
		{"no site", map[string]any{"site": nil}, "site"},
		{"no URL", map[string]any{"found": nil}, "found"},
		{"no form", map[string]any{"canonical": nil}, "canonical"},
		{"no pages", map[string]any{"sha256": nil}, "sha256"},
		{"one page", map[string]any{"sha256": []string{one}}, "sha256"},
		{"three pages", map[string]any{"sha256": []string{one, one, one}}, "sha256"},
		{"short", map[string]any{"sha256": []string{one, "a1"}}, "sha256"},
		{"no digits", map[string]any{"sha256": []string{one, strings.Repeat("g", 64)}}, "sha256"},
		{"a number", map[string]any{"site": 7}, "site"},
		{"a path", map[string]any{"found": "/a"}, "found"},
		{"ftp", map[string]any{"found": "ftp://www.example.org/"}, "found"},
		{"a user", map[string]any{"canonical": "http://me@www.example.org/"}, "canonical"},
		{"control", map[string]any{"canonical": "http://www.example.org/\x01"}, "canonical"},
		{"long", map[string]any{"canonical": "http://www.example.org/" + strings.Repeat("a", 2048)}, "canonical"},
		{"equal", map[string]any{"canonical": "http://www.example.org/a?sid=1"}, "canonical"},
		{"version", map[string]any{"rules": strings.Repeat("v", 129)}, "rules"},
		{"reporter", map[string]any{"reporter": strings.Repeat("v", 65)}, "reporter"},
		{"unknown", map[string]any{"pages": 1}, ""},
		{"beyond 64 KiB", map[string]any{"site": strings.Repeat("a", MaxBytes)}, ""},
	} {
		_, err := Parse(text(t, c.replace))
		bad, ok := errors.AsType[*FieldError](err)
		if !ok || bad.Field != c.field || bad.Reason == "" {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, bad := range []string{"", "{", "[]", "null", string(text(t, nil)) + "{}"} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestMined(t *testing.T) {
	for _, c := range []struct {
		site, found, canonical string
		several                bool
		want                   string // "": an error
	}{
		{"www.example.org", "HTTP://WWW.Example.org.:80/a b?x=1#f", "http://www.example.org?x", false, "/a%20b?x=1 /?x"},
		{"www.example.org:81", "http://www.example.org:81/a", "http://www.example.org:81/", false, "/a /"},
		{"", "http://other.example/a", "http://other.example/", false, "/a /"},
		{"example.org", "https://m.example.org/a", "https://www.example.org/a", true, "m.example.org/a www.example.org/a"},
		{"www.example.org", "http://other.example/a", "http://www.example.org/", false, ""},
		{"www.example.org", "http://www.example.org/a", "http://www.example.org:81/", false, ""},
		{"example.org", "https://m.example.org/" + strings.Repeat("a", 2040), "https://www.example.org/a", true, ""},
	} {
		r, err := Parse(text(t, map[string]any{"site": c.site, "found": c.found, "canonical": c.canonical}))
		if err != nil {
			t.Fatal(err)
		}
		found, canonical, err := r.Mined(c.several)
		if got := found + " " + canonical; err == nil && got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}

// A reporter may report 60 times at once, and then once each second. Other reporters are not
// affected.
func TestLimiter(t *testing.T) {
	l, now := NewLimiter(AtOnce), int64(1e9)
	for i := range AtOnce {
		if wait := l.Take("a", now); wait != 0 {
			t.Fatalf("report %d must wait %d s", i, wait)
		}
	}
	if wait := l.Take("a", now); wait != 1 || l.Take("b", now) != 0 {
		t.Errorf("one report more must wait %d s", wait)
	}
	if l.Take("a", now+1) != 0 || l.Take("a", now+1) != 1 || l.Take("a", now+1+AtOnce) != 0 {
		t.Error("a report is not forgotten after a second")
	}
	for i := range mostReporters {
		l.Take(fmt.Sprint(i), now)
	}
	if len(l.forgotten) != mostReporters || l.Take("new", now) != 1 || l.Take("1", now) != 0 {
		t.Errorf("%d reporters are counted", len(l.forgotten))
	}
	if l.Take("new", now+1000) != 0 || len(l.forgotten) != 1 {
		t.Errorf("%d reporters are counted after a while", len(l.forgotten))
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"site":"a","found":"http://a/b?c=1","canonical":"http://a/b","sha256":["` + one + `","` + one + `"]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := Parse(b)
		if err != nil {
			return
		}
		for _, several := range []bool{false, true} {
			found, canonical, err := r.Mined(several)
			if err == nil && (len(found) > 2048 || len(canonical) > 2048 || !strings.Contains(found, "/")) {
				t.Fatalf("%q and %q", found, canonical)
			}
		}
	})
}

// A URL with dot segments is not in normal form, and is no URL of a log.
func TestDotSegments(t *testing.T) {
	for _, c := range []struct {
		path   string
		normal bool
	}{{"/a/../../x", false}, {"/./x", false}, {"/a/..", false}, {"/a/%2e%2E/x", false}, {"/.%2e", false},
		{"/...", true}, {"/.a/..b", true}, {"/a.b", true}, {"/a?x=/../y", true}, {"/", true}} {
		r := Report{Site: "a.example", Found: "http://a.example" + c.path, Canonical: "http://a.example/"}
		_, _, err := r.Mined(false)
		if bad, wrong := errors.AsType[*FieldError](err); wrong == c.normal || wrong && bad.Field != "found" {
			t.Errorf("%s: %v", c.path, err)
		}
	}
}
