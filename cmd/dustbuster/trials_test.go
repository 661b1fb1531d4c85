package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"dustbuster/operators/rule"
)

// writePage answers with the text of a page.
func writePage(w http.ResponseWriter, id string) {
	answer(w, id, fmt.Sprintf("<title>%s</title><p>%s", id, strings.Repeat("page "+id+" says this and a little more ", 9)))
}

// answer responds with a text, and with as many bytes as the log has for the page.
func answer(w http.ResponseWriter, id, text string) {
	w.Header().Set("Content-Type", "text/html")
	n, _ := strconv.Atoi(number.FindString(id))
	fmt.Fprintf(w, "%s<!--%s-->", text, strings.Repeat(" ", max(0, size(n)-len(text+"<!---->"))))
}

// size is how large the page of a number is.
func size(n int) int { return 1000 + 100*n }

var number = regexp.MustCompile(`\d+$`)

// hits are lines of a log: each form of each page, with the size of its number.
func hits(pages int, forms ...string) string {
	var b strings.Builder
	for i := range pages {
		for _, form := range forms {
			fmt.Fprintf(&b, "192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET "+form+" HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", i, size(i))
		}
	}
	return b.String()
}

// outcome is the result of validate on a site.
type outcome struct {
	table    string
	valid    []rule.Record
	requests int
}

// try runs validate twice, for the table and for the valid rules.
func try(t *testing.T, log string, serve http.HandlerFunc) (o outcome) {
	t.Helper()
	var requests atomic.Int64
	origin := site(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		serve(w, r)
	})
	path := newFile(t, "access.log", log)
	validate := func(output ...string) string {
		args := append([]string{"validate", "--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "0", "--output"}, output...)
		code, out, errs := program(context.Background(), append(args, path)...)
		if silent := strings.Contains(errs.String(), "no pages could be compared"); code != 0 && !silent {
			t.Fatalf("ended with %d: %s", code, errs.Bytes())
		}
		return out.String()
	}
	o.table = validate("text", "--explain")
	o.requests = int(requests.Load())
	for line := range strings.Lines(validate("json")) {
		var r rule.Record
		must(t, json.Unmarshal([]byte(line), &r))
		o.valid = append(o.valid, r)
	}
	return o
}

func (o outcome) has(t *testing.T, lines ...string) {
	t.Helper()
	for _, want := range lines {
		if !regexp.MustCompile(`(?m)^` + want + `$`).MatchString(o.table) {
			t.Errorf("no %s in\n%s", want, o.table)
		}
	}
}

// The shorter form is tried first. If it is missing for many pages, the other direction
// holds.
func TestDirection(t *testing.T) {
	log := hits(120, "/print/%d") + hits(30, "/page-%d")
	o := try(t, log, func(w http.ResponseWriter, r *http.Request) {
		if id := number.FindString(r.URL.Path); strings.HasPrefix(r.URL.Path, "/print/") || len(id) < 2 || len(id) == 2 && id < "30" {
			writePage(w, id)
			return
		}
		http.NotFound(w, r)
	})
	o.has(t, `refuted .* write /print/… as /page-…`, `valid .* write /page-… as /print/…`)
}

// A form that redirects back is not a canonical form: a crawler would loop.
func TestRedirectBack(t *testing.T) {
	o := try(t, hits(40, "/archive/%d", "/page-%d"), func(w http.ResponseWriter, r *http.Request) {
		id := number.FindString(r.URL.Path)
		if strings.HasPrefix(r.URL.Path, "/page-") {
			http.Redirect(w, r, "/archive/"+id, http.StatusMovedPermanently)
			return
		}
		writePage(w, id)
	})
	o.has(t, `refuted .* write /archive/… as /page-…`, `valid .* write /page-… as /archive/…`)
}

// A rule that always holds is decided by some sixty pairs, and a rule that never holds by a
// handful. A rule implied by a valid rule is not tried at all.
func TestEarlyStopAndRefinement(t *testing.T) {
	log := hits(300, "/p%d", "/p%d?sid=7", "/p%d?sid=8", "/other/p%d")
	o := try(t, log, func(w http.ResponseWriter, r *http.Request) {
		writePage(w, strings.TrimSuffix(r.URL.Path, "/"))
	})
	o.has(t, `valid +(5\d|6\d) +0 +0 .* ignore the parameter sid`, `refuted +0 +2 +0 .* write /other/… as /…`)
	if strings.Count(o.table, "sid") != 1 || o.requests > 230 { // the trial of the set takes some sixty pairs, too
		t.Errorf("%d requests\n%s", o.requests, o.table)
	}
}

// Pages that differ from themselves are compared with more tolerance, and the verdict says
// so.
func TestNoise(t *testing.T) {
	var visits atomic.Int64
	o := try(t, hits(200, "/p%d", "/p%d?sid=7"), func(w http.ResponseWriter, r *http.Request) {
		id := number.FindString(r.URL.Path)
		text := make([]string, 200)
		for i := range text {
			text[i] = fmt.Sprint("word", id, "of", i)
		}
		text[visits.Add(1)*73%200] = "advertisement"
		answer(w, id, "<p>"+strings.Join(text, " "))
	})
	if len(o.valid) != 1 || o.valid[0].Verdict.Threshold >= 0.9 || o.valid[0].Verdict.Threshold < 0.7 {
		t.Errorf("%+v\n%s", o.valid, o.table)
	}
}

// The noise of some pages does not excuse other pages: /a/ and /b/ have nearly the same
// text, never change, and are two pages.
func TestNoiseOfOthers(t *testing.T) {
	var visits atomic.Int64
	o := try(t, hits(200, "/p%d", "/p%d?sid=7")+hits(100, "/a/%d", "/b/%d"), func(w http.ResponseWriter, r *http.Request) {
		text := make([]string, 200)
		for i := range text {
			text[i] = fmt.Sprint("word", number.FindString(r.URL.Path), "of", i)
			if r.URL.Path[1] != 'p' {
				text[i] = "other" + text[i]
			}
		}
		switch r.URL.Path[1] {
		case 'b':
			copy(text[50:], strings.Fields(strings.Repeat("another ", 8)))
		case 'p':
			text[visits.Add(1)*73%200] = "advertisement"
		}
		answer(w, r.URL.Path, "<p>"+strings.Join(text, " "))
	})
	o.has(t, `valid .* ignore the parameter sid`, `refuted .* write /a/… as /b/…`, `refuted .* write /b/… as /a/…`)
	if len(o.valid) != 1 || o.valid[0].Verdict.Threshold > 0.84 {
		t.Errorf("%+v\n%s", o.valid, o.table)
	}
}

// If one form cannot be fetched, there is no verdict and no publication. Requests to a
// server that fails on the form soon end.
func TestUndecided(t *testing.T) {
	o := try(t, hits(40, "/print/p%d", "/p%d"), func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/p") && !strings.HasPrefix(r.URL.Path, "/print") {
			http.Error(w, "not today", http.StatusInternalServerError)
			return
		}
		writePage(w, number.FindString(r.URL.Path))
	})
	o.has(t, `undecided +0 +0 +5 .* write /print/… as /… \(server_error\)`)
	if len(o.valid) != 0 || o.requests > 2*5 {
		t.Errorf("%d requests; published %+v", o.requests, o.valid)
	}
}

// validate holds no update, because its user looks at the output. In this test each URL is
// changed, most of them by rules found only in the forms of the first rule.
func TestValidateHoldsNothingBack(t *testing.T) {
	forms := []string{"/m/p%d"}
	for sid := range 12 {
		forms = append(forms, fmt.Sprintf("/n/p%%d?sid=%d", sid))
	}
	o := try(t, hits(30, forms...), func(w http.ResponseWriter, r *http.Request) { writePage(w, number.FindString(r.URL.Path)) })
	if len(o.valid) != 2 {
		t.Errorf("%d rules are printed of\n%s", len(o.valid), o.table)
	}
}
