package html

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"dustbuster/sinks/page"
)

// Comparison is the learners of rules held against each other on the crawl of a site.
type Comparison struct {
	Site    string
	URLs    int // of the crawl
	Pages   int // of these URLs
	Without int // further URLs whose page is not known
	Tables  []Table
}

// Table is the figures of all learners in one setting.
type Table struct {
	Title    string // the setting
	Columns  []string
	Learners []Learner
}

// Learner is the figures of a learner.
type Learner struct {
	Name     string
	Coverage float64  // of the test's duplicates, the share that is merged rightly
	False    float64  // URLs merged with another page, of 10,000
	Cells    []string // by column
}

//go:embed compare.html
var comparison string

// Name returns the site's name.
func (c Comparison) Name() string { return cmp.Or(c.Site, unnamed) }

// Duplicates returns the share of URLs that the best rules could merge.
func (c Comparison) Duplicates() float64 { return float64(c.URLs-c.Pages) / float64(max(c.URLs, 1)) }

// Shares is the picture of the coverage of each learner.
func (t Table) Shares() (s page.Shares) {
	for _, l := range t.Learners {
		words := fmt.Sprintf("%s · %.1f false", page.Percent(l.Coverage), l.False)
		s.Rows = append(s.Rows, page.Row{Label: l.Name, Value: words, Title: l.Name + ": " + words, Parts: []page.Part{{Tone: page.Accent, Share: l.Coverage}}})
	}
	s.Legend = []page.Key{{Tone: page.Accent, Text: "duplicates merged rightly; false: URLs merged with another page, of 10,000"}}
	return s
}

// WriteComparisons writes the comparisons of sites as one page. Words explain the columns by
// their names.
func WriteComparisons(w io.Writer, o Options, all []Comparison, words [][2]string) error {
	v := struct {
		Sites []Comparison
		Words []figure
	}{Sites: all}
	for _, word := range words {
		v.Words = append(v.Words, figure{Name: word[0], Value: word[1]})
	}
	t := template.Must(page.New().Parse(comparison))
	p := page.Page{Title: "Learners compared", Foot: []string{o.made() + "."}, Data: v}
	if err := page.Write(w, t, &p); err != nil {
		return fmt.Errorf("write comparison: %w", err)
	}
	return nil
}
