package export

import (
	"bufio"
	"strings"

	"dustbuster/operators/url/urlnorm"
)

// Parts shared by both servers.
const (
	// target matches a path and query as mined, and captures the text up to the fragment.
	// For a target with bytes that no URL has, no canonical form is claimed.
	target = `(/[!$-;=?-~]*)`

	// shortTarget is target for URLs of at most rule.MaxBytes. The expressions of rules are
	// quadratic in backtracking engines, so this bound is what a long URL costs.
	shortTarget = `(/[!$-;=?-~]{0,2047})`

	// tooLong matches a form that rules have made longer than rule.MaxBytes.
	tooLong = `^[^#]{2049}`

	// safeMethods are the methods of requests that are answered with a canonical form. A redirect
	// would turn a POST into a GET without its body.
	safeMethods = `(?:GET|HEAD)`
)

// linkOf returns the value of the header Link that names a canonical form (RFC 6596). The form is
// a reference without scheme and host: behind a proxy that ends TLS, a server does not know its scheme.
func linkOf(form, quote string) string {
	return "<" + form + ">; rel=" + quote + "canonical" + quote
}

// hostPattern matches the Host header of a site's requests, in any case. Dots stand before
// the port.
func hostPattern(s *Site) string {
	name, port := urlnorm.WithoutPort(s.Host), `(?::80|:443)?`
	if len(name) < len(s.Host) {
		port = literal(s.Host[len(name):])
	}
	return inServer(`^` + literal(name) + `\x2E*` + port + `$`)
}

// serverHead writes the comment at the head of a file for a server: how to include it, and what becomes of
// a URL that is not its own canonical form.
func (d *document) serverHead(b *bufio.Writer, include, redirected, reported string) {
	if d.Redirect {
		reported = redirected
	}
	notes := strings.Split(include+"\n"+reported, "\n")
	comment(b, d.head(append(notes, "A URL that a rule would edit in more places than its steps here is left alone.")...)...)
}

// inServer writes an expression for a server, which sees no fragment and no other byte than those
// of target. What then says the same is shorter, and a sign that means nothing stands for itself.
func inServer(pattern string) string { return forServer.Replace(pattern) }

var forServer = strings.NewReplacer(`(?![^#])`, `$`, `[^#]`, `.`, `[^\x3F#]`, `[^?]`, `#]`, `]`,
	`\x3F`, `\?`, `\x2E`, `\.`, `\x2F`, `/`, `\x26`, `&`, `\x2D`, `-`, `\x5F`, `_`, `\x3D`, `=`,
	`\x7E`, `~`, `\x25`, `%`, `\x2C`, `,`, `\x3A`, `:`, `\x3B`, `;`, `\x21`, `!`, `\x40`, `@`)

// nameGroup names the groups of an expression for a server, dust_a and so on.
func nameGroup(n int) string { return "dust_" + string(rune('a'+n-1)) }
