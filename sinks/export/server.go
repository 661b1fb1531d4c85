package export

import (
	"bufio"
	"fmt"
)

// What both servers do alike.
const (
	reportHeader = "X-Dust-Canonical"

	// target matches a path and query as mined, and captures it up to the
	// fragment. A target with bytes that no URL has is not claimed to have a
	// canonical form.
	target = `(/[!$-;=?-~]*)`
)

// hostPattern matches the Host header of a site's requests, in any case.
func hostPattern(s *Site) string {
	return `^` + literal(s.Host) + `\x2E?(?:\x3A80|\x3A443)?$`
}

func comment(b *bufio.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(b, "# %s\n", line)
	}
}
