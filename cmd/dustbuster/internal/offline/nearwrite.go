package offline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"dustbuster/operators/url/secret"
	"dustbuster/sinks/text"
	"dustbuster/stream/duplicates"
	"dustbuster/stream/warc"
)

// clusterWriter writes clusters, and counts them.
type clusterWriter struct {
	out  *bufio.Writer
	veil secret.Veil
	top  int // clusters to write; 0: all

	clusters, urls int
}

func (w *clusterWriter) all(finder *duplicates.Finder, each func(*duplicates.Cluster) error) error {
	for c, err := range finder.Clusters() {
		if err != nil {
			return err
		}
		w.clusters++
		w.urls += c.Len()
		if w.top > 0 && w.clusters > w.top {
			continue
		}
		if err := each(c); err != nil {
			return err
		}
	}
	return nil
}

// mostURLs is how many URLs of a cluster are written as text.
const mostURLs = 10

func (w *clusterWriter) text(c *duplicates.Cluster) error {
	if w.clusters > 1 {
		fmt.Fprintln(w.out)
	}
	fmt.Fprintf(w.out, "%d URLs\n", c.Len())
	n := 0
	for d, err := range c.Documents() {
		if err != nil {
			return err
		}
		if n++; n > mostURLs {
			fmt.Fprintf(w.out, "         %d more; --output json has all\n", c.Len()-mostURLs)
			return nil
		}
		alike := "revisit"
		if !d.Revisit {
			alike = fmt.Sprintf("%7.3f", d.Resemblance)
		}
		fmt.Fprintf(w.out, "%s  %s\n", alike, text.Readable(w.veil.Mask(d.URL)))
	}
	return nil
}

// clusterSchema is the version of docs/schema/near.schema.json.
const clusterSchema = 1

type pageRecord struct {
	URL         string   `json:"url"`
	Digest      string   `json:"digest,omitempty"`
	Resemblance *float64 `json:"resemblance,omitempty"`
	Revisit     bool     `json:"revisit,omitempty"`
}

// json writes a cluster as a line. A cluster may have more pages than fit into memory.
func (w *clusterWriter) json(c *duplicates.Cluster) error {
	fmt.Fprintf(w.out, `{"schema":%d,"size":%d,"pages":[`, clusterSchema, c.Len())
	first := true
	for d, err := range c.Documents() {
		if err != nil {
			return err
		}
		r := pageRecord{URL: d.URL, Revisit: d.Revisit}
		if !d.Revisit {
			r.Digest, r.Resemblance = "sha256:"+d.Digest, &d.Resemblance
		}
		line, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("write clusters: %w", err)
		}
		if !first {
			w.out.WriteByte(',') //nolint:errcheck // Flush returns it
		}
		first = false
		w.out.Write(line) //nolint:errcheck // as above
	}
	_, err := w.out.WriteString("]}\n")
	return err
}

// sum says what was found, and what was skipped.
func (w *clusterWriter) sum(stderr io.Writer, c *duplicates.Counts) {
	fmt.Fprintf(stderr, "dustbuster: %d pages; %d URLs are in %d clusters\n", c.Documents, w.urls, w.clusters)
	if w.top > 0 && w.clusters > w.top {
		fmt.Fprintf(stderr, "dustbuster: the %d largest clusters are printed; --top 0 prints all\n", w.top)
	}
	if text := skipped(&c.Skips); text != "" {
		fmt.Fprintf(stderr, "dustbuster: skipped: %s\n", text)
	}
	if c.Crowded > 0 {
		fmt.Fprintf(stderr, "dustbuster: %d times a page had a run of words with too many other pages to compare all; near-duplicates may be missing\n", c.Crowded)
	}
}

// skipped are the records left out, in words; "" if there are none.
func skipped(s *warc.Skips) string {
	var parts []string
	for _, part := range []struct {
		n    int64
		text string
	}{
		{s.Torn, "torn at the end of a file"}, {s.Damaged, "damaged"}, {s.HTTP, "no HTTP response"}, {s.Large, "too large"},
		{s.Encoding, "in an encoding that cannot be read"}, {s.Cut, "cut by the crawler"}, {s.Revisits, "revisits without a digest"},
		{s.Method, "answers to a method other than GET"}, {s.Status, "no whole page (status)"}, {s.URL, "not of the web"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.text))
		}
	}
	return strings.Join(parts, ", ")
}
