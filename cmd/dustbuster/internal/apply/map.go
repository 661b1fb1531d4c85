package apply

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"

	"dustbuster/operators/rule/canon"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/text"
	"dustbuster/stream/rules"
)

// canonicalMap is the format that lists URLs with their canonical forms.
const canonicalMap = "canonical-map"

const canonicalMapAbout = "CSV of the URLs of --urls that have another canonical form"

// mapping is a map that is made.
type mapping struct {
	seen   *someURLs
	veil   secret.Veil
	report io.Writer
	rows   [][]string
	hidden int
}

// writeMap writes the URLs of each site that have another form. URLs that look like secrets are left out and counted.
func writeMap(out, report io.Writer, list *rules.List, seen *someURLs, veil secret.Veil) error {
	m := mapping{seen: seen, veil: veil, report: report, rows: [][]string{{"url", "canonical"}}}
	for i := range list.Sites {
		if err := m.add(&list.Sites[i], len(list.Sites) == 1); err != nil {
			return fmt.Errorf("write %s: %w", canonicalMap, err)
		}
	}
	if m.hidden > 0 {
		fmt.Fprintf(report, "dustbuster: %s that may be secrets are left out; --no-withhold writes them\n", text.Count(m.hidden, "URL"))
	}
	if err := csv.NewWriter(out).WriteAll(m.rows); err != nil {
		return fmt.Errorf("write %s: %w", canonicalMap, err)
	}
	return nil
}

// add adds a site, the only one of a list or one of several. A site of a named host gets https in front: a log does not
// name the scheme.
func (m *mapping) add(s *rules.Site, only bool) error {
	if s.ByDomain || len(s.Hosts) > 0 {
		fmt.Fprintf(m.report, "dustbuster: left out is %q: it has several hosts, and --urls are read by host\n", s.Name)
		return nil
	}
	urls := m.seen.of(s.Name, only)
	if urls == nil {
		fmt.Fprintf(m.report, "dustbuster: --urls has no URLs of %q\n", s.Name)
		return nil
	}
	c, err := canon.Compile(s.Rules)
	if err != nil {
		return fmt.Errorf("rules of %q: %w", s.Name, err)
	}
	host := ""
	if s.Name != "" {
		host = "https://" + s.Name
	}
	var form []byte
	first := len(m.rows)
	for url := range urls {
		form, _ = c.Canon(form[:0], url)
		switch {
		case bytes.Equal(form, url):
		case m.veil.Hides(string(url)) || m.veil.Hides(string(form)):
			m.hidden++
		default:
			m.rows = append(m.rows, []string{host + string(url), host + string(form)})
		}
	}
	slices.SortFunc(m.rows[first:], slices.Compare)
	return nil
}
