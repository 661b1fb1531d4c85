package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/stream/prober"
	sites "dustbuster/stream/site"
)

// A daemon that tries nothing although candidates and requests are left says why: in the status, on
// the page of the site, in the text of the command status, and in the log.
func TestIdleDaemonSaysWhy(t *testing.T) {
	t.Parallel()
	origin := site(t, func(w http.ResponseWriter, r *http.Request) { // each URL has a page of its own, so no rule holds
		w.Header().Set("Content-Type", "text/html")
		for i := range 40 {
			fmt.Fprintf(w, "word%x ", sha256.Sum256(fmt.Append(nil, r.URL, i)))
		}
	})
	dir := t.TempDir()
	log := filepath.Join(dir, "access.log")
	must(t, os.WriteFile(log, []byte(hits(books, bookForms...)), 0o600))
	stop, stderr := inside(t, nil, "--tail", log, "--state", filepath.Join(dir, "state"), "--window", "0", "--refine-interval", "100ms", "--no-withhold", "--log-format", "json",
		"--admin-listen", "127.0.0.1:0", "--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "1ms", "--fetch-budget", "24")
	type status struct {
		Sites  []sites.Status
		Trials prober.StatusJSON `json:"validate"`
	}
	var d status
	until(t, "an idle site", func() (text string, ok bool) {
		text = asked(t, stderr, "/api/v1/status")
		d = status{}
		must(t, json.Unmarshal([]byte(text), &d))
		for i := range d.Sites {
			now := d.Trials.NowOf(d.Sites[i].Name)
			if now.Words == "" || now.Why == lifecycle.Trying && d.Trials.Sites[d.Sites[i].Name].Trial == nil {
				t.Fatalf("site %q says %+v\n%s", d.Sites[i].Name, now, text)
			}
		}
		return text, d.Trials.Now[""].Why == lifecycle.Kept
	})
	now, s := d.Trials.Now[""], d.Trials.Sites[""]
	if s.Open == 0 || s.Left == nil || *s.Left == 0 || *s.Left > 6 || time.Until(now.Until) > time.Hour || time.Until(now.Until) < 50*time.Minute {
		t.Errorf("%d candidates, %v requests left, until %v", s.Open, s.Left, now.Until)
	}
	time.Sleep(2 * time.Second) // a page is shown again for a second
	text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(asked(t, stderr, "/site?site="), ""))
	if want := "Nothing is tested now (next look: " + now.Until.UTC().Format("2006-01-02 15:04"); !strings.Contains(text, want) || !strings.Contains(text, now.Words) || strings.Contains(text, "At present:") {
		t.Errorf("the page does not say %q: %q\n%s", want, now.Words, text)
	}
	stderr.awaits(t, `"msg":"nothing is tested at present"`, `"reason":"kept"`, now.Words)
	if code, out, errs := program(t.Context(), "status", "--address", "http://"+stderr.address(t)); code != 0 || !strings.Contains(out.String(), now.Words) || !strings.Contains(out.String(), "waits ") {
		t.Errorf("status ended with %d:\n%s%s", code, out, errs)
	}
	stop()
}
