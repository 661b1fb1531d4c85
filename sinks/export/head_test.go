package export_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/sinks/export"
)

// twoSites are sites with rules whose ids say all of them, and with one that has an exception.
func twoSites(t *testing.T) []export.Site {
	t.Helper()
	but, err := rule.NewExcept(nil, []string{"/a?sid=1"})
	if err != nil {
		t.Fatal(err)
	}
	sid := rule.Rule{Edit: rule.Drop{Param: "sid"}}
	sid.Except = but
	var many []rule.Rule
	for _, name := range strings.Fields("a b c d e f g h i j k") {
		many = append(many, rule.Rule{Edit: rule.Drop{Param: name}})
	}
	return []export.Site{
		{Host: "www.shop.example:8080", Rules: append(many, sid)},
		{Host: "xn--bcher-kva.example", Rules: []rule.Rule{{Edit: rule.Substring{From: "/old/", To: "/new/", AtStart: true}}}},
	}
}

// Each format with comments says how it was made and of which rules, whatever the signs of its comments.
func TestHeadIsRead(t *testing.T) {
	for _, f := range export.Formats() {
		for _, redirect := range []bool{false, true} {
			sites := twoSites(t)
			if redirect && !f.Server || f.Name == "dud" || f.Name == "clearurls" || f.Name == "no-vary-search" || f.Name == "algolia" {
				continue
			}
			if f.OneSite {
				sites = sites[:1]
			}
			var out bytes.Buffer
			if _, err := export.Write(&out, f.Name, sites, export.Options{Time: "2026-11-03T10:00:00Z", Redirect: redirect, Unroll: 1}); err != nil {
				t.Fatal(err)
			}
			h, err := export.ReadHead(&out)
			if err != nil || h.Format != f.Name || h.Redirect != redirect || h.Time != "2026-11-03T10:00:00Z" || len(h.Sites) != len(sites) {
				t.Errorf("%s: %+v, %v", f.Name, h, err)
				continue
			}
			if redirect || f.OneSite || f.Name == "caddy" {
				continue // which leave rules out
			}
			for i, s := range sites {
				var want []string
				for n := range s.Rules {
					want = append(want, rule.Mark(s.Host, rule.ID(s.Host, &s.Rules[n]), &s.Rules[n]))
				}
				if h.Sites[i].Host != s.Host || !slices.Equal(h.Sites[i].Marks, want) {
					t.Errorf("%s: %+v, want %s with %v", f.Name, h.Sites[i], s.Host, want)
				}
			}
		}
	}
}

// A file without a head, and one that lacks some of its rules, is no file without rules.
func TestHeadRefuses(t *testing.T) {
	var out bytes.Buffer
	if _, err := export.Write(&out, "nginx", twoSites(t), export.Options{}); err != nil {
		t.Fatal(err)
	}
	whole := out.String()
	for _, text := range []string{"", "server {}\n", "# rules 2fe684a7d9a9523cf8e3\n", strings.Replace(whole, "Written by dustbuster", "", 1), "{\"a\": \"# rules x\"}"} {
		if _, err := export.ReadHead(strings.NewReader(text)); !errors.Is(err, export.ErrNoHead) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	cut := whole[:strings.Index(whole, "# rules")+60]
	if _, err := export.ReadHead(strings.NewReader(cut)); err == nil || !strings.Contains(err.Error(), "the file was cut short or edited") {
		t.Errorf("a file that was cut: %v", err)
	}
	if _, err := export.ReadHead(strings.NewReader(whole)); err != nil {
		t.Error(err)
	}
}
