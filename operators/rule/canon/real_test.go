package canon

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// must ends a test at an error.
var must = expect.NoError

// The rules that two batch programs mined from real logs, shrinking and growing, and the
// URLs of one of these logs. DUSTBUSTER_DATA names the folder with both.

func dataFolder(t testing.TB) string {
	data := os.Getenv("DUSTBUSTER_DATA")
	if data == "" {
		t.Skip("SKIPPED: set DUSTBUSTER_DATA to the data folder to try real rules on real URLs")
	}
	return data
}

// logURLs returns the different targets of a log that are valid mined strings.
func logURLs(t testing.TB, file string) (urls [][]byte) {
	f, err := os.Open(file)
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	seen := map[string]bool{}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 6 && strings.HasPrefix(fields[6], "/") && !seen[fields[6]] {
			seen[fields[6]] = true
			end, _, ok := urlnorm.Measure(fields[6])
			if !ok {
				t.Fatalf("%q is no mined string", fields[6])
			}
			urls = append(urls, urlnorm.Append(nil, fields[6][:end]))
		}
	}
	return urls
}

// minedRules returns the rules of one list in one direction, in the list's order: the
// parameters first, then the pairs.
func minedRules(t testing.TB, list string, growing bool) (rules []rule.Rule) {
	for _, kind := range []string{".params.jsonl", ".rules.jsonl"} {
		text, err := os.ReadFile(list + kind)
		must(t, err)
		for line := range strings.Lines(string(text)) {
			rules = append(rules, minedRule(t, line, growing))
		}
	}
	return rules
}

func minedRule(t testing.TB, line string, growing bool) rule.Rule {
	var o struct {
		Alpha, Beta string
		AtStart     bool `json:"at_start"`
		AtEnd       bool `json:"at_end"`
		Param       string
		Scope       struct{ Path, Param, Value *string }
	}
	must(t, json.Unmarshal([]byte(line), &o))
	if growing {
		o.Alpha, o.Beta = o.Beta, o.Alpha
	}
	if o.Param == "" {
		return rule.Rule{Edit: rule.Substring{From: o.Alpha, To: o.Beta, AtStart: o.AtStart, AtEnd: o.AtEnd}}
	}
	r := rule.Rule{Edit: rule.Drop{Param: o.Param}}
	r.Scope.Path, r.Scope.HasPath = optional(o.Scope.Path)
	r.Scope.Where = where(o.Scope.Param, o.Scope.Value)
	return r
}

func where(param, value *string) (c [2]rule.Condition) {
	c[0].Param, _ = optional(param)
	c[0].Value, c[0].HasValue = optional(value)
	return c
}

func optional(s *string) (string, bool) {
	if s == nil {
		return "", false
	}
	return *s, true
}

// safe removes rules until every URL settles.
func safe(t testing.TB, rules []rule.Rule, urls [][]byte) (*Canonizer, []rule.Rule) {
	for {
		c := compile(t, rules)
		_, rank := c.Unsafe(slices.Values(urls))
		if rank < 0 {
			return c, rules
		}
		rules = slices.Delete(slices.Clone(rules), rank, rank+1)
	}
}

func TestRealRules(t *testing.T) {
	data := dataFolder(t)
	urls := logURLs(t, filepath.Join(data, "sites/docs/access.log.gz"))
	for _, name := range []string{"docs", "gitweb", "nspw"} {
		for _, growing := range []bool{false, true} {
			all := minedRules(t, filepath.Join(data, "expected/default", name), growing)
			c, rules := safe(t, all, urls)
			var dst []byte
			changed := 0
			for i := 0; i < len(urls); i += 29 {
				same(t, c, rules, string(urls[i]), dst)
				if out, end := c.Canon(dst, urls[i]); end.Changed() {
					dst = out
					changed++
				}
			}
			t.Logf("%s, growing %v: %d rules of %d are safe over %d URLs; %d of %d changed", name, growing, len(rules), len(all), len(urls), changed, len(urls)/29+1)
		}
	}
}

// BenchmarkReal canonizes all URLs of a real log with the safe rules of the log.
func BenchmarkReal(b *testing.B) {
	data := dataFolder(b)
	for _, name := range []string{"docs", "gitweb"} {
		urls := logURLs(b, filepath.Join(data, "sites", name, "access.log.gz"))
		c, rules := safe(b, minedRules(b, filepath.Join(data, "expected/default", name), false), urls)
		b.Run(name, func(b *testing.B) {
			benchCanon(b, c, urls)
			b.ReportMetric(float64(len(rules)), "rules")
		})
	}
}
