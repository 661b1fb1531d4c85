package text

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
)

// machine returns a site with one likely pair.
func machine(site string) *miner.Machine {
	m := miner.New(site, miner.Options{Table: table.Options{MaxURLs: 100}, Envelope: envelope.Defaults(),
		Params: params.Options{MinSupport: 3, Similarity: evidence.Similarity{Tolerance: 0.01}}})
	for i := range 3 {
		for _, form := range []string{"/s?id=%d", "/s_%d"} {
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, form, i), Min: 1000 << i, Max: 1000 << i})
		}
	}
	return m
}

// listOf returns all rules of a machine as a list.
func listOf(m *miner.Machine, rules int) *List {
	l := &List{Reach: m.Reach(), Rules: rules}
	l.Rows = shown.Fold(m.Rules(), l.Reach.Pairs)
	for i := range l.Rows {
		l.Proposals = append(l.Proposals, Propose(l.Reach, l.Rows[i].Rule.Rule))
	}
	return l
}

func TestWrite(t *testing.T) {
	const rows = `

rank  support  rule
   1        3  /s?id=… is the same as /s_…
               /s?id=0
               /s_0
               merges 3 URLs
               proposed: keep the second, the shorter form
`
	for _, c := range []struct {
		site  string
		rules int
		apart bool
		want  string
	}{
		{"example.org", 1, false, "example.org: 1 likely rule of 6 URLs" + rows},
		{"", 1, true, "\nunnamed site: 1 likely rule of 6 URLs" + rows},
		{"example.org", 12, false, "example.org: 12 likely rules of 6 URLs" + rows},
	} {
		m := machine(c.site)
		var b bytes.Buffer
		if err := Write(&b, m, secret.Veil{}, listOf(m, c.rules), c.apart); err != nil || b.String() != c.want {
			t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, b.String(), c.want)
		}
	}
}

// The rules that a catch-all explains stand under its note, through the veil.
func TestExplained(t *testing.T) {
	caught := notes.Note{Kind: notes.CatchAll, URLs: 60, Of: 70, Contents: 2, Example: "/odd"}
	explained := []rule.Likely{{Rule: rule.Rule{Edit: rule.Substring{From: "/a?token=9f3c2b7d81e04a6f", To: "/b"}}}, {Rule: rule.Rule{Edit: rule.Substring{From: "c", To: "d"}}}}
	l := &List{Rules: 2, Notes: []notes.Note{caught, {Kind: notes.Headers, URLs: 50, Of: 60}}, Explained: explained}
	want := "example.org: 2 likely rules of 6 URLs\nNote: " + caught.String() + ".\n      explains 2 likely rules, such as: …/a?token=***… is the same as …/b…\nNote: 50 of 60 URLs have sizes with headers: equal pages seldom have equal sizes.\n"
	for _, explains := range []bool{true, false} {
		var b bytes.Buffer
		if !explains {
			l.Explained = nil
			want = strings.Replace(want, "      explains 2 likely rules, such as: …/a?token=***… is the same as …/b…\n", "", 1)
		}
		if err := Write(&b, machine("example.org"), secret.Veil{}, l, false); err != nil || b.String() != want {
			t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, b.String(), want)
		}
	}
}

// No hits propose the form for paper, and of two forms without a word the hits decide.
func TestProposeAvoidsWords(t *testing.T) {
	m := machine("example.org")
	for _, c := range []struct{ from, to, want string }{
		{"/print/", "/s?id=", "/s?id="}, {"/s?id=", "/print/", "/s?id="}, {"/s_", "/m/", "/s_"}, {"/s?id=", "/s_", "/s_"},
	} {
		p := Propose(m.Reach(), rule.Rule{Edit: rule.Substring{From: c.from, To: c.to}})
		if p.Rule.Sides().To != c.want || p.Why == "" || p.Turned != (c.want == c.from) {
			t.Errorf("%s and %s: into %s (%s), turned %v", c.from, c.to, p.Rule.Sides().To, p.Why, p.Turned)
		}
	}
}

func TestWriteBare(t *testing.T) {
	const seen = "6 URLs with 3 sizes. 6 have a size within 1 % of another's, but no rule has enough examples. " +
		"Parameters: id in 3 URLs (1 group of URLs that differ in it alone, 0 alike). These are few URLs: a rule needs at least three examples.\n"
	const want = "a.example: no rule found in 6 URLs\n" + seen + "unnamed site: no rule found in 6 URLs\n" + seen
	var b bytes.Buffer
	for _, site := range []*miner.Machine{machine("a.example"), machine("")} {
		if err := WriteBare(&b, site, site.Reach()); err != nil {
			t.Error(err)
		}
	}
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

var errFull = errors.New("full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	m := machine("")
	if err := Write(full{}, m, secret.Veil{}, listOf(m, 1), false); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
	if err := WriteBare(full{}, m, m.Reach()); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

func TestRule(t *testing.T) {
	pair := func(alpha, beta string, start, end bool) rule.Likely {
		return rule.Likely{Rule: rule.Rule{Edit: rule.Substring{From: alpha, To: beta, AtStart: start, AtEnd: end}}}
	}
	drop := func(s rule.Scope, comparable int) rule.Likely {
		return rule.Likely{Rule: rule.Rule{Edit: rule.Drop{Param: "sid"}, Scope: s}, Support: 1, Comparable: comparable}
	}
	for _, c := range []struct {
		rule rule.Likely
		want string
	}{
		{pair("/b", "/a", false, false), "…/b… is the same as …/a…"},
		{pair("/b", "/a", true, true), "/b is the same as /a"},
		{pair("?x=1", "", false, true), "ignore ?x=1 at the end of the URL"},
		{pair("index.html", "", false, false), "ignore index.html anywhere in the URL"},
		{pair("?id=", "_", false, false), "…?id=… is the same as …_…"},
		{pair("/", "", true, false), "ignore / at the beginning of the URL"},
		{pair("/", "", false, true), "ignore / at the end of the URL"},
		{pair("/", "", false, false), "ignore / anywhere in the URL"},
		{pair("a$", "^", false, false), "…a$… is the same as …^…"},
		{pair("^a", "$", true, true), "^a is the same as $"},
		{drop(rule.Scope{}, 1), "ignore the parameter sid (1 of 1 group alike)"},
		{drop(rule.Scope{HasPath: true, Path: "/f/"}, 2), "ignore the parameter sid where the path is /f/ (1 of 2 groups alike)"},
		{drop(rule.Scope{Where: rule.With("a")}, 2), "ignore the parameter sid where a is present (1 of 2 groups alike)"},
		{drop(rule.Scope{HasPath: true, Path: "/f/", Where: rule.Where("a", "b")}, 2), "ignore the parameter sid where the path is /f/ and a=b (1 of 2 groups alike)"},
	} {
		if got := Rule(&c.rule); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestReadable(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"/a%20b?x=%2F", "/a%20b?x=%2F"},
		{"/%E0%B8%81%E0%B8%82/x", "/กข/x"},
		{"/caf%C3%A9", "/caf%C3%A9"},
		{"/%D0%BC%D0%B8%D1%80%", "/мир%"},
		{"/%ff%fe%fd%fc%fb%fa%f9", "/%ff%fe%fd%fc%fb%fa%f9"},
		{"/%E2%80%AE%E2%80%AE/x", "/%E2%80%AE%E2%80%AE/x"}, // would turn the line around
		{"/%C2%9B%C2%9B%C2%9B31m", "/%C2%9B%C2%9B%C2%9B31m"},
		{"%E0%B8%81%E0%B8", "%E0%B8%81%E0%B8"},
		{"/%E0%B8%81%E0%B8%82.%E0%B8%81-", "/กข.%E0%B8%81-"},
	} {
		if got := Readable(c.url); got != c.want {
			t.Errorf("%q: %q, want %q", c.url, got, c.want)
		}
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		bytes int64
		want  string
	}{{0, "0 bytes"}, {1, "1 byte"}, {999, "999 bytes"}, {1000, "1 kB"}, {12345, "12.3 kB"}, {999_499, "999 kB"},
		{999_501, "1 MB"}, {7_250_000_000, "7.25 GB"}} {
		if got := Size(c.bytes); got != c.want {
			t.Errorf("%d: %s, want %s", c.bytes, got, c.want)
		}
	}
}

// Each reason of a pair has words.
func TestReason(t *testing.T) {
	n := 0
	for r := trial.Similar; r.String() != "unknown"; r++ {
		if reasons[r.String()] == "" {
			t.Errorf("%s has no words", r)
		}
		n++
	}
	if n < 20 {
		t.Errorf("only %d reasons", n)
	}
	if got := Reason("of_later_days"); got != "of later days" {
		t.Errorf("an unknown reason is %q", got)
	}
}

// The line of an undecided rule ends with the reason.
func TestReasonsOfVerdicts(t *testing.T) {
	entries := []book.Entry{
		{Rule: rule.Rule{Edit: rule.Substring{From: "/pt/", To: "/ru/"}}, State: rule.Refuted},
		{Rule: rule.Rule{Edit: rule.Substring{From: "/pt/", To: "/ru/"}}, State: rule.Undecided, Verdict: rule.Verdict{Reason: "unsteady"}},
	}
	var b strings.Builder
	if err := Verdicts(&b, len(entries), func(i int) (string, *book.Entry) { return "", &entries[i] }); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")[2:]
	for i, want := range []string{"", " (unsteady)"} {
		if got, ends := strings.CutSuffix(lines[i], "write …/pt/… as …/ru/…"+want); !ends {
			t.Errorf("%q does not end with the rule and %q", got, want)
		}
	}
}

// The rows that are shown first find the most duplicates that no other finds, until nearly all are found.
func TestFirst(t *testing.T) {
	saving := func(news ...int) (all []miner.Saving) {
		for _, n := range news {
			all = append(all, miner.Saving{URLs: n, New: n})
		}
		return all
	}
	for _, c := range []struct {
		name    string
		savings []miner.Saving
		all     int
		want    string
	}{
		{"one is enough", saving(2, 90, 8), 100, "[1] 0.9"},
		{"the most first", saving(20, 30, 50), 100, "[2 1 0] 1"},
		{"at most five", saving(10, 10, 10, 10, 10, 10), 60, "[0 1 2 3 4] 0.8333333333333334"},
		{"none that finds nothing", saving(0, 5, 0), 10, "[1] 0.5"},
		{"but some if all find nothing", saving(0, 0), 0, "[0 1] 0"},
		{"no rows", nil, 0, "[] 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, share := First(c.savings, c.all)
			if got := fmt.Sprint(first, " ", share); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// The short list says how much its rules explain, and what speaks against each.
func TestWriteShort(t *testing.T) {
	m := machine("example.org")
	l := listOf(m, 1)
	long := rule.Likely{Rule: rule.Rule{Edit: rule.Substring{From: "/" + strings.Repeat("long", 20), To: "/", AtStart: true}}, Weighed: true, Weight: 9, Own: 1, Pairs: 3, Alike: 2}
	l.Rows = append(l.Rows, shown.Row{Rule: long, Unasked: shown.FewVisitors})
	l.Proposals = append(l.Proposals, Proposal{Rule: long.Rule})
	l.Notes = []notes.Note{{Kind: notes.Headers, URLs: 5, Of: 6}}
	savings := []miner.Saving{{URLs: 3, Bytes: 7000, New: 3}, {URLs: 2}}
	for _, c := range []struct {
		name  string
		first []int
		share float64
		all   bool
		named bool
		want  string
	}{
		{"one of two", []int{0}, 1, false, false, "One rule explains nearly all of it:\n  1  /s?id=… shows the same page as /s_…  merges 3 URLs, 7 kB\n"},
		{"a part", []int{0}, .055, false, true, "example.org: one rule explains 5.5 % of it:\n  1  /s?id=… shows the same page as /s_…  merges 3 URLs, 7 kB\n"},
		{"all", []int{0, 1}, 0, true, true, "example.org: two rules, best first:\n  1  /s?id=… shows the same page as /s_…  merges 3 URLs, 7 kB\n" +
			"  2  /" + strings.Repeat("long", 20) + "… shows the same page as /…\n     merges 2 URLs; 2 of 3 page sizes match\n" +
			"     cannot be tested: few visitors ask for these URLs\n     other URLs in this place look equally similar, so this may be a coincidence\n"},
		{"none", nil, 0, false, false, "No rule is shown of 1 likely rule\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			err := WriteShort(&b, m, secret.Veil{}, &Short{List: l, Savings: savings, First: c.first, Share: c.share, All: c.all}, c.named)
			if want := c.want + "Note: 5 of 6 URLs have sizes with headers: equal pages seldom have equal sizes.\n"; err != nil || b.String() != want {
				t.Errorf("%v\ngot:\n%s\nwant:\n%s", err, b.String(), want)
			}
		})
	}
}

// The end of validate names each outcome, and how many pages confirmed or refuted a rule.
func TestOutcome(t *testing.T) {
	entry := func(param string, state rule.State, step rule.Step, positives, negatives int, reason string) *book.Entry {
		return &book.Entry{Rule: rule.Rule{Edit: rule.Drop{Param: param}}, State: state, Verdict: rule.Verdict{Samples: positives + negatives, Positives: positives, Negatives: negatives, Reason: reason, Step: step}}
	}
	o := Outcome{Site: "example.org", Saving: func(*rule.Rule) miner.Saving { return miner.Saving{URLs: 40, Bytes: 2000} }, Left: func(*book.Entry) int { return 120 }, More: "--explain shows all",
		Entries: []*book.Entry{entry("sid", rule.Valid, "", 80, 0, "trial"), entry("ref", rule.Valid, rule.Provisional, 20, 0, "trial"), entry("page", rule.Refuted, "", 1, 4, "trial"), entry("q", rule.Undecided, "", 2, 0, "control")}}
	for i := range mostTold + 1 {
		o.Entries = append(o.Entries, entry(fmt.Sprint("p", i), rule.Refuted, "", 0, 1, "trial"))
	}
	var b bytes.Buffer
	want := `example.org
Confirmed: 1 rule
  1  ignore the parameter sid  merges 40 URLs, 2 kB; confirmed by 80 pages
Confirmed by a first test: 1 rule (about 120 more requests would complete it)
  1  ignore the parameter ref  merges 40 URLs, 2 kB; confirmed by 20 pages
Not confirmed: 12 rules that would merge different pages
  1  ignore the parameter page  4 pages of 5 differ
`
	if err := o.Write(&b, true); err != nil || !strings.HasPrefix(b.String(), want) || !strings.HasSuffix(b.String(), "     and 2 more: --explain shows all\nNo clear result: 1 rule\n  1  ignore the parameter q    unrelated pages look equally similar\n") {
		t.Errorf("%v\n%s\nwant\n%s", err, &b, want)
	}
}
