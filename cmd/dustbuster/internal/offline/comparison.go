package offline

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/metrics"
	"strings"
	"text/tabwriter"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/learn/papers/compare"
	"dustbuster/sinks/html"
	"dustbuster/sinks/text"
)

// comparison prints the results of one site.
type comparison struct {
	f     *compareFlags
	crawl *crawl
	to    []*cli.Output
	begun bool             // the heading is printed
	page  *html.Comparison // of --output html
}

func newComparison(f *compareFlags, c *crawl, to []*cli.Output) *comparison {
	page := &html.Comparison{Site: c.site, URLs: c.urls(), Pages: len(c.clusters), Without: c.without}
	return &comparison{f: f, crawl: c, to: to, page: page}
}

func (t *comparison) write(share int, results []compare.Result) error {
	table := t.table(share, results)
	t.page.Tables = append(t.page.Tables, table)
	for _, to := range t.to {
		var err error
		switch to.Format {
		case "json":
			for i := range results {
				err = errors.Join(err, cli.WriteJSON(to, t.line(share, &results[i])))
			}
		case "text":
			err = t.text(to, share, &table)
		}
		if err != nil {
			return err
		}
	}
	t.begun = true
	return nil
}

func (t *comparison) text(w io.Writer, share int, table *html.Table) error {
	t.head(w, share)
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells []string, learner string) {
		fmt.Fprintf(out, "%s\t  %s\n", strings.Join(cells, "\t"), learner)
	}
	row(table.Columns, "learner")
	for _, l := range table.Learners {
		row(l.Cells, l.Name)
	}
	return out.Flush()
}

func (t *comparison) table(share int, results []compare.Result) html.Table {
	table := html.Table{Title: t.setting(share)}
	for _, c := range columns() {
		table.Columns = append(table.Columns, c.name)
	}
	for _, name := range t.f.learners {
		l := html.Learner{Name: name}
		for _, c := range columns() {
			mean := c.mean(name, results)
			switch c.name {
			case coverage:
				l.Coverage = mean
			case falseMerges:
				l.False = mean
			}
			l.Cells = append(l.Cells, fmt.Sprintf("%.*f", c.digits, mean))
		}
		table.Learners = append(table.Learners, l)
	}
	return table
}

// comparisonWords explain the figures of a page.
var comparisonWords = [][2]string{
	{"raw, supported", "The rules that the learner gives, and those of them with a support of three and more."},
	{"fpr 0, fpr .05", "The supported rules without a false pair, and those with at most 5 % false pairs."},
	{"deployed", "The rules that are chosen to be applied together."},
	{"coverage", "Of the test's duplicates, the share that the deployed rules merge rightly."},
	{"false", "The URLs merged with another page, of 10,000."},
	{"compression, reduction", "The share of URLs that go away, and by how much the share of duplicates falls."},
	{"per rule", "The URLs merged by a deployed rule, of 10,000."},
	{"p@k", "Of the first k rules, the share that hold."},
}

func (t *comparison) head(w io.Writer, share int) {
	c, site := t.crawl, t.crawl.site
	if !t.begun {
		if site == "" {
			site = "the site"
		}
		fmt.Fprintf(w, "%s: %d URLs of %d pages, so %.1f %% are duplicates", site, c.urls(), len(c.clusters), 100*float64(c.duplicates())/float64(c.urls()))
		if c.without > 0 {
			fmt.Fprintf(w, "; left out without one digest: %s", text.Count(c.without, "URL"))
		}
		fmt.Fprint(w, "\nfalse: URLs merged with another page, of 10,000; per rule: URLs merged by a rule, of 10,000\n")
	}
	fmt.Fprintf(w, "\n%s\n", t.setting(share))
}

// setting says which pages are labelled.
func (t *comparison) setting(share int) string {
	by := ""
	switch t.f.labels {
	case "size":
		by = ", by their sizes"
	case "near":
		by = ", and near-duplicates are one page"
	}
	if share == 100 {
		return fmt.Sprintf("all pages are labelled%s, and are the test", by)
	}
	if t.f.choosing > 0 {
		by += fmt.Sprintf(", %d %% of these for the choice of rules", t.f.choosing)
	}
	return fmt.Sprintf("%d %% of the pages are labelled%s, and the others are the test; means of %s", share, by, text.Count(t.f.seeds, "split"))
}

type column struct {
	name   string
	digits int
	of     func(r *compare.Result) float64
}

// Columns that a page shows as a picture.
const (
	coverage    = "coverage"
	falseMerges = "false"
)

func columns() []column {
	all := []column{
		{"raw", 0, func(r *compare.Result) float64 { return float64(r.Raw) }},
		{"supported", 0, func(r *compare.Result) float64 { return float64(r.Supported) }},
		{"fpr 0", 0, func(r *compare.Result) float64 { return float64(r.Strict) }},
		{"fpr .05", 0, func(r *compare.Result) float64 { return float64(r.Loose) }},
		{"deployed", 0, func(r *compare.Result) float64 { return float64(r.Deployed) }},
		{coverage, 3, func(r *compare.Result) float64 { return r.Coverage() }},
		{falseMerges, 1, func(r *compare.Result) float64 { return r.FalseMerges() }},
		{"compression", 3, func(r *compare.Result) float64 { return r.Compression() }},
		{"reduction", 3, func(r *compare.Result) float64 { return r.Reduction() }},
		{"per rule", 1, func(r *compare.Result) float64 { return 1e4 * r.PerRule() }},
	}
	for i, k := range compare.Depths {
		all = append(all, column{fmt.Sprintf("p@%d", k), 2, func(r *compare.Result) float64 { return r.Precision[i] }})
	}
	return append(all,
		column{"s", 1, func(r *compare.Result) float64 { return r.Cost.Seconds }},
		column{"MB", 0, func(r *compare.Result) float64 { return float64(r.Cost.Bytes) / 1e6 }})
}

// mean returns the mean of a figure over the results of a learner.
func (c *column) mean(name string, results []compare.Result) float64 {
	sum, n := 0.0, 0
	for i := range results {
		if results[i].Learner == name {
			sum += c.of(&results[i])
			n++
		}
	}
	return sum / float64(max(1, n))
}

// comparisonLine is a result as JSON: docs/schema/comparison.schema.json.
type comparisonLine struct {
	Site     string `json:"site"`
	Learner  string `json:"learner"`
	Labels   string `json:"labels"`
	Share    int    `json:"share"`
	Choosing int    `json:"choosing"`
	compare.Result

	Coverage    float64         `json:"coverage"`
	FalseMerges float64         `json:"false_merges"`
	Compression float64         `json:"compression"`
	Reduction   float64         `json:"reduction"`
	PerRule     float64         `json:"per_rule"`
	Precision   []precisionLine `json:"precision"`

	compare.Cost
}

type precisionLine struct {
	K         int     `json:"k"`
	Judged    int     `json:"judged"`
	Precision float64 `json:"precision"`
}

func (t *comparison) line(share int, r *compare.Result) comparisonLine {
	l := comparisonLine{Site: t.crawl.site, Learner: r.Learner, Labels: t.f.labels, Share: share, Choosing: t.f.choosing, Result: *r,
		Coverage: r.Coverage(), FalseMerges: r.FalseMerges(), Compression: r.Compression(), Reduction: r.Reduction(), PerRule: r.PerRule(), Cost: r.Cost}
	for i, k := range compare.Depths {
		l.Precision = append(l.Precision, precisionLine{k, r.Judged[i], r.Precision[i]})
	}
	return l
}

// measure calls a function, and returns the time and the growth of the heap: the most bytes
// of objects, live or not yet collected, that were seen every few milliseconds, less the
// bytes before.
func measure(run func()) compare.Cost {
	runtime.GC()
	before := heapBytes()
	most, stop := make(chan int64), make(chan struct{})
	go func() {
		seen := before
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				seen = max(seen, heapBytes())
			case <-stop:
				most <- max(seen, heapBytes())
				return
			}
		}
	}()
	start := time.Now()
	run()
	seconds := time.Since(start).Seconds()
	close(stop)
	return compare.Cost{Seconds: seconds, Bytes: <-most - before}
}

func heapBytes() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
