package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// refuseParams is shared by the formats limited to the parameters of one host.
func refuseParams(s *Site, also func(*rule.Rule) string) func(*rule.Rule) string {
	if len(s.Hosts) > 0 {
		return always("the site has several hosts")
	}
	return func(r *rule.Rule) string {
		switch {
		case r.Kind() != rule.KindDrop:
			return "it can only drop parameters"
		case r.Except != rule.Except{}:
			return "it cannot leave out the rule's exceptions"
		case r.Params().InPath:
			return "it cannot drop a parameter of a path segment"
		case r.Params().Pattern.Class != 0:
			return "it cannot name parameters by a pattern"
		case r.Params().HasValue:
			return "it cannot ask for the parameter's value"
		case r.Scope.Where[0].Param != "":
			return "it cannot ask for another parameter"
		case r.Scope.IsWild():
			return "it has no sign for one segment of a path"
		}
		return also(r)
	}
}

const reasonDecoded = "a name with bytes that may be percent-encoded is compared decoded"

// isPlain reports whether a rule's names have only bytes that are never percent-encoded, so
// comparing the decoded name is the same as comparing its bytes.
func isPlain(r *rule.Rule) bool {
	return consistsOf(strings.Join(names(r), ""), alphanumeric+"-._~")
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// consistsOf reports whether a text has only some characters.
func consistsOf(s, characters string) bool { return strings.Trim(s, characters) == "" }

func isScoped(r *rule.Rule) bool { return r.Scope.HasPath || r.Scope.Prefix != "" }

// group is the parameters dropped under one condition, in the order of their rules.
type group struct {
	key    string
	params []string
}

func names(r *rule.Rule) []string {
	d := r.Params()
	return slices.Collect(d.Names())
}

// groupBy returns the groups in the order of their first rules.
func groupBy(rules []rule.Rule, key func(*rule.Rule) string) []group {
	var groups []group
	for i := range rules {
		r := &rules[i]
		at := slices.IndexFunc(groups, func(g group) bool { return g.key == key(r) })
		if at < 0 {
			at = len(groups)
			groups = append(groups, group{key: key(r)})
		}
		for _, name := range names(r) {
			if g := &groups[at]; !slices.Contains(g.params, name) {
				g.params = append(g.params, name)
			}
		}
	}
	return groups
}

const cleanParamLine = 500 // bytes of a line read by Yandex

func refuseCleanParam(s *Site) func(*rule.Rule) string {
	return refuseParams(s, func(r *rule.Rule) string {
		switch {
		case !isPlain(r):
			return reasonDecoded
		case r.Scope.HasPath:
			return "a path stands for all that begin with it"
		case !consistsOf(r.Scope.Prefix, alphanumeric+".-/_"):
			return "a prefix has only letters, digits and . - / _"
		case len(cleanParam(r.Scope.Prefix, strings.Join(names(r), "&"))) > cleanParamLine:
			return fmt.Sprintf("its line is longer than %d bytes", cleanParamLine)
		}
		return ""
	})
}

// writeCleanParam writes the robots.txt lines for Yandex.
func writeCleanParam(b *bufio.Writer, d *document) {
	comment(b, d.head("Put these lines into the site's robots.txt.")...)
	for i := range d.sites {
		comment(b, d.sites[i].titles()...)
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
	return strings.TrimSuffix("Clean-param: "+names+" "+prefix, " ")
}

func refuseNoVary(s *Site) func(*rule.Rule) string {
	return refuseParams(s, func(r *rule.Rule) string {
		switch {
		case !isPlain(r):
			return reasonDecoded
		case isScoped(r):
			return "the header is for all answers of the site"
		}
		return ""
	})
}

// refuseAlgolia refuses what is refused of the header, and names of a sign with a meaning: * stands for any text.
func refuseAlgolia(s *Site) func(*rule.Rule) string {
	return refuseParams(s, func(r *rule.Rule) string {
		switch {
		case !isPlain(r):
			return reasonDecoded
		case isScoped(r):
			return "ignoreQueryParams is for all pages of the crawler"
		}
		return ""
	})
}

// writeAlgolia writes a member of a crawler's configuration. How it is read is known by its documentation alone.
func writeAlgolia(b *bufio.Writer, d *document) {
	names := []string{}
	for i := range d.sites {
		for _, g := range groupBy(d.sites[i].rules, func(*rule.Rule) string { return "" }) {
			names = append(names, g.params...)
		}
	}
	writeJSON(b, map[string][]string{"ignoreQueryParams": names})
}

// writeNoVary writes the header's line, or nothing without rules: a header has no comments. A cache
// compares the other parameters decoded, and takes %73id for sid, as the page behind it does; rules
// know the bytes only.
func writeNoVary(b *bufio.Writer, d *document) {
	for i := range d.sites {
		for _, g := range groupBy(d.sites[i].rules, func(*rule.Rule) string { return "" }) {
			fmt.Fprintf(b, "No-Vary-Search: params=(\"%s\")\n", strings.Join(g.params, `" "`))
		}
	}
}
