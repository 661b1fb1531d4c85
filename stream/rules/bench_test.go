package rules

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// manySites returns a list of many sites with rules of all kinds, ten a site, as a daemon writes
// it.
func manySites(tb testing.TB, sites int) []byte {
	tb.Helper()
	template, err := rule.NewTemplate([]rule.Key{{Name: "/0", Value: "story"}, {Name: "id", Any: true, Edit: rule.DropKey}, {Name: "/1", Any: true, Edit: rule.CopyKey, To: "id"}})
	must(tb, err)
	except, err := rule.NewExcept([]rule.Scope{{HasPath: true, Path: "/"}}, []string{"/index.php?title=Main_Page&oldid=1"})
	must(tb, err)
	kinds := []rule.Rule{
		{Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}},
		{Edit: rule.Substring{From: "/story?id=", To: "/story_"}},
		{Edit: rule.Drop{Param: "oldid"}, Scope: rule.Scope{HasPath: true, Path: "/index.php", Where: rule.Where("title", "Main_Page")}},
		{Edit: rule.Drop{Param: "utm_medium", Other: "utm_source"}},
		{Edit: rule.Drop{Param: "sid"}, Except: except},
		{Edit: rule.Drop{Pattern: rule.Pattern{Prefix: "v", Class: rule.Digits}}},
		{Edit: rule.Set{Param: "page", Value: "1"}, Scope: rule.Scope{Prefix: "/list/"}},
		{Edit: rule.Order{}, Scope: rule.Scope{Prefix: "/search"}},
		{Edit: rule.Syntax{Form: rule.Slashes}},
		{Edit: rule.Rewrite{Template: template}},
	}
	separators := urlnorm.Ampersand
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i := range sites {
		site := fmt.Sprintf("www.site%d.example", i)
		for rank := range kinds {
			err := enc.Encode(rule.Record{
				Schema: rule.Schema, Site: site, ID: rule.ID(site, &kinds[rank]), Wire: *rule.NewWire(&kinds[rank]), Rank: rank + 1, State: rule.Valid, Support: 321,
				Verdict: rule.Verdict{Samples: 59, Positives: 59, Bound: 0.0495, Threshold: 0.9, Control: rule.Control{Mixed: 40, Quantile: 0.31}, Time: 1790000000,
					Reason: "no sample was negative"},
				FirstSeen: 1790000000, ValidatedAt: 1790003600, Separators: &separators,
			})
			must(tb, err)
		}
	}
	return b.Bytes()
}

// BenchmarkOpen reads a file of 10,000 sites with 100,000 rules, with and without the
// canonizers.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "rules.jsonl")
	text := manySites(b, 10000)
	must(b, os.WriteFile(path, text, 0o600))
	open := func(b *testing.B) *List {
		l, err := Open(context.Background(), path)
		if err != nil || l.Len() != 100000 {
			b.Fatal(err)
		}
		return l
	}
	b.Run("open", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			open(b)
		}
	})
	b.Run("compile", func(b *testing.B) {
		l := open(b)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := l.Compile(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
