package rule_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/evidence"
	"dustbuster/sinks/export"
	"dustbuster/stream/rules"
)

var recordFile = flag.String("record", "", "the `file` of the published record")

const tilde = `{"kind":"tilde","folder":"home","mark":"tilde","scope":{"where":[{"param":"a"}]}}`

// A rule of the new kind is read, applied, tried, published, read again and spelled, and
// exports refuse the kind by its name.
func TestWalk(t *testing.T) {
	var r rule.Rule
	if err := json.Unmarshal([]byte(tilde), &r); err != nil || r.Edit != (rule.Tilde{Folder: "home"}) {
		t.Fatal(r, err)
	}
	if line, err := json.Marshal(r); err != nil || string(line) != tilde {
		t.Errorf("written as %s, %v", line, err)
	}
	if got, want := r.Text(), "home\na"; got != want {
		t.Errorf("texts %q, want %q", got, want)
	}
	c, err := canon.Compile([]rule.Rule{r})
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]string{"/~ann/?a=1": "/home/ann/?a=1", "/~ann/": "/~ann/", "/@ann/?a": "/@ann/?a"} {
		if got, _ := c.Canon(nil, []byte(url)); string(got) != want {
			t.Errorf("%s becomes %s, want %s", url, got, want)
		}
	}

	records := try(r)
	if len(records) != 1 || records[0].Kind != "tilde" || records[0].State != rule.Valid {
		t.Fatalf("published %+v", records)
	}
	line, err := json.Marshal(records[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(*recordFile, append(line, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := rules.Read(bytes.NewReader(line))
	if err != nil || list.Len() != 1 || list.Sites[0].Rules[0] != r {
		t.Fatalf("read %+v, %v", list, err)
	}
	if got, want := r.Words(), "write /~ as home where a is present"; got != want {
		t.Errorf("spelled %q, want %q", got, want)
	}
	for _, f := range export.Formats() {
		skipped, err := export.Write(&bytes.Buffer{}, f.Name, []export.Site{{Host: "a.example", Rules: list.Sites[0].Rules}}, export.Options{})
		if f.Name == "cloudflare" { // its library knows the kinds, and applies no rule of a site that has another
			continue
		}
		if err != nil || len(skipped) != 1 || !strings.Contains(skipped[0].Reason, "kind tilde") {
			t.Errorf("%s: skipped %+v, %v", f.Name, skipped, err)
		}
	}
}

// The members of the new kind are checked as they are declared, by both ways of reading a
// record, and are no members of other kinds.
func TestWalkRefuses(t *testing.T) {
	for _, c := range []struct {
		members, want string
		unknown       bool
	}{
		{`"kind":"tilde"`, "a tilde needs a folder", false},
		{`"kind":"tilde","folder":7`, "cannot unmarshal number", false},
		{`"kind":"tilde","folder":"a/b"`, "is not one segment", false},
		{`"kind":"tilde","folder":"a b"`, `no URL holds ' '`, false},
		{`"kind":"tilde","folder":"home","form":"case"`, `has no member "form"`, false},
		{`"kind":"form","form":"case","folder":"home"`, `has no member "folder"`, false},
		{`"kind":"tilde","folder":"home","mark":"hash"`, `mark "hash" is unknown`, true},
		{`"kind":"tilde","folder":"home","house":"1"`, `member "house" is unknown`, true},
	} {
		line := `{"schema":2,"site":"a.example","id":"1","rank":1,"state":"valid","scope":{},` + c.members + `}`
		var unknown *rule.UnknownError
		if _, _, err := rule.ReadPublished([]byte(line)); err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &unknown) != c.unknown {
			t.Errorf("%s: error %v", line, err)
		}
		record, err := rule.ReadRecord([]byte(line))
		if err == nil {
			_, err = record.Rule()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &unknown) != c.unknown {
			t.Errorf("%s: as a record: error %v", line, err)
		}
	}
}

// try tries a rule on a site where the rule holds, and returns the published records.
func try(r rule.Rule) []rule.Record {
	var pages []evidence.Page
	contents := map[string]uint64{}
	for i := range 100 {
		size := int64(1000 + 100*i)
		for _, form := range []string{"/~u%d/?a=1", "/home/u%d/?a=1"} {
			url := fmt.Sprintf(form, i)
			contents[url] = uint64(i + 1)
			pages = append(pages, evidence.Page{URL: url, Evidence: evidence.Spans{{Min: size, Max: size}}})
		}
	}
	o := book.Defaults()
	o.HoldShare = 1
	m := lifecycle.Maker(o)("a.example")
	m.Load(forms.NewWindow(pages), []rule.Candidate{{Rule: r, Support: 100}})
	shown := func(u string) trial.Shown {
		size := int64(900 + 100*contents[u])
		return trial.Shown{HTML: true, Words: 100, Text: contents[u], Sent: size, Length: size}
	}
	document := func(u string) trial.Document {
		if contents[u] == 0 {
			return trial.Document{Status: 404}
		}
		return trial.Document{Status: 200}
	}
	now := int64(1_800_000_000)
	for idle := 0; len(m.Published().Records) == 0 && idle < 3; now++ {
		test, ok := m.Next(now)
		if !ok {
			idle++
			now += o.LevelEvery
			continue
		}
		seen := m.Dialogue.Measure(test, document(test.U), document(test.V), func() trial.Compared {
			c := trial.Compared{U: shown(test.U), V: shown(test.V)}
			if c.U.Text == c.V.Text {
				c.Alike, c.SameText = 1, true
			}
			return c
		})
		m.Dialogue.Outcome(test, seen, 1, now)
	}
	return m.Published().Records
}
