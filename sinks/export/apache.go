package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"dustbuster/operators/rule/dust"
)

// writeApache writes steps of mod_rewrite. The steps pass the URL on in the variable DUST.
// Requests for other hosts skip a site's steps.
func writeApache(b *bufio.Writer, d *document) {
	writeRewrites(b, d, "Include this in the server, or in each virtual host that it is meant for. It needs mod_rewrite.")
}

// writeHtaccess writes the same steps for the folder of the whole site: none of them changes the request, so mod_rewrite
// does not begin anew.
func writeHtaccess(b *bufio.Writer, d *document) {
	writeRewrites(b, d, "This is the file .htaccess of the document root. It needs AllowOverride FileInfo, and mod_rewrite.")
}

func writeRewrites(b *bufio.Writer, d *document, include string) {
	d.serverHead(b, include,
		"Each URL that is not its own canonical form is redirected to it, but not to\n"+
			"one that ends with ?, which Apache cannot answer. (If it answers 403 to others with ?,\n"+
			"its version has been patched: give the second rule the flag UnsafeAllow3F too.)",
		"And mod_headers: each URL that is not its own canonical form is answered with it in the header Link.")
	fmt.Fprint(b, "RewriteEngine On\n")
	for i := range d.sites {
		comment(b, d.sites[i].titles()...)
		writeApacheSite(b, &d.sites[i])
	}
	start := `^/`
	if !d.Redirect {
		start = `^/(?!/)` // a reference with // would begin with a host
	}
	condition(b, "%{ENV:DUST}", start)
	condition(b, "%{ENV:DUST_URI} %{ENV:DUST}", `!^([^ ]*) \1$`)
	condition(b, "%{ENV:DUST_URI} %{ENV:DUST}", `!^/(?!/)[^ ]* //`) // a path with // could be read as a host
	fmt.Fprint(b, "RewriteRule ^ - [E=DUST_CANONICAL:%{ENV:DUST}]\n")
	if d.Redirect {
		writeApacheRedirect(b, ">= 2.4.60", ",UnsafeAllow3F")
		writeApacheRedirect(b, "< 2.4.60", "")
	} else {
		fmt.Fprintf(b, "Header always add Link \"%s\" env=DUST_CANONICAL\n", linkOf("%{DUST_CANONICAL}e", `\"`))
	}
}

// writeApacheRedirect writes the redirect for some versions. Since 2.4.60 a question mark
// taken from a request needs a flag unknown to earlier versions.
func writeApacheRedirect(b *bufio.Writer, versions, flag string) {
	fmt.Fprintf(b, "<IfVersion %s>\n", versions)
	condition(b, "%{ENV:DUST_CANONICAL}", `[^\x3F]$`)
	fmt.Fprintf(b, "RewriteRule ^ \"%%{REQUEST_SCHEME}://%%{HTTP_HOST}%%{ENV:DUST_CANONICAL}\" [R=301,NE,QSD,L%s]\n</IfVersion>\n", flag)
}

func writeApacheSite(b *bufio.Writer, s *site) {
	var steps strings.Builder
	n := 0
	for _, e := range s.expressions("") {
		for _, e := range e.inOrder() {
			n++
			writeApacheStep(&steps, &e)
		}
		for _, pattern := range e.givesUp() {
			n++
			condition(&steps, "%{ENV:DUST}", inServer(pattern))
			fmt.Fprint(&steps, "RewriteRule ^ - [E=DUST:]\n")
		}
	}
	if s.Host != "" {
		fmt.Fprintf(b, "RewriteCond %%{HTTP_HOST} \"!%s\" [NC]\nRewriteRule ^ - [S=%d]\n", hostPattern(s.Site), n+1)
	}
	condition(b, "%{THE_REQUEST}", `^`+safeMethods+` (?:https?://[^/\x3F# ]*)?`+shortTarget+`(?:#[^ ]*)? HTTP/`)
	fmt.Fprint(b, "RewriteRule ^ - [E=DUST:%1,E=DUST_URI:%1]\n", steps.String())
}

// writeApacheStep writes an edit. A text with signs that could end the flag is written into the
// string that a further condition tests.
func writeApacheStep(w io.Writer, e *edit) {
	condition(w, "%{ENV:DUST}", inServer(e.pattern))
	if slices.ContainsFunc(e.to, func(p part) bool { return !consistsOf(p.text, apachePlain) }) {
		condition(w, render(e.to, "%%%d", apacheText), `^(.*)$`)
		e = &edit{to: groups(1)}
	}
	fmt.Fprintf(w, "RewriteRule ^ - [E=DUST:%s]\n", render(e.to, "%%%d", func(text string) string { return text }))
}

// apachePlain are the bytes of texts that a flag can hold.
const apachePlain = alphanumeric + "/.-_=?&;~:+"

func condition(w io.Writer, test, pattern string) {
	fmt.Fprintf(w, "RewriteCond \"%s\" \"%s\"\n", test, pattern)
}

// apacheText writes a text into the string tested by a condition.
func apacheText(s string) string {
	return backslashed(s, func(c byte) bool { return !dust.IsAlnum(c) })
}
