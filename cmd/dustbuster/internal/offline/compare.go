package offline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/judge/near"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/papers/cluster"
	"dustbuster/operators/learn/papers/compare"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
	"dustbuster/sinks/html"
	"dustbuster/stream/duplicates"

	"github.com/spf13/cobra"
)

const compareLong = `compare measures how well algorithms (learners) find rules, on a crawl that says which
pages are equal. A FILE is an index (CDXJ, Parquet) or an archive (WARC) of the crawl. It
may also be a directory of archives or of HTML pages, or a list of URLs with digests.

URLs of pages with the same digest are a cluster. Each learner learns from some of the
clusters, and its rules are judged on the others. compare prints how many rules each
learner finds, how many hold, and the time. It also prints the share of duplicates that
the rules merge, and how often they merge different pages. Figures are means over several random splits
(docs/compare.md). Learners joined by + learn together:
`

const compareExamples = `  dustbuster compare crawl.cdxj.gz
  dustbuster compare --share 50 --learners tree,dustbuster+tree crawl.warc.gz`

// compareFlags are mine's flags for input, and compare's own.
type compareFlags struct {
	shared   *config.Flags
	learners []string
	shares   []int
	choosing int
	seeds    int
	labels   string
	outputs  cli.Outputs
}

func newCompareCommand() *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:     "compare FILE...",
		Short:   "compare algorithms that find rules, on a crawl",
		Long:    compareLong + aboutLearners(),
		Example: compareExamples,
		Args:    cli.FilesOf("an index of a crawl (CDXJ), an archive (WARC), a directory of archives or HTML pages, or a list of URLs with digests"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.shared.Config()
			if len(f.learners) == 0 {
				f.learners = allLearners()
			}
			if err == nil {
				err = f.check()
			}
			if err != nil {
				return cli.Usage(cmd, err)
			}
			return f.compare(cmd, args, &c)
		},
	}
	cli.UseSections(cmd, f.sections(), "learners", "share", "choosing", "seeds", "labels", "output")
	cli.Register(cmd, "learners", cli.Completing(allLearners(), ","))
	return cmd
}

func (f *compareFlags) sections() []config.Section {
	compared := config.NewSection("What is compared")
	own := compared.Flags
	own.StringSliceVar(&f.learners, "learners", nil, "`names` of learners, with commas between. The default is all of them, and the union")
	own.IntSliceVar(&f.shares, "share", []int{20, 50, 100}, "`percent` of the clusters for learning. At 100, rules are judged on the clusters that they were learned from")
	own.IntVar(&f.choosing, "choosing", 0, "`percent` of these clusters for choosing rules: the learner does not see them. 0, the default, chooses by the clusters that the rules were learned from")
	own.IntVar(&f.seeds, "seeds", 5, "number of random splits of each share. Split n is the same in each run")
	f.labels = "digest"
	own.Var(config.ChoiceFlag(&f.labels, "digest", "near", "size"), "labels", "what makes a cluster. digest: equal pages. near: near-duplicate pages, of web archives only. size: pages of one size for learning (at most 30 in a cluster), and equal pages for the test")
	cli.OutputsFlag(own, &f.outputs, "json is one object a line, for each learner and split. html is a page for a browser", "text", "json", "html")
	f.shared = config.NewFlags(config.MineDefaults())
	return append([]config.Section{compared}, f.shared.Sections("read -inputs -olddir", "site", "keep -state")...)
}

// allLearners are the learners, and all of them together.
func allLearners() []string {
	all, _ := compare.Learners()
	return append(all, compare.Union)
}

func aboutLearners() string {
	var b strings.Builder
	names, about := compare.Learners()
	for i, name := range names {
		fmt.Fprintf(&b, "\n  %-12s%s", name, about[i])
	}
	fmt.Fprintf(&b, "\n  %-12sall learners together", compare.Union)
	return b.String()
}

// check returns an error for invalid values of compare's own flags.
func (f *compareFlags) check() error {
	wrong := func(percent int) bool { return percent < 1 || percent > 100 }
	switch {
	case len(f.shares) == 0 || slices.ContainsFunc(f.shares, wrong):
		return errors.New("read flags: --share must be percents from 1 to 100")
	case f.choosing < 0 || f.choosing > 90:
		return errors.New("read flags: --choosing must be from 0 to 90")
	case f.seeds < 1:
		return errors.New("read flags: --seeds must be 1 or more")
	}
	if err := compare.Check(f.learners); err != nil {
		return fmt.Errorf("read flags: --learners: %w", err)
	}
	return nil
}

// compare reads the crawl, compares, and prints.
func (f *compareFlags) compare(cmd *cobra.Command, paths []string, c *config.Config) error {
	stderr := cmd.ErrOrStderr()
	outputs, err := f.outputs.Open(cmd.OutOrStdout())
	if err != nil {
		return err
	}
	run, err := readCrawl(cmd, paths, c)
	if err != nil {
		return err
	}
	if err := run.Explain(stderr); err != nil {
		return err
	}
	var labels map[string]string
	if f.labels == "near" {
		if labels, err = nearLabels(cmd, paths, c); err != nil {
			return err
		}
	}
	var compared []html.Comparison
	for m := range run.Sites.All() {
		crawl := newCrawl(m, labels)
		if crawl.duplicates() == 0 {
			continue
		}
		t := newComparison(f, crawl, outputs)
		if err := f.compareSite(cmd.Context(), t, stderr); err != nil {
			return err
		}
		compared = append(compared, *t.page)
	}
	if len(compared) == 0 {
		return errors.New("no two URLs of a site have one digest\ncompare needs an index of a crawl (CDXJ), an archive (WARC), or a list of URLs with digests")
	}
	if to := f.outputs.In("html"); to != nil {
		if err := html.WriteComparisons(to, html.Options{Version: cli.Version(), Inputs: paths}, compared, comparisonWords); err != nil {
			return err
		}
	}
	return f.outputs.Commit()
}

// readCrawl folds the lines of all files, without learners.
func readCrawl(cmd *cobra.Command, paths []string, c *config.Config) (*Reading, error) {
	c.Rule.Learners = nil
	o := OptionsOf(c, cmd.InOrStdin())
	o.Files.Crawl, o.Memory = true, cli.TableBytes(cli.LimitMemory(c.Keep.Memory), false)
	return Read(cmd.Context(), paths, o, cmd.ErrOrStderr())
}

// crawl is a site whose pages are known by digest.
type crawl struct {
	site     string
	clusters [][]string
	without  int               // URLs without one digest
	sizes    map[string]string // by URL: a label, if all answers had one size
}

// newCrawl makes clusters of the URLs of one label, by host and mined string, and of the
// other URLs of one digest.
func newCrawl(m *miner.Machine, labels map[string]string) *crawl {
	c := &crawl{site: m.Site(), sizes: map[string]string{}}
	var all []cluster.Labelled
	for _, p := range m.Window().Pages() {
		label := labels[hostOf(m.Site(), p.URL)+p.URL]
		if digest, ok := p.Evidence.Digest(); label == "" && ok {
			label = fmt.Sprintf("%x", digest)
		}
		if label == "" || label == ambiguous {
			c.without++
			continue
		}
		all = append(all, cluster.Labelled{URL: p.URL, Label: label})
		c.sizes[p.URL] = sizeOf(p.Evidence)
	}
	c.clusters = cluster.Of(all, 1)
	return c
}

// hostOf returns the host of a mined string, or "" if the string begins with its host.
func hostOf(site, url string) string {
	if strings.HasPrefix(url, "/") {
		return site
	}
	return ""
}

// sizeOf returns a label of the first class of answers that had one size; "" if there is
// none.
func sizeOf(e evidence.Spans) string {
	for _, s := range e.Sizes() {
		if s.Min == s.Max && s.Min > 0 {
			return fmt.Sprintf("%d of class %d", s.Min, s.Class)
		}
	}
	return ""
}

func (c *crawl) urls() int { return cluster.URLs(c.clusters) }

// duplicates returns the number of URLs that the best rules could merge.
func (c *crawl) duplicates() int { return c.urls() - len(c.clusters) }

// compareSite compares the learners on all splits of a crawl.
func (f *compareFlags) compareSite(ctx context.Context, t *comparison, stderr io.Writer) error {
	show := cli.StartProgress(stderr, "comparing", nil)
	defer func() { show.Stop() }()
	c := t.crawl
	for _, share := range f.shares {
		var results []compare.Result
		for seed := range f.seedsOf(share) {
			show.Describe(fmt.Sprintf("comparing %d learners, %d %% of the clusters, split %d of %d", len(f.learners), share, seed+1, f.seedsOf(share)))
			o := compare.Options{Learners: f.learners, Share: float64(share) / 100, Choosing: float64(f.choosing) / 100, Seed: uint64(seed + 1),
				Measure: measure, Stop: func() bool { return ctx.Err() != nil }}
			if f.labels == "size" {
				o.Label = func(url string) string { return c.sizes[url] }
			}
			found, err := compare.Run(c.clusters, o)
			if errors.Is(err, compare.ErrStopped) {
				return errors.New("interrupted")
			}
			if err != nil {
				return err
			}
			results = append(results, found...)
		}
		show.Stop()
		if err := t.write(share, results); err != nil {
			return fmt.Errorf("write comparison: %w", err)
		}
		show = cli.StartProgress(stderr, "comparing", nil)
	}
	return nil
}

// seedsOf returns the number of splits of a share. All splits of all clusters are one.
func (f *compareFlags) seedsOf(share int) int {
	if share == 100 {
		return 1
	}
	return f.seeds
}

// ambiguous is the label of a URL that is in several clusters of near-duplicates, since its
// page has changed.
const ambiguous = "ambiguous"

// nearLabels returns a label for each URL in a cluster of near-duplicates of the archives.
// The keys are hosts and mined strings, one after the other.
func nearLabels(cmd *cobra.Command, paths []string, c *config.Config) (labels map[string]string, err error) {
	if slices.Contains(paths, "-") {
		return nil, cli.WrongUsage(errors.New("--labels near reads the archives twice, so standard input cannot be one of them"))
	}
	if paths, err = crawlFiles(paths); err != nil {
		return nil, err
	}
	finder, err := duplicates.New(duplicates.Options{Options: near.Options{Threshold: near.DefaultThreshold, Exact: true}, Memory: cli.LimitMemory(c.Keep.Memory)})
	if err != nil {
		return nil, err
	}
	defer finder.Close()
	if err := find(cmd.Context(), finder, paths, cmd.ErrOrStderr()); err != nil {
		return nil, err
	}
	counts := finder.Counts()
	if counts.Documents == 0 {
		return nil, errors.New("there are no pages to compare: --labels near needs web archives (WARC)")
	}
	clusters, err := finder.URLs()
	if err != nil {
		return nil, err
	}
	labels = map[string]string{}
	for n, urls := range clusters {
		for _, url := range urls {
			label := fmt.Sprintf("cluster %d", n)
			if key, ok := nearKey(url); ok {
				if other, known := labels[key]; known && other != label {
					label = ambiguous
				}
				labels[key] = label
			}
		}
	}
	return labels, nil
}

// nearKey returns the host and the mined string of a URL.
func nearKey(url string) (key string, ok bool) {
	a, isHTTP := urlnorm.ParseAddress(url)
	mined, plain := a.Mined([]byte(a.Host), math.MaxInt)
	return string(mined), isHTTP && plain
}
