package offline

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync/atomic"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/judge/label"
	"dustbuster/operators/judge/near"
	"dustbuster/sinks/text"
	"dustbuster/stream/duplicates"
	"dustbuster/stream/files"

	"github.com/spf13/pflag"
)

// NearFlag registers --near-text. It is no setting of the file, because daemons read no web archives.
func NearFlag(to *pflag.FlagSet, near *bool) {
	to.BoolVar(near, "near-text", false, "two pages of a web archive (WARC) are equal also if they differ only in a clock, or in texts that other pages show, too, such as adverts. Without it all their bytes must be equal. The archives are read twice")
}

// errOnce is the error of archives that can be read only once.
var errOnce = errors.New("--near-text reads the archives twice, so standard input or a pipe cannot be one of them\nname the archives, or leave out --near-text")

// nearText reads the texts of the web archives among the logs, and returns their labels; nil if there are no archives.
func (o *ReadOptions) nearText(ctx context.Context, logs *files.Reader, stderr io.Writer) (*label.Labels, error) {
	var total int64
	paths := slices.Clone(logs.Files())
	if o.Pages != "" && !slices.Contains(paths, o.Pages) {
		paths = append(paths, o.Pages)
	}
	for _, path := range paths {
		if path == files.Stdin {
			return nil, cli.WrongUsage(errOnce)
		}
		info, err := os.Stat(path)
		if err == nil && info.Mode().Type()&(fs.ModeNamedPipe|fs.ModeCharDevice) != 0 {
			return nil, cli.WrongUsage(errOnce)
		}
		if err == nil && info.Mode().IsRegular() && duplicates.IsArchive(path) {
			total += info.Size()
		}
	}
	var read atomic.Int64
	show := cli.StartProgress(stderr, "reading texts", func() (int64, int64) { return read.Load(), total })
	defer show.Stop()
	labels, archives, err := duplicates.Labels(ctx, paths, duplicates.LabelOptions{
		Options: label.Options{Options: near.Options{Threshold: near.DefaultThreshold, Exact: true}, Memory: o.Memory},
		Rank:    o.Miner.Table.Rank, Workers: o.Workers, Read: func(n int) { read.Add(int64(n)) },
	})
	switch {
	case err != nil:
		return nil, errInterrupted
	case archives == 0:
		show.Say("dustbuster: none of the files is a web archive (WARC), so --near-text changes nothing")
		return nil, nil
	}
	return labels, nil
}

// Label returns the function that gives digests their labels; nil if pages have their digests.
func (r *Reading) Label() func(digest uint64) uint64 {
	if r.near == nil {
		return nil
	}
	return r.near.Of
}

// explainTexts says how pages were compared.
func explainTexts(r *Reading, say func(format string, args ...any)) {
	if r.near == nil {
		return
	}
	near, digest := 0, 0
	for site := range r.Sites.Held() {
		for _, p := range site.Window().Pages() {
			switch d, ok := p.Evidence.Digest(); {
			case !ok:
			case r.near.IsNear(uint64(d) ^ 1<<63):
				near++
			default:
				digest++
			}
		}
	}
	say("%s compared by nearly equal text, and %d by digest", text.Count(near, "URL"), digest)
	if n := r.near.Over; n > 0 {
		say("at least %d texts left out: they take more than their share of the memory (--memory), so their pages are compared by digest", n)
	}
	if n := r.near.Crowded; n > 0 {
		say("%d texts share words with too many others to compare them all, so nearly equal pages may be missed", n)
	}
}

// textStats passes on what became of the texts.
func textStats(l *label.Labels, out func(name string, value any)) {
	if l == nil {
		return
	}
	c := &l.Counts
	for _, row := range []struct {
		name string
		n    int
	}{
		{"texts", c.Texts}, {"texts_other_types", c.Other}, {"texts_short", c.Short}, {"texts_long", c.Long},
		{"texts_walls", c.Walls}, {"texts_over", c.Over}, {"texts_crowded", c.Crowded},
	} {
		out(row.name, row.n)
	}
}
