package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// nginx evaluates at most 100 variables inside each other. So after each chain of
// nginxChain maps, the result is requested by name before the next maps.
const nginxChain = 80

// nginxLongest is the greatest number of bytes of an expression or a result in a file: nginx reads at most
// 4,096 bytes between two quotes.
const nginxLongest = 4000

func refuseNginx(s *Site) func(*rule.Rule) string {
	server := refuseServer(s)
	return func(r *rule.Rule) string {
		if reason := server(r); reason != "" {
			return reason
		}
		e, _ := express("", r)
		longest := len(inServer(e.left))
		for _, edit := range e.step {
			longest = max(longest, len(nginxNamed(inServer(edit.pattern))), len(nginxResult(edit.to)))
		}
		if longest > nginxLongest {
			return fmt.Sprintf("its expression has %d bytes, and nginx reads at most %d", longest, nginxLongest)
		}
		return ""
	}
}

// writeNginx writes a chain of maps for each site, and one map from hosts to the chains'
// ends. nginx evaluates a map's variable on use, so a request only costs the rules of its
// own site.
func writeNginx(b *bufio.Writer, d *document) {
	d.serverHead(b, "Include this in http {}; each URL that is not its own canonical form",
		"is redirected by this line, in each server {} that it is meant for:\n"+
			"\tif ($dust_canonical) { return 301 $scheme://$http_host$dust_canonical; }",
		"is answered with that form in the header Link. A server or location that has\n"+
			"add_header lines of its own needs this one as well.")
	if slices.ContainsFunc(d.sites, func(s site) bool { return slices.ContainsFunc(s.expressions(""), makesDollar) }) {
		fmt.Fprint(b, "geo $dust_dollar { default \"$\"; }\n")
	}
	for i := range d.sites {
		comment(b, d.sites[i].titles()...)
		writeNginxSite(b, &d.sites[i], i)
	}
	fmt.Fprint(b, "map \"$request_method $http_host\" $dust_canonical {\n\tdefault \"\";\n")
	for i := range d.sites {
		host := "."
		if d.sites[i].Host != "" {
			host = hostPattern(d.sites[i].Site)[1:]
		}
		key := `"~*^` + safeMethods + " " + host + `"`
		fmt.Fprintf(b, "\t%s $dust_%d;\n", key, i)
	}
	fmt.Fprint(b, "}\n")
	if !d.Redirect {
		fmt.Fprintf(b, "map $dust_canonical $dust_link {\n\tdefault \"%s\";\n\t\"\" \"\";\n\t\"~^//\" \"\";\n}\n", linkOf("$dust_canonical", `\"`))
		fmt.Fprint(b, "add_header Link $dust_link always;\n")
	}
}

// makesDollar reports whether a rule writes a dollar.
func makesDollar(e expressions) bool {
	return slices.ContainsFunc(e.step, func(e edit) bool { return strings.Contains(nginxResult(e.to), nginxDollar) })
}

// writeNginxSite writes the maps $dust_i_0 to $dust_i_n, one a step. $dust_i is the last of them if
// it differs from the first, and cannot be read as a host (//host/) unless that could. Where steps
// leave something to edit, the map behind them gives up.
func writeNginxSite(b *bufio.Writer, s *site, i int) {
	fmt.Fprintf(b, "map $request_uri $dust_%d_0 { default \"\"; \"~^%s(?:#|$)\" $dust_a; }\n", i, nginxNamed(shortTarget))
	links, n := "", 0
	var givesUp []string
	next := func(step []edit) {
		fmt.Fprintf(b, "map $dust_%d_%d $dust_%d_%d {\n\tdefault $dust_%d_%d;\n", i, n, i, n+1, i, n)
		for _, pattern := range givesUp {
			fmt.Fprintf(b, "\t\"~%s\" \"\";\n", inServer(pattern))
		}
		for _, e := range step {
			fmt.Fprintf(b, "\t\"~%s\" \"%s\";\n", nginxNamed(inServer(e.pattern)), nginxResult(e.to))
		}
		fmt.Fprint(b, "}\n")
		if n++; n%nginxChain == 0 {
			links += fmt.Sprintf("$dust_%d_%d ", i, n)
		}
		givesUp = nil
	}
	for _, e := range s.expressions("") {
		for _, step := range e.all() {
			next(step)
		}
		givesUp = e.givesUp()
	}
	if givesUp != nil {
		next(nil)
	}
	fmt.Fprintf(b, "map \"%s$dust_%d_0 $dust_%d_%d\" $dust_%d {\n\tdefault $dust_%d_%d;\n", links, i, i, n, i, i, n)
	fmt.Fprint(b, "\t\"~(?:^| )(?<dust_a>[^ ]*) \\k<dust_a>$\" \"\";\n\t\"~(?:^| )/(?!/)[^ ]* //[^ ]*$\" \"\";\n\t\"~ (?!/)[^ ]*$\" \"\";\n}\n")
}

// nginxNamed names the groups of an expression: nginx keeps numbered groups for one expression
// only.
func nginxNamed(pattern string) string {
	var b strings.Builder
	group := 0
	for i := range len(pattern) {
		b.WriteByte(pattern[i])
		if pattern[i] == '(' && pattern[i+1] != '?' {
			group++
			fmt.Fprintf(&b, "?<%s>", nameGroup(group))
		}
	}
	return b.String()
}

// nginxResult writes a replacement between double quotes. A dollar can only be had from a variable.
func nginxResult(to []part) string {
	var b strings.Builder
	for i, p := range to {
		switch {
		case p.group == 0:
			text := backslashed(p.text, func(c byte) bool { return c == '"' || c == '\\' })
			b.WriteString(strings.ReplaceAll(text, "$", nginxDollar))
		case i+1 < len(to) && to[i+1].group == 0: // the text could go on the name
			b.WriteString("${" + nameGroup(p.group) + "}")
		default:
			b.WriteString("$" + nameGroup(p.group))
		}
	}
	return b.String()
}

const nginxDollar = "${dust_dollar}"
