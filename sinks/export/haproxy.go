package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
)

// haproxyChain is the number of steps of a line. A step that matches nothing costs a search.
const haproxyChain = 16

// writeHAProxy writes lines for a frontend. A variable of the request holds the form from step to step, and another
// says whose steps are meant. An empty form claims nothing.
func writeHAProxy(b *bufio.Writer, d *document) {
	d.serverHead(b, "Copy this into each frontend that it is meant for; each URL that is not its own canonical form",
		"is redirected to it.", "is answered with that form in the header Link.")
	for i := range d.sites {
		writeHAProxySite(b, &d.sites[i], i+1)
	}
	const none = "http-request unset-var(txn.dust) if "
	fmt.Fprint(b, "http-request set-var(txn.dust_asked) pathq\n")
	fmt.Fprint(b, none+"!{ var(txn.dust) -m beg / }\n")
	fmt.Fprint(b, none+"{ var(txn.dust),strcmp(txn.dust_asked) 0 }\n")
	fmt.Fprint(b, none+"{ var(txn.dust) -m beg // } !{ pathq -m beg // }\n")
	if d.Redirect {
		fmt.Fprint(b, "http-request redirect code 301 location %[ssl_fc,iif(https,http)]://%[hdr(host)]%[var(txn.dust)] if { var(txn.dust) -m found }\n")
		return
	}
	fmt.Fprintf(b, "http-after-response add-header Link \"%s\" if { var(txn.dust) -m found } !{ var(txn.dust) -m beg // }\n", linkOf("%[var(txn.dust)]", `\"`))
}

func writeHAProxySite(b *bufio.Writer, s *site, number int) {
	comment(b, s.titles()...)
	fmt.Fprintf(b, "http-request set-var(txn.dust_site) int(%d) if { method GET HEAD } { pathq -m reg \"%s\" }", number, haproxyQuoted("^"+shortTarget+"$"))
	if s.Host != "" {
		fmt.Fprintf(b, " { hdr(host) -m reg -i \"%s\" }", haproxyQuoted(hostPattern(s.Site)))
	}
	own := fmt.Sprintf(" if { var(txn.dust_site) -m int %d }\n", number)
	fmt.Fprint(b, "\nhttp-request set-var(txn.dust) pathq"+own)
	var steps []edit
	for _, e := range s.expressions("") {
		steps = append(steps, e.inOrder()...)
		for _, pattern := range e.givesUp() {
			steps = append(steps, edit{pattern: pattern + `[^#]*`})
		}
	}
	for some := range slices.Chunk(steps, haproxyChain) {
		fmt.Fprint(b, `http-request set-var(txn.dust) "var(txn.dust)`)
		for _, e := range some {
			fmt.Fprintf(b, ",regsub(%s,%s)", haproxyArgument(inServer(e.pattern)), haproxyArgument(render(e.to, `\%d`, varnishText)))
		}
		fmt.Fprint(b, `"`+own)
	}
}

// haproxyArgument writes an argument of a converter, which stands between double quotes: a text between single quotes.
func haproxyArgument(text string) string {
	return haproxyQuoted("'" + strings.ReplaceAll(text, "'", `'\''`) + "'")
}

// haproxyQuoted writes a text between double quotes, where a dollar would begin the name of a variable.
func haproxyQuoted(text string) string {
	return backslashed(text, func(c byte) bool { return c == '"' || c == '\\' || c == '$' })
}
