package lifecycle

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/report"
)

// change gives every page of a directory a text of its own.
func (w *town) change(dir string) {
	for u := range w.Text {
		if strings.HasPrefix(u, dir) {
			w.Text[u] = "changed " + u
		}
	}
}

// knownOf returns the number of remembered pairs from before a time with a page of a directory.
func (m *Machine) knownOf(dir string, before int64) (n int) {
	pages := map[uint64]bool{}
	for _, p := range m.window.Pages {
		pages[m.book.Memory.Keys.Document(p.URL)] = strings.HasPrefix(p.URL, dir)
	}
	for _, r := range m.book.Memory.Results() {
		if r.At < before && (pages[r.URLs[0]] || pages[r.URLs[1]]) {
			n++
		}
	}
	return n
}

// reported passes a report to a machine.
func (m *Machine) reported(t *testing.T, u, v string, now int64, want report.Answer) {
	t.Helper()
	if answer, err := m.Reports.Propose(u, v, "", false, now); answer != want || err != nil {
		t.Fatalf("report of %s and %s: %q, %v; want %q", u, v, answer, err, want)
	}
}

// A site changes after its rules were published. The rule leaves the first two reported pages alone.
// The report of a third page has it tried anew on the pages as they are now, and it is retired.
func TestReportRetiresWrongRule(t *testing.T) {
	w, m, now := ruled(t, 150, madeup.Options())
	before := m.Published()
	if m.formOf("/b/p3.html") != "/a/p3.html" {
		t.Fatal("the town has no rule for its mirror")
	}
	w.change("/b/")
	reports, trials, changed := 0, 0, now
	if m.knownOf("/b/", now) == 0 {
		t.Fatal("no pair of the mirror is known")
	}
	for i, page := range []string{"3", "9", "27"} {
		m.reported(t, "/b/p"+page+".html", "", now, report.Taken)
		now = w.live(m, now+1, func(test Look) {
			switch test.Purpose {
			case Report:
				if reports++; !test.Fresh || test.U != "/b/p"+page+".html" || test.V != "/a/p"+page+".html" {
					t.Errorf("%+v", test)
				}
			case Trial:
				if trials++; test.Since < changed {
					t.Errorf("%+v may be answered with documents from before", test)
				}
			}
		})
		if i < mostLater-1 && (m.formOf("/b/p"+page+".html") != "/b/p"+page+".html" || m.formOf("/b/p30.html") != "/a/p30.html" || trials > 0) {
			t.Errorf("report %d: forms are %s and %s after %d trials", i, m.formOf("/b/p"+page+".html"), m.formOf("/b/p30.html"), trials)
		}
	}
	if m.formOf("/b/p3.html") != "/b/p3.html" || m.formOf("/list/7?sid=71") != "/list/7" {
		t.Errorf("forms are %s and %s", m.formOf("/b/p3.html"), m.formOf("/list/7?sid=71"))
	}
	p := m.Published()
	if p.Sequence <= before.Sequence || len(p.Retired)+len(p.Records) == 0 {
		t.Errorf("published %+v", p)
	}
	for _, r := range p.Records {
		if e := m.book.Entries[r.ID]; e.State != rule.Valid {
			t.Errorf("published: %+v", e)
		}
	}
	if got := m.Answers.Status().Named; reports != 6 || got.Tried != 3 || got.Wrong != 3 || got.Excepted != 2 || got.SentBack != 1 || got.Waiting != 0 {
		t.Errorf("%d looks, %+v", reports, got)
	}
	if n := m.knownOf("/b/", changed); n > 0 {
		t.Errorf("%d outcomes from before the reports may prove other rules", n)
	}
	if trials == 0 || trials > 40 {
		t.Errorf("%d pairs are tried for the verdict on a rule that is always wrong", trials)
	}
}

// A crawler may see a fault in the second of the verdict. The reported pair was not known to the verdict.
func TestReportInSecondOfVerdict(t *testing.T) {
	w, m, now := ruled(t, 150, madeup.Options())
	for _, e := range m.book.Entries {
		e.Verdict.Time = now
	}
	w.change("/b/")
	m.reported(t, "/b/p3.html", "", now, report.Taken)
	for {
		look, ok := m.Next(now)
		if !ok {
			break
		}
		m.Dialogue.Outcome(look, w.see(m, look), 1, now)
	}
	if got := m.Answers.Status().Named; got.Wrong != 1 || got.Excepted != 1 || m.formOf("/b/p3.html") != "/b/p3.html" {
		t.Errorf("%+v; the form is %s", got, m.formOf("/b/p3.html"))
	}
}

// After a report was confirmed, outcomes from before it are forgotten, too, if the rule's last fault
// is found by the trial of the set.
func TestFaultAfterReport(t *testing.T) {
	w, m, now := ruled(t, 150, madeup.Options())
	w.change("/b/")
	reported := now
	m.reported(t, "/b/p3.html", "", reported, report.Taken)
	now = w.live(m, reported+1, ignore)
	for _, page := range []string{"/b/p9.html", "/b/p27.html"} {
		rank := forms.ChainOf(m.view.Canonizer, page)[0]
		if !m.faults.contradict(rank, page, rule.Example{U: page, V: m.formOf(page), Outcome: "different"}, SetTrial, 0, now) {
			t.Fatal("the rule is not at fault")
		}
		m.derive(now)
	}
	if n := m.knownOf("/b/", reported); n > 0 || m.formOf("/b/p30.html") != "/b/p30.html" {
		t.Errorf("%d outcomes from before the report may prove other rules; the form is %s", n, m.formOf("/b/p30.html"))
	}
}

// A report about similar pages costs one look, and changes nothing: no act follows.
func TestReportOfTruePair(t *testing.T) {
	w, m, now := ruled(t, 40, madeup.Options())
	m.Acts()
	m.reported(t, "/b/p3.html", "/list/7?sid=71", now, report.Apart) // two pages
	m.reported(t, "/list/7?sid=71", "", now, report.Taken)
	m.reported(t, "/b/p3.html", "/a/p3.html", now, report.Taken)
	looks := 0
	w.live(m, now+1, func(test Look) {
		if looks++; test.Purpose != Report || test.Second {
			t.Errorf("%+v", test)
		}
	})
	if acts := m.Acts(); len(acts) > 0 || looks != 2 {
		t.Errorf("%d looks, acts %+v", looks, acts)
	}
	m.reported(t, "/b/p3.html", "", now+2, report.Lately)
	w.live(m, now+3, func(test Look) { t.Errorf("again: %+v", test) })
	if got := m.Answers.Status().Named; got != (Named{Tried: 2, LeftOut: 2}) {
		t.Errorf("%+v", got)
	}
}

// URLs that no rule edits, and URLs that look like secrets, are not fetched.
func TestReportLeftOut(t *testing.T) {
	w, m, now := ruled(t, 40, madeup.Options())
	for _, c := range []struct {
		url  string
		want report.Answer
	}{{"/c/q3.html", report.Apart}, {"/nowhere", report.Apart}, {"/b/p3.html?token=5f4dcc3b5aa765d61d8327deb882cf99aa55", report.Unasked}} {
		m.reported(t, c.url, "", now, c.want)
	}
	w.live(m, now+1, func(test Look) { t.Errorf("%+v", test) })
	if got := m.Answers.Status().Named; got != (Named{LeftOut: 3}) {
		t.Errorf("%+v", got)
	}
}

// Reports are bounded in number, and their trials in an hour.
func TestReportsAreBounded(t *testing.T) {
	w, m, now := ruled(t, 100, madeup.Options())
	for i := range mostNamed + 5 {
		if answer, err := m.Reports.Propose(fmt.Sprintf("/b/p%d.html", i), "", "", false, now); (answer == report.Taken) != (i < mostNamed) || errors.Is(err, report.ErrFull) != (i >= mostNamed) {
			t.Errorf("report %d: %v, %v", i, answer, err)
		}
	}
	looks := map[bool]int{}
	now++
	for test, ok := m.Next(now); ok; test, ok = m.Next(now) {
		looks[true]++
		m.Dialogue.Outcome(test, w.see(m, test), 1, now)
	}
	for test, ok := m.Next(now + book.Hour); ok; test, ok = m.Next(now + book.Hour) {
		looks[false]++
		m.Dialogue.Outcome(test, w.see(m, test), 1, now+book.Hour)
	}
	if looks[true] != namedEachHour || looks[false] != mostNamed-namedEachHour {
		t.Errorf("looks %v", looks)
	}
}

// A test of a report that is released is given out again.
func TestReportReleased(t *testing.T) {
	_, m, now := ruled(t, 40, madeup.Options())
	m.reported(t, "/b/p3.html", "", now, report.Taken)
	test, _ := m.Next(now + 1)
	m.Dialogue.Release(test)
	if again, ok := m.Next(now + 1); !ok || again != test || m.Answers.Status().Named.Tried != 1 {
		t.Errorf("%+v, %v", again, ok)
	}
}

// A liar who reports a pair first does not keep a wrong rule alive: the pair is tried again for
// another reporter, and if the pages have changed since. The number of times is bounded.
func TestReportTriedAgain(t *testing.T) {
	w, m, now := ruled(t, 60, madeup.Options())
	propose := func(reporter string, changed bool, want report.Answer) (looks int) {
		now++
		answer, err := m.Reports.Propose("/b/p3.html", "/a/p3.html", reporter, changed, now)
		if answer != want || err != nil {
			t.Errorf("%s, changed %v: %q, %v; want %q", reporter, changed, answer, err, want)
		}
		now = w.live(m, now, func(test Look) {
			if test.Purpose == Report && !test.Second {
				looks++
			}
		})
		return looks
	}
	for i, c := range []struct {
		reporter string
		changed  bool
		want     report.Answer
	}{
		{"liar", false, report.Taken}, {"liar", false, report.Lately}, {"honest", false, report.Taken}, {"liar", true, report.Taken},
		{"third", false, report.Taken}, {"fourth", false, report.Lately}, {"liar", true, report.Lately},
	} {
		if looks := propose(c.reporter, c.changed, c.want); looks != map[report.Answer]int{report.Taken: 1}[c.want] {
			t.Errorf("report %d: %d looks", i, looks)
		}
	}
	w.change("/b/")
	now += book.Hour
	if propose("liar", false, report.Taken) != 1 || m.Answers.Status().Named.Wrong != 1 {
		t.Errorf("after an hour: %+v", m.Answers.Status().Named)
	}
}
