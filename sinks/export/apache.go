package export

import (
	"bufio"
	"fmt"

	"dustbuster/operators/rule/dust"
)

// writeApache writes steps of mod_rewrite. The steps pass the URL on in the variable DUST.
// Requests for other hosts skip a site's steps.
func writeApache(b *bufio.Writer, d *document) {
	comment(b, d.head(apacheNotes(d.Redirect)...)...)
	fmt.Fprint(b, "RewriteEngine On\n")
	for i := range d.sites {
		comment(b, d.sites[i].title())
		writeApacheSite(b, &d.sites[i])
	}
	condition(b, "%{ENV:DUST}", `^/`)
	condition(b, "%{ENV:DUST_URI} %{ENV:DUST}", `!^([^ ]*) \1$`)
	condition(b, "%{ENV:DUST_URI} %{ENV:DUST}", `!^/(?!/)[^ ]* //`) // a path with // could be read as a host
	fmt.Fprint(b, "RewriteRule ^ - [E=DUST_CANONICAL:%{ENV:DUST}]\n")
	if d.Redirect {
		writeApacheRedirect(b, ">= 2.4.60", ",UnsafeAllow3F")
		writeApacheRedirect(b, "< 2.4.60", "")
	} else {
		fmt.Fprintf(b, "Header always set %s \"%%{DUST_CANONICAL}e\" env=DUST_CANONICAL\n", reportHeader)
	}
}

// writeApacheRedirect writes the redirect for some versions. Since 2.4.60 a question mark
// taken from a request needs a flag unknown to earlier versions.
func writeApacheRedirect(b *bufio.Writer, versions, flag string) {
	fmt.Fprintf(b, "<IfVersion %s>\n", versions)
	condition(b, "%{ENV:DUST_CANONICAL}", `[^\x3F]$`)
	fmt.Fprintf(b, "RewriteRule ^ \"%%{REQUEST_SCHEME}://%%{HTTP_HOST}%%{ENV:DUST_CANONICAL}\" [R=301,NE,QSD,L%s]\n</IfVersion>\n", flag)
}

func apacheNotes(redirect bool) []string {
	const include = "Include this in the server, or in each virtual host that it is meant for. It needs mod_rewrite."
	if redirect {
		return serverNotes(include,
			"Each URL that is not its own canonical form is redirected to it, but not to",
			"one that ends with ?, which Apache cannot answer. (If it answers 403 to others with ?,",
			"its version has been patched: give the second rule the flag UnsafeAllow3F too.)")
	}
	return serverNotes(include,
		"And mod_headers: each URL that is not its own canonical form is answered with it in a header.")
}

func writeApacheSite(b *bufio.Writer, s *site) {
	var steps []edit
	for _, e := range s.expressions(serverHead) {
		steps = append(steps, e.orGiveUp()...)
	}
	if s.Host != "" {
		fmt.Fprintf(b, "RewriteCond %%{HTTP_HOST} \"!%s\" [NC]\nRewriteRule ^ - [S=%d]\n", hostPattern(s.Site), len(steps)+1)
	}
	condition(b, "%{THE_REQUEST}", `^[A-Z]+ (?:https?\x3A//[^/\x3F# ]*)?`+target+`(?:#[^ ]*)? HTTP/`)
	fmt.Fprint(b, "RewriteRule ^ - [E=DUST:%1,E=DUST_URI:%1]\n")
	for _, step := range steps {
		condition(b, "%{ENV:DUST}", step.pattern)
		if step.to == nil {
			fmt.Fprint(b, "RewriteRule ^ - [E=DUST:]\n")
			continue
		}
		condition(b, render(step.to, "%%%d", apacheText), `^(.*)$`)
		fmt.Fprint(b, "RewriteRule ^ - [E=DUST:%1]\n")
	}
}

func condition(b *bufio.Writer, test, pattern string) {
	fmt.Fprintf(b, "RewriteCond \"%s\" \"%s\"\n", test, pattern)
}

// apacheText writes a text into the string tested by a condition. A flag could not hold the
// text: a comma would end the flag.
func apacheText(s string) string {
	return backslashed(s, func(c byte) bool { return !dust.IsAlnum(c) })
}
