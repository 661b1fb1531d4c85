package export

import (
	"bufio"
	"fmt"

	"dustbuster/operators/url/urlnorm"
)

// Parts shared by both servers.
const (
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

func comment(b *bufio.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(b, "# %s\n", line)
	}
}
