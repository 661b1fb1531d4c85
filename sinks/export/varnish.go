package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
)

// varnishForm is the header in which a request carries its form from step to step.
const varnishForm = "req.http.X-Dust"

// varnishNested is the number of calls inside each other. A call whose expression does not match
// takes no memory of the request's workspace, but each header that is set does.
const varnishNested = 50

// writeVarnish writes a sub vcl_recv that replaces the URL of each GET and HEAD, so that all forms
// of a page are one object of the cache. An empty form claims nothing.
func writeVarnish(b *bufio.Writer, d *document) {
	d.serverHead(b, "Include this behind the line vcl 4.1; and before other subs named vcl_recv. A GET or HEAD of",
		"a URL that is not its own canonical form is redirected to it.", "a URL that is not canonical is replaced by its canonical form.")
	fmt.Fprintf(b, "sub vcl_recv {\n\tunset %s;\n", varnishForm)
	for i := range d.sites {
		writeVarnishSite(b, &d.sites[i])
	}
	fmt.Fprintf(b, "\tif (%[1]s ~ \"^/\" && (%[1]s !~ \"^//\" || req.url ~ \"^//\")) {\n", varnishForm)
	if d.Redirect {
		fmt.Fprintf(b, "\t\tif (%s != req.url) {\n\t\t\treturn (synth(301, \"Moved Permanently\"));\n\t\t}\n\t}\n\tunset %[1]s;\n}\n", varnishForm)
		fmt.Fprintf(b, "sub vcl_synth {\n\tif (%s) {\n\t\tset resp.http.Location = %[1]s;\n\t\treturn (deliver);\n\t}\n}\n", varnishForm)
		return
	}
	fmt.Fprintf(b, "\t\tset req.url = %s;\n\t}\n\tunset %[1]s;\n}\n", varnishForm)
}

func writeVarnishSite(b *bufio.Writer, s *site) {
	for _, line := range s.titles() {
		fmt.Fprintf(b, "\t# %s\n", line)
	}
	fmt.Fprintf(b, "\tif (req.method ~ \"^%s$\" && req.url ~ \"^%s$\"", safeMethods, shortTarget)
	if s.Host != "" {
		fmt.Fprintf(b, " && req.http.host ~ \"(?i)%s\"", hostPattern(s.Site))
	}
	fmt.Fprintf(b, ") {\n\t\tset %s = req.url;\n", varnishForm)
	var steps []edit
	for _, e := range s.expressions("") {
		steps = append(steps, e.inOrder()...)
		for _, pattern := range e.givesUp() {
			steps = append(steps, edit{pattern: pattern + `[^#]*`})
		}
	}
	for some := range slices.Chunk(steps, varnishNested) {
		fmt.Fprintf(b, "\t\tset %s = %s%[1]s", varnishForm, strings.Repeat("regsub(", len(some)))
		for _, e := range some {
			fmt.Fprintf(b, ",\n\t\t\t\"%s\", \"%s\")", inServer(e.pattern), render(e.to, `\%d`, varnishText))
		}
		fmt.Fprint(b, ";\n")
	}
	fmt.Fprint(b, "\t}\n")
}

// varnishText writes a text into a replacement.
func varnishText(s string) string { return strings.ReplaceAll(s, `\`, `\\`) }
