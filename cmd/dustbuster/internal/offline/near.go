package offline

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/judge/near"
	"dustbuster/stream/duplicates"
	"dustbuster/stream/files"

	"github.com/spf13/cobra"
)

const nearLong = `near reads the pages of a crawl and prints clusters of near-duplicates. Two pages are
in one cluster if they resemble each other by at least --threshold, or if a chain of
such pages joins them. The resemblance of two pages is the number of runs of eight
visible words that both pages have, divided by the number of such runs that either
page has. Pages other than HTML are alike only if their bytes are equal.

A FILE is a web archive (WARC), plain or compressed (gzip, zstd, bzip2), a directory
of web archives or of HTML pages, or - for standard input. For HTML pages, the path
below the directory is the URL. Pages that cannot be read are skipped and counted.

Temporary files take 1 to 2 KiB for each page, and up to 16 KiB more with --exact.`

const nearExamples = `  dustbuster near crawl.warc.gz
  dustbuster near --output json crawl.warc.gz | jq -r '.pages[].url'
  dustbuster near --threshold 0.8 --exact part-*.warc.gz
  wget --mirror http://example.org/ && dustbuster near example.org`

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
		Short:   "print clusters of near-duplicate pages of a crawl",
		Long:    nearLong,
		Example: nearExamples,
		Args:    cli.FilesOf("a web archive, a directory of web archives or HTML pages, or - for standard input"),
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
	alike.Flags.StringVar(&f.find.Method, "method", near.Shingles, "`name` of the method that finds similar pairs: "+strings.Join(near.Methods, ", ")+". The first finds all pairs. The others are usual methods, for comparison (docs/near.md)")
	alike.Flags.BoolVar(&f.find.Exact, "exact", false, "compare all words of two pages, not samples of 128 runs of words")
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
var errPartial = errors.New("not everything could be read; the clusters are of what could")

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

// crawlFiles replaces each directory by its web archives, unless it is one of HTML pages.
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
