package export

import (
	"bufio"
	"fmt"
	"strings"

	"dustbuster/operators/rule"
)

func refuseNoVary(s *Site) func(*rule.Rule) string {
	return refuseParams(s, func(r *rule.Rule) string {
		switch {
		case !isPlain(r.Param) || !isPlain(r.Other):
			return reasonDecoded
		case isScoped(r):
			return "the header is for all answers of the site"
		}
		return ""
	})
}

// writeNoVary writes the header's line, or nothing without rules: a header has no comments.
// A cache compares the other parameters decoded, and takes %73id for sid, as the page
// behind the cache does; rules know the bytes only.
func writeNoVary(b *bufio.Writer, d *document) {
	for i := range d.sites {
		for _, g := range groupBy(d.sites[i].rules, func(*rule.Rule) string { return "" }) {
			fmt.Fprintf(b, "No-Vary-Search: params=(\"%s\")\n", strings.Join(g.params, `" "`))
		}
	}
}
