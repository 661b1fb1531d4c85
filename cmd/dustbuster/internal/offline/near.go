package offline

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/judge/near"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/text"
	"dustbuster/stream/duplicates"
	"dustbuster/stream/files"
	"dustbuster/stream/warc"

	"github.com/spf13/cobra"
)

const nearLong = `near reads the pages of a crawl and prints clusters of near-duplicates. Two pages are
in one cluster if they resemble each other by at least --threshold, or if a chain of
such pages joins them. Resemblance counts runs of eight visible words: those that both
pages have, divided by those that either page has. Pages other than HTML are alike only
if their bytes are equal.

A FILE is a web archive (WARC), plain or compressed (gzip, zstd, bzip2), a directory
of web archives, or - for standard input. Pages that cannot be read are skipped and
counted.

Temporary files take 1 to 2 KiB for each page, and up to 16 KiB more with --exact.`

const nearExamples = `  dustbuster near crawl.warc.gz
  dustbuster near --output json crawl.warc.gz | jq -r '.pages[].url'
  dustbuster near --threshold 0.8 --exact part-*.warc.gz
  wget --recursive --warc-file crawl http://example.org/`

type nearFlags struct {
	shared *config.Flags
	find   duplicates.Options
	output string
	top    int
	stats  bool
}

func newNearCommand() *cobra.Command {
	f := nearFlags{shared: config.NewFlags(config.MineDefaults())}
	cmd := &cobra.Command{
		Use:     "near FILE...",
		Short:   "find near-duplicate pages in a crawl",
		Long:    nearLong,
		Example: nearExamples,
		Args:    cli.FilesOf("a web archive, a directory of web archives, or - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := f.options(cmd)
			if err != nil {
				return cli.Usage(cmd, err)
			}
			return f.run(cmd, c, args)
		},
	}
	cli.UseSections(cmd, f.sections())
	return cmd
}

func (f *nearFlags) sections() []config.Section {
	alike := config.NewSection("What is alike")
	alike.Flags.Float64Var(&f.find.Threshold, "threshold", near.DefaultThreshold, "least resemblance of near-duplicates, above 0 and at most 1. Lower it to find pages that differ more")
	alike.Flags.BoolVar(&f.find.Exact, "exact", false, "compare two pages by all their words, and not by samples of 128 runs of words")
	room := config.NewSection("Memory and disk")
	f.shared.Register(room.Flags, "keep.memory")
	room.Flags.StringVar(&f.find.Dir, "temp", "", "`directory` for temporary files. The default is the system's")
	printed := config.NewSection("What is printed")
	cli.OutputFlag(printed.Flags, &f.output, "json is one cluster a line, with all its URLs", "text", "json")
	printed.Flags.IntVar(&f.top, "top", 50, "most clusters printed, the largest first. 0 prints all, and is the default for json")
	printed.Flags.BoolVar(&f.stats, "stats", false, "print statistics on standard error: pages read, compared and skipped")
	f.shared.Register(printed.Flags, "write.withhold")
	return []config.Section{alike, room, printed}
}

func (f *nearFlags) options(cmd *cobra.Command) (c config.Config, err error) {
	if c, err = f.shared.Config(); err != nil {
		return c, err
	}
	if err := f.find.Check(); err != nil {
		return c, err
	}
	if f.top < 0 {
		return c, fmt.Errorf("--top must be 0 or more, got %d", f.top)
	}
	if f.output == "json" && !cmd.Flags().Changed("top") {
		f.top = 0
	}
	f.find.Memory, f.find.Stdin = cli.LimitMemory(c.Keep.Memory), cmd.InOrStdin()
	return c, nil
}

// errPartial reports clusters printed from incomplete input.
var errPartial = errors.New("some input could not be read; the clusters are those of the rest")

func (f *nearFlags) run(cmd *cobra.Command, c config.Config, paths []string) error {
	start, stderr := time.Now(), cmd.ErrOrStderr()
	paths, err := crawlFiles(paths)
	if err != nil {
		return err
	}
	finder, err := duplicates.New(f.find)
	if err != nil {
		return err
	}
	defer finder.Close()
	if err := find(cmd.Context(), finder, paths, stderr); err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	write := &clusterWriter{out: out, veil: c.Veil(), top: f.top}
	each := write.text
	if f.output == "json" {
		each = write.json
	}
	if err := write.all(finder, each); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write clusters: %w", err)
	}
	counts := finder.Counts()
	write.sum(stderr, &counts)
	if f.stats {
		nearStats(stderr, &counts, time.Since(start))
	}
	switch {
	case counts.Documents == 0 && len(counts.Damaged) > 0:
		return ErrNothing
	case len(counts.Damaged) > 0 || counts.Skips.Torn+counts.Skips.Damaged > 0:
		return errPartial
	}
	return nil
}

// crawlFiles replaces each directory by its web archives, if it has any.
func crawlFiles(paths []string) (all []string, err error) {
	for _, path := range paths {
		found := []string{path}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			if found, err = files.ExpandCrawl(found); err != nil {
				return nil, err
			}
		}
		all = append(all, found...)
	}
	return all, nil
}

// find reads the archives and compares the pages, and shows how far it is.
func find(ctx context.Context, finder *duplicates.Finder, paths []string, stderr io.Writer) error {
	show := cli.StartProgress(stderr, "reading", finder.Progress)
	err := finder.Read(ctx, paths)
	show.Stop()
	for _, damaged := range finder.Counts().Damaged {
		fmt.Fprintln(stderr, "dustbuster:", damaged)
	}
	if err == nil {
		show = cli.StartProgress(stderr, fmt.Sprintf("comparing %d pages", finder.Counts().Documents), nil)
		err = finder.Match(ctx)
		show.Stop()
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

func nearStats(w io.Writer, c *duplicates.Counts, took time.Duration) {
	s := &c.Skips
	out := func(name string, value any) { fmt.Fprintf(w, "%-22s %12v\n", name, value) }
	for _, row := range []struct {
		name string
		n    int64
	}{
		{"pages", c.Documents}, {"revisits", c.Revisits}, {"files_damaged", int64(len(c.Damaged))},
		{"skipped_method", s.Method}, {"skipped_status", s.Status}, {"skipped_url", s.URL}, {"skipped_cut", s.Cut}, {"skipped_large", s.Large}, {"skipped_encoding", s.Encoding},
		{"skipped_http", s.HTTP}, {"skipped_revisit", s.Revisits}, {"skipped_damaged", s.Damaged}, {"skipped_torn", s.Torn},
		{"buckets", c.Buckets}, {"compared", c.Compared}, {"joined", c.Joined}, {"crowded", c.Crowded}, {"left_out", c.LeftOut},
	} {
		out(row.name, row.n)
	}
	resources(out)
	out("seconds", fmt.Sprintf("%.3f", took.Seconds()))
}

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
		fmt.Fprintf(stderr, "dustbuster: %d times, a page shared words with too many pages to compare them all; near-duplicates may be missing\n", c.Crowded)
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
