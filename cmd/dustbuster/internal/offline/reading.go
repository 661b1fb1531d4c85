// Package offline has the commands that read finished logs and crawls, and end: mine, compare, near
// and formats. Other commands read logs with Read.
package offline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/judge/label"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/sinks/html"
	"dustbuster/sinks/page"
	"dustbuster/stream/claims"
	"dustbuster/stream/files"
	"dustbuster/stream/records"
)

// Key is the key of the hashes that shed a flood. It is fixed, so the same logs give the same
// rules.
var Key = [2]uint64{0x64757374, 0x62757374}

// ReadOptions are how finished logs are read.
type ReadOptions struct {
	Files    files.Options
	Records  records.Options
	Miner    miner.Options
	MaxSites int
	Memory   int64 // limit of the sites' memory; 0: no limit
	Workers  int   // goroutines that read lines side by side; 1: one reads and one folds, in the order of the lines

	Near     bool            // web archives are read twice: their pages of nearly one text get one label in the place of digests
	Pages    string          // a further archive whose pages get labels; "": none
	Resolver claims.Resolver // asks the DNS of clients that name a crawler; nil: they are believed
}

// OptionsOf returns the options of a configuration.
func OptionsOf(c *config.Config, stdin io.Reader) ReadOptions {
	o := ReadOptions{Files: c.Files(), Records: c.Records(config.Input{}, Key), Miner: c.Miner(Key), MaxSites: c.Keep.MaxSites}
	o.Files.Stdin, o.Miner.Table.Days = stdin, true
	o.Workers = runtime.GOMAXPROCS(0)
	if o.Workers > 1 {
		o.Miner.Together = together
	}
	return o
}

// Reading is what was read of finished logs.
type Reading struct {
	folder
	Counts  records.Counts
	o       ReadOptions
	formats map[string]int // files by format
	near    *label.Labels  // nil: pages have their digests
	sharing                // of the lines among goroutines
}

type folder struct {
	Sites   *miner.Sites
	dropped [table.Outcomes]int
	sized   int // observations with a size or a digest
}

func (f *folder) fold(site string, o *evidence.Observation) {
	_, outcome := f.Sites.Fold(site, o)
	f.dropped[outcome]++
	if o.Max > 0 || o.DigestMax != 0 {
		f.sized++
	}
}

var (
	// ErrIncomplete reports rules made from incomplete input.
	ErrIncomplete = errors.New("some input could not be read; the rules are those of the rest")
	// ErrNothing is instead of ErrIncomplete where there is nothing to have rules of.
	ErrNothing = errors.New("nothing could be read")

	errInterrupted = errors.New("interrupted")
)

// NewReading returns a reading of nothing yet.
func NewReading(o ReadOptions) *Reading {
	o.MaxSites = cli.MostSites(o.MaxSites, o.Memory)
	r := &Reading{o: o, folder: folder{Sites: miner.NewSites(o.MaxSites, o.Miner)}, formats: map[string]int{}}
	r.Sites.SetBudget(o.Memory)
	return r
}

// Read reads finished logs, and shows how far it is. An error in one file is reported, and reading
// goes on; then the reading is returned with ErrIncomplete.
func Read(ctx context.Context, paths []string, o ReadOptions, stderr io.Writer) (*Reading, error) {
	o = o.shared()
	if o.Resolver != nil {
		var err error
		if o, err = o.verified(ctx, paths, func(text string) { fmt.Fprintln(stderr, text) }); err != nil {
			return nil, err
		}
	}
	logs, err := files.Open(paths, o.Files)
	if err != nil {
		return nil, err
	}
	o.Records.Hosts = logs.Hosts()
	var labels *label.Labels
	if o.Near {
		if labels, err = o.nearText(ctx, logs, stderr); err != nil {
			return nil, err
		}
	}
	if labels != nil {
		o.Records.Admit.Label = labels.Of
	}
	r := NewReading(o)
	r.near = labels
	if err := r.share(); err != nil {
		return nil, cli.WrongUsage(err)
	}
	show := cli.StartProgress(stderr, "reading", logs.Progress)
	defer show.Stop()
	err = r.readAll(ctx, logs, show.Say)
	r.merge()
	r.Counts = r.Counts.Final()
	r.tellHosts(logs.Folders(), show.Say)
	if errors.Is(err, errInterrupted) {
		show.Say("dustbuster: interrupted")
		err = ErrIncomplete
	}
	return r, err
}

// tellHosts says which sites the lines are of that name no host: those in the paths of the logs, or one site, though the logs
// are in several folders.
func (r *Reading) tellHosts(folders []string, say func(string)) {
	if hosts := r.PathHosts(); len(hosts) > 0 {
		say(fmt.Sprintf("dustbuster: the log lines have no host, so the host in the path of each log is used: %d sites, such as %s\n"+
			"--site-from-path=false makes one site of all logs, and --site HOST names it", len(hosts), hosts[0]))
		return
	}
	if r.Sites.Of("") != nil && len(folders) > 1 {
		say(fmt.Sprintf("dustbuster: the log lines have no host, so the logs of %d folders count as one site: %s, %s\n"+
			"for several sites, read each folder by itself with --site, or log the host", len(folders), folders[0], folders[1]))
	}
}

// PathHosts returns the hosts that the paths of the logs have told, sorted.
func (r *Reading) PathHosts() []string {
	if r.Counts.Hosted == 0 {
		return nil
	}
	return slices.Compact(slices.Sorted(maps.Values(r.o.Records.Hosts)))
}

// readOne reads the files of a source, one after the other.
func (r *Reading) readOne(ctx context.Context, logs *files.Reader, say func(string)) error {
	in, err := records.New(logs, r.o.Records)
	if err != nil {
		return cli.WrongUsage(err)
	}
	defer in.Close()
	return r.read(ctx, in, say)
}

func (r *Reading) read(ctx context.Context, in *records.Reader, say func(string)) (err error) {
	file, format := "", ""
	for {
		b, next := in.Read(ctx)
		switch {
		case next == nil:
			for _, format := range b.Further {
				say(fmt.Sprintf("dustbuster: %q has lines in another format, which are read as well: %s", b.Path, format))
			}
			r.add(b, &file, &format)
			b.Release()
		case errors.Is(next, io.EOF):
			return err
		case records.AboutOneFile(next):
			say("dustbuster: " + cli.Advised(next).Error())
			err = ErrIncomplete
		case ctx.Err() != nil:
			return errInterrupted
		default:
			return next
		}
	}
}

// add folds a batch. file and format are those of the batch before it.
func (r *Reading) add(b *records.Batch, file, format *string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if b.Path == *file && b.Format != *format { // a change of format has been reported
		r.formats[*format]--
	}
	if b.Path != *file || b.Format != *format {
		*file, *format = b.Path, b.Format
		r.formats[*format]++
	}
	r.Counts.Add(&b.Counts)
	r.foldLeft(b.Records)
}

// Nothing reports whether no line of any file could be read.
func (r *Reading) Nothing() bool { return r.Counts.Lines == r.Counts.Unknown }

// Report returns what was read, for a page.
func (r *Reading) Report() html.Read {
	read := html.Read{Lines: r.Counts.Lines, Hits: r.Counts.Reasons[admit.Admitted]}
	read.Nothing, _ = r.nothing()
	for _, why := range r.refusals() {
		read.Refused = append(read.Refused, html.Reason{Name: why.name, Lines: why.lines})
	}
	return read
}

// tooMalformed is the share of malformed lines, one in so many, from which on a mistake is
// likely.
const tooMalformed = 10

// Explain prints the reasons for an empty list of rules, and avoidable losses of lines and
// hits. If there are requests and none counts, the reason is an error.
func (r *Reading) Explain(w io.Writer) error {
	say := func(format string, args ...any) { fmt.Fprintf(w, "dustbuster: "+format+"\n", args...) }
	c := &r.Counts
	known := c.Lines - c.Unknown
	if c.Reasons[admit.Admitted] > 0 && r.sized == 0 && !r.o.Miner.Envelope.Similarity.Off {
		say("no line has the size of its page, so pages cannot be compared\n" +
			"add the size to the log, or see what --no-size-match gives")
	}
	if c.Malformed*tooMalformed > known {
		say("%d of %d lines are malformed\nsee some with --debug; if the detected format is wrong, name it with --format", c.Malformed, known)
	}
	if n := r.shed(); n > 0 {
		say("at least %d hits left out: their sites have more than %d URLs (--max-urls), or take more than their shares of the memory (--memory)", n, r.o.Miner.Table.MaxURLs)
	}
	if n := r.cutURLs(); n > 0 {
		say("%d URLs left out: the sites took more than their shares of the memory (--memory)", n)
	}
	if n := r.Sites.Beyond(); n > 0 {
		say("%d hits left out: the log names more than %d sites (--max-sites), and only those with the most URLs are kept\n"+
			"name your hosts with --hosts", n, r.o.MaxSites)
	}
	for site := range r.Sites.Held() {
		if newest, _ := site.Newest(); time.Until(time.Unix(newest, 0)) > 24*time.Hour {
			say("the newest line of site %q is of %s, which is in the future. --window counts from there, so all other lines may be left out",
				site.Site(), time.Unix(newest, 0).UTC().Format(time.DateOnly))
			break
		}
	}
	explainTexts(r, say)
	why, idle := r.nothing()
	if why != "" && !idle {
		return errors.New(why)
	}
	if why != "" {
		say("%s", why)
	}
	return nil
}

// cutURLs returns the least number of URLs removed for want of memory.
func (r *Reading) cutURLs() (n int) {
	for site := range r.Sites.Held() {
		n += site.CutURLs()
	}
	return n
}

// refusal is a number of lines not admitted for one reason.
type refusal struct {
	name  string
	lines int
}

// refusals returns the lines not admitted, by reason.
func (r *Reading) refusals() (all []refusal) {
	add := func(why string, n int) {
		if n > 0 {
			all = append(all, refusal{why, n})
		}
	}
	for why, n := range r.Counts.Reasons {
		if admit.Reason(why) != admit.Admitted {
			add(admit.Reason(why).String(), n)
		}
	}
	add("malformed", r.Counts.Malformed)
	add("unknown_format", r.Counts.Unknown)
	add("wrapper", r.Counts.Wrapping)
	add("other", r.Counts.Other)
	add("oversized", r.Counts.Oversized)
	add("blank", r.Counts.Blank)
	add("directive", r.Counts.Directive)
	return all
}

// shed is the least number of hits lost to --max-urls: a URL replaced by another URL had
// one or more hits.
func (r *Reading) shed() int { return r.dropped[table.Shed] + r.dropped[table.KeptInstead] }

// nothing returns the reason for which no line counts; "" if a line counts. Idle reports that there
// is no request either, as in the log of an idle server, which is no failure.
func (r *Reading) nothing() (why string, idle bool) {
	c := &r.Counts
	requests := c.Lines - c.Blank - c.Directive
	switch {
	case c.Reasons[admit.Admitted] > 0:
		return "", false
	case c.Lines == 0:
		return "the input is empty", true
	case requests > 0 && c.Oversized == requests:
		return fmt.Sprintf("no line counts: all %d are longer than %d bytes (--max-line)", requests, r.o.Files.MaxLine), false
	}
	return fmt.Sprintf("none of %d lines is a GET answered with a whole page: %s", c.Lines, r.refused()), requests == 0
}

// refused returns the counts of lines not admitted, by reason.
func (r *Reading) refused() string {
	var parts []string
	for _, why := range r.refusals() {
		parts = append(parts, fmt.Sprintf("%s %d (%s)", why.name, why.lines, page.LineWords[why.name]))
	}
	return strings.Join(parts, ", ")
}

// about returns what the logs cannot tell about a site. That nobody asked for the URLs of a list is no
// news.
func (r *Reading) about(site *miner.Reach) *notes.Site {
	all := site.Notes()
	if r.lists() {
		s := *all
		s.Notes = slices.DeleteFunc(slices.Clone(s.Notes), func(n notes.Note) bool { return n.Kind == notes.NoClient })
		return &s
	}
	return all
}

// lists reports whether all that was read are lists of URLs: formats of weblog in which nobody asks.
func (r *Reading) lists() bool {
	for names, files := range r.formats {
		for name := range strings.SplitSeq(names[strings.IndexByte(names, '/')+1:], "+") {
			if files > 0 && !isList(name) {
				return false
			}
		}
	}
	return true
}

func isList(name string) bool {
	p, err := weblog.New(name)
	return err == nil && p.Fields()&weblog.HasClient == 0
}
