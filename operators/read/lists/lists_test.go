package lists_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/read/lists"
)

func readFile(t *testing.T, name string) *lists.List {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	l := &lists.List{}
	if err := l.Read(text); err != nil {
		t.Fatal(err)
	}
	return l
}

// asked is a parameter of a URL on a site, and whether a list has it.
type asked struct {
	site, text string
	want       bool
}

func verify(t *testing.T, l *lists.List, all []asked) {
	t.Helper()
	for _, a := range all {
		name, _, _ := strings.Cut(a.text, "=")
		if got := l.On(a.site).Has(name, a.text); got != a.want {
			t.Errorf("on %q the list has %q: %t, want %t", a.site, a.text, got, a.want)
		}
	}
}

func verifySkips(t *testing.T, l *lists.List, want []string) {
	t.Helper()
	var got []string
	for _, s := range l.Skips {
		got = append(got, s.String())
	}
	if !slices.Equal(got, want) || l.Skipped != len(want) {
		t.Errorf("%d skips: %q, want %q", l.Skipped, got, want)
	}
}

func TestClearURLs(t *testing.T) {
	l := readFile(t, "clearurls.json")
	verify(t, l, []asked{
		{"", "utm_source=x", true},
		{"www.example.org", "UTM_Source=x", true},
		{"www.example.org", "utm", true},
		{"www.example.org", "my_utm_source=x", false},
		{"www.example.org", "ClickID=7", true},
		{"www.example.org", "partner=7", true},
		{"www.example.org", "crid=7", false},
		{"", "crid=7", false},
		{"www.shop.example", "crid=7", true},
		{"shop.co.example", "pf_rd_p=7", true},
		{"shop.co.example", "utm_id=7", true},
		{"pay.shop.example", "crid=7", false},
		{"pay.shop.example", "clickid=7", true},
	})
	verifySkips(t, l, []string{"line 9: the pattern \"^(?i:no(?=where))$\" cannot be read: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"})
}

func TestFilterLines(t *testing.T) {
	l := readFile(t, "filter.txt")
	verify(t, l, []asked{
		{"", "mc_eid=1", true},
		{"", "MC_EID=1", false}, // as in AdGuard
		{"", "hsa_cam=1", true},
		{"", "hsa_cam", false}, // the pattern wants a value
		{"", "hsa_9=1", false},
		{"", "_GA=1", true},
		{"example.org", "ref=1", true},
		{"www.example.org", "ref=1", true},
		{"notexample.org", "ref=1", false},
		{"", "ref=1", false},
		{"a.example", "tag=1", true},
		{"b.example", "tag=1", false},
		{"pay.a.example", "tag=1", false},
		{"www.shop.example", "src=1", true},
		{"shop.co.example", "src=1", true},
		{"workshop.example", "src=1", false},
		{"example.org", "id=1", false},
		{"example.org", "step=1", false},
		{"example.org", "gone=1", false},
	})
	verifySkips(t, l, []string{
		"line 9: an exception (@@) removes nothing",
		`line 10: "||example.org/cart" means some pages only`,
		"line 11: it means all parameters",
		"line 12: it means all parameters but some",
		`line 13: "||ads.example^" is neither the name of a parameter nor a line with $removeparam`,
		"line 14: the pattern \"^(?=x)\" cannot be read: error parsing regexp: invalid or unsupported Perl syntax: `(?=`",
		`line 15: the pattern has flags "g"`,
		"line 16: badfilter is not supported",
	})
}

func TestNames(t *testing.T) {
	l := &lists.List{}
	if err := l.Read([]byte("\ufeff# mine\r\nfbclid\r\n\r\n! more\r\nUTM_*\r\na b\r\n?x\r\na*b\r\nsid[]\r\n" + strings.Repeat("x", 2000))); err != nil {
		t.Fatal(err)
	}
	verify(t, l, []asked{{"", "FbClid=1", true}, {"", "utm_x=1", true}, {"", "xutm_x=1", false}, {"a.example", "sid[]=1", true}, {"", "a=1", false}, {"", "mine=1", false}})
	if l.Skipped != 4 || l.Skips[0].Line != 6 || l.Skips[3].Line != 10 || len(l.Skips[3].Why) > 200 {
		t.Errorf("%d skips: %v", l.Skipped, l.Skips)
	}
}

// Several lists add up, and skips are those of the last.
func TestSeveralLists(t *testing.T) {
	l := readFile(t, "filter.txt")
	if err := l.Read([]byte("own")); err != nil || l.Skipped != 0 || l.Entries() != 7 {
		t.Fatalf("%v, %d skips", err, l.Skipped)
	}
	verify(t, l, []asked{{"", "own=1", true}, {"", "mc_eid=1", true}})
	if names := l.On("a.example"); !names.NeedsValues() || !names.HasName("tag") || l.On("").HasName("tag") {
		t.Error("the lists do not add up")
	}
}

func TestRefused(t *testing.T) {
	many := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, text, want string }{
		{"other JSON", `{"rules": ["a"]}`, "not as that of ClearURLs"},
		{"a list of providers", "{\n\"providers\": []}", "line 2: the list is JSON, but not"},
		{"a rule that is no text", "{\"providers\": {\"a\": {\"rules\": [\n7]}}}", "line 2: the list is JSON, but not"},
		{"a pattern that is no text", `{"providers": {"a": {"urlPattern": {}}}}`, "line 1: the list is JSON, but not"},
		{"half a list", "{\"providers\": {\n\"a\": {\"rules\": [\"b\"", "line 2: "},
		{"deep", `{"providers": {"a": {"x": ` + strings.Repeat("[", 20_000), "line 1: "},
		{"many names", many("n%d\n", 100_001), lists.ErrTooLarge.Error()},
		{"many bytes", strings.Repeat("\n", lists.MostBytes+1), lists.ErrTooLarge.Error()},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := new(lists.List).Read([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// Patterns beyond the bounds are skipped, and the others count.
func TestPatternBounds(t *testing.T) {
	for _, c := range []struct {
		name, line string
		n, want    int // lines, and skips
	}{
		{"many patterns", "$removeparam=/^a=/\n", 2100, 100},
		{"large patterns", "$removeparam=/^" + strings.Repeat(".{900}", 3) + "=/\n", 200, 200 - (1<<18)/2705},
		{"a long pattern", "$removeparam=/" + strings.Repeat("a", 1100) + "/\n", 3, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := &lists.List{}
			if err := l.Read([]byte(strings.Repeat(c.line, c.n) + "last")); err != nil {
				t.Fatal(err)
			}
			if l.Skipped < c.want*9/10 || l.Skipped > c.want*11/10 || !l.On("").HasName("last") {
				t.Errorf("%d skips, want about %d", l.Skipped, c.want)
			}
		})
	}
	l := &lists.List{}
	if err := l.Read([]byte(strings.Repeat("a b\n", 5000))); err != nil || l.Skipped != 5000 || len(l.Skips) != 1000 {
		t.Errorf("%v, %d skips of which %d are told", err, l.Skipped, len(l.Skips))
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"clearurls.json", "filter.txt"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("a\nutm_*\n$removeparam=/a,b/,domain=x|~y\n$removeparam=a\\,b")
	f.Fuzz(func(t *testing.T, text string) {
		l := &lists.List{}
		if err := l.Read([]byte(text)); err != nil && !errors.Is(err, lists.ErrTooLarge) && text[0] != '{' && !strings.Contains(err.Error(), "line") && !strings.Contains(err.Error(), "ClearURLs") {
			t.Error(err)
		}
		if len(l.Skips) > l.Skipped {
			t.Errorf("%d skips of %d", len(l.Skips), l.Skipped)
		}
		l.On("a.example").Has("a", "a=b")
	})
}
