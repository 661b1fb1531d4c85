package export

import (
	"fmt"

	"dustbuster/operators/url/urlnorm"
)

// Parts shared by both servers.
const (
	// serverHead stands before a mined string in a server. It refuses the empty string, which
	// claims no canonical form.
	serverHead = `(?=.)`

	reportHeader = "X-Dust-Canonical"

	// target matches a path and query as mined, and captures the text up to the fragment.
	// For a target with bytes that no URL has, no canonical form is claimed.
	target = `(/[!$-;=?-~]*)`
)

// hostPattern matches the Host header of a site's requests, in any case. Dots stand before
// the port.
func hostPattern(s *Site) string {
	name, port := urlnorm.WithoutPort(s.Host), `(?:\x3A80|\x3A443)?`
	if len(name) < len(s.Host) {
		port = literal(s.Host[len(name):])
	}
	return `^` + literal(name) + `\x2E*` + port + `$`
}

// serverNotes are the notes at the head of a file for a server.
func serverNotes(notes ...string) []string {
	return append(notes, fmt.Sprintf("A URL that a rule would edit in more than %d separate places is left alone.", Places))
}
