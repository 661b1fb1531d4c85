package export

import (
	"bufio"
	"fmt"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

const cleanParamLine = 500 // bytes of a line read by Yandex

func refuseCleanParam(s *Site) func(*rule.Rule) string {
	return refuseParams(s, func(r *rule.Rule) string {
		switch {
		case !isPlain(r.Param) || !isPlain(r.Other):
			return reasonDecoded
		case r.Scope.HasPath:
			return "a path stands for all that begin with it"
		case !consistsOf(r.Scope.Prefix, inCleanPath):
			return "a prefix has only letters, digits and . - / _"
		case len(cleanParam(r.Scope.Prefix, strings.Join(names(r), "&"))) > cleanParamLine:
			return fmt.Sprintf("its line is longer than %d bytes", cleanParamLine)
		}
		return ""
	})
}

func inCleanPath(c byte) bool {
	return dust.IsAlnum(c) || c == '.' || c == '-' || c == '/' || c == '_'
}

// writeCleanParam writes the robots.txt lines for Yandex.
func writeCleanParam(b *bufio.Writer, d *document) {
	comment(b, d.head("Put these lines into the site's robots.txt."))
	for i := range d.sites {
		comment(b, []string{d.sites[i].title()})
		for _, g := range groupBy(d.sites[i].rules, func(r *rule.Rule) string { return r.Scope.Prefix }) {
			writeCleanGroup(b, g)
		}
	}
}

// writeCleanGroup writes as many lines as needed.
func writeCleanGroup(b *bufio.Writer, g group) {
	names := g.params[0]
	for _, n := range g.params[1:] {
		if more := names + "&" + n; len(cleanParam(g.key, more)) <= cleanParamLine {
			names = more
			continue
		}
		fmt.Fprintln(b, cleanParam(g.key, names))
		names = n
	}
	fmt.Fprintln(b, cleanParam(g.key, names))
}

func cleanParam(prefix, names string) string {
	if prefix == "" {
		return "Clean-param: " + names
	}
	return "Clean-param: " + names + " " + prefix
}
