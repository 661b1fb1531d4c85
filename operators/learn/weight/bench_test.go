package weight

import (
	"fmt"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/search"
	"dustbuster/operators/window/urllist"
)

// BenchmarkWeigh weighs the likely pairs of generated sites, the redundant ones too, at most
// 5,000, and the drops of some parameters.
func BenchmarkWeigh(b *testing.B) {
	for _, n := range []int{20_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			pages, urls := oracle.Site(1, n), urllist.New()
			index := envelope.New(envelope.Defaults(), urls)
			for i := range pages {
				id, _ := urls.Intern([]byte(pages[i].URL))
				urls.SetEvidence(id, pages[i].Evidence)
				index.Enter(id)
			}
			var rules []rule.Likely
			for _, p := range index.Likely() {
				if len(rules) < 5000 {
					rules = append(rules, rule.Likely{Rule: rule.Rule{Edit: rule.Substring{From: p.Alpha, To: p.Beta, AtStart: p.AtStart, AtEnd: p.AtEnd}}})
				}
			}
			for _, n := range []string{"C", "O", "h", "oldid", "commentlimit"} {
				rules = append(rules, rule.Likely{Rule: rule.Rule{Edit: rule.Drop{Param: n}}})
			}
			url := func(n int) string { return pages[n].URL }
			texts, numbers := search.New(n, url), search.NewNumbers(n, url)
			for b.Loop() {
				New(pages, texts, numbers, Options{Similarity: envelope.Defaults().Similarity}).Weigh(worlds.Never, rules)
			}
			b.ReportMetric(float64(len(rules)), "rules")
		})
	}
}
