package apply

import (
	"bytes"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dustbuster/operators/url/urlnorm"
	"dustbuster/stream/rules"

	"github.com/google/renameio/v2/maybe"
)

// exportByHost writes a file for each site into a directory, which is made, and returns the number of rules left out.
// Files of other sites stay. A reader finds the old file or the new one, whole, but for Windows.
func (e *exporting) exportByHost(report io.Writer, format string, list *rules.List, seen *someURLs) (skipped int, err error) {
	if err := os.MkdirAll(e.byHost, 0o755); err != nil {
		return 0, fmt.Errorf("make the directory of --by-host: %w", err)
	}
	for i := range list.Sites {
		var text bytes.Buffer
		one := &rules.List{Sites: list.Sites[i : i+1]}
		left, err := exportRules(&text, report, format, one, seen, e.options)
		if err != nil {
			return skipped, err
		}
		skipped += left
		if err := maybe.WriteFile(filepath.Join(e.byHost, hostFile(list.Sites[i].Name)+"."+format), text.Bytes(), 0o644); err != nil {
			return skipped, fmt.Errorf("write the rules of %q: %w", list.Sites[i].Name, err)
		}
	}
	return skipped, nil
}

// hostFile returns the name of a site's file: the labels of its host from the right, with commas between, as in the keys
// of Common Crawl; then the port. An address stays as it is. Whatever else stands in a name is escaped as in a URL.
func hostFile(site string) string {
	name := urlnorm.WithoutPort(site)
	port := site[len(name):]
	switch _, err := netip.ParseAddr(strings.Trim(name, "[]")); {
	case site == "":
		return "unnamed"
	case err != nil:
		labels := strings.Split(name, ".")
		slices.Reverse(labels)
		name = strings.Join(labels, ",")
	}
	var b strings.Builder
	for _, c := range []byte(name + port) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_', c == ',', c == '.' && b.Len() > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
