package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/weight"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/table"
	"dustbuster/sinks/text"
	"dustbuster/stream/files"
	"dustbuster/stream/records"

	"github.com/spf13/cobra"
)

const mineLong = `mine reads finished access logs and prints the likely rules of each site, best first:
pairs of substrings that seem to be interchangeable, and parameters that seem to mean
nothing. Likely rules follow from the log alone. No page is fetched; see validate.

The support of a rule is the number of places in the site where it holds. Below each
rule mine prints two URLs as an example, how many pairs of such URLs are alike, how
many would be by chance, and what the rule would merge. ^ and $ are the start and the
end of a URL. Rules that chance may explain are shown only with --all.

A FILE is a log, plain or compressed (gzip, zstd, bzip2), a directory of rotated logs,
or - for standard input. Wrappers of docker, Kubernetes, syslog, the journal and log
shippers are removed. A FILE may also be a crawl: an index (CDXJ), a web archive
(WARC), or a directory of archives or HTML pages. Pages with one digest are then alike.`

const mineExamples = `  dustbuster mine access.log
  dustbuster mine --output json /var/log/nginx | jq .
  dustbuster mine --output html access.log > report.html
  zcat access.log.*.gz | dustbuster mine -
  dustbuster mine --site-by domain --window 24h vhosts.log`

func newMineCommand() *cobra.Command {
	var f mineFlags
	cmd := &cobra.Command{
		Use:     "mine FILE...",
		Short:   "print the likely rules of finished logs",
		Long:    mineLong,
		Example: mineExamples,
		Args:    someFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := f.options(cmd)
			if err != nil {
				return usage(cmd, err)
			}
			o.inputs = args
			return mine(cmd.Context(), args, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	useSections(cmd, f.sections(), "format", "site", "window", "min-support", "output", "top", "stats", "debug")
	return cmd
}

// mineOptions are the settings made from the flags of mine.
type mineOptions struct {
	files    files.Options
	records  records.Options
	miner    miner.Options
	maxSites int
	memory   int64 // limit of the sites' memory; 0: no limit
	inputs   []string
	output   string // text, json or html
	top      int
	all      bool // of the text: rules of little weight too
	expand   bool // of the text: a row for each rule
	stats    bool
	veil     secret.Veil // masks the output for people
}

// errIncomplete reports rules printed from incomplete input.
var errIncomplete = errors.New("not everything could be read; the rules are of what could")

// errNothing is instead of errIncomplete where there is nothing to have rules of.
var errNothing = errors.New("nothing could be read")

func mine(ctx context.Context, paths []string, o mineOptions, stdout, stderr io.Writer) error {
	start := time.Now()
	logs, err := files.Open(paths, o.files)
	if err != nil {
		return err
	}
	var show *progress
	o.records.Detected = func(path, format string) {
		show.say(fmt.Sprintf("dustbuster: lines of a further format are in %q, and are read as well: %s", path, format))
	}
	in, err := records.New(logs, o.records)
	if err != nil {
		return &usageError{err}
	}
	defer in.Close()
	run := newMining(o)
	show = startProgress(stderr, "reading", logs.Progress)
	err = run.read(ctx, in, show.say)
	show.stop()
	if err != nil && !errors.Is(err, errIncomplete) {
		return err
	}
	if ctx.Err() == nil {
		signal.Reset(os.Interrupt, syscall.SIGTERM) // an interrupt has nothing left to save; it ends the program
	}
	var out bytes.Buffer // keeps the output apart from the progress
	show = startProgress(stderr, "finding rules", nil)
	perr := run.print(&out)
	show.stop()
	if _, werr := out.WriteTo(stdout); werr != nil {
		perr = fmt.Errorf("write rules: %w", werr)
	}
	if perr != nil {
		return perr
	}
	if _, werr := run.notes.WriteTo(stderr); werr != nil {
		return fmt.Errorf("write notes: %w", werr)
	}
	if o.stats {
		run.stats(stderr, time.Since(start))
	}
	if err != nil && run.counts.Lines == run.counts.Unknown {
		return errNothing
	}
	return cmp.Or(run.explain(stderr), err)
}

// mining is one run of mine.
type mining struct {
	o       mineOptions
	sites   *miner.Sites
	counts  records.Counts
	formats map[string]int // files by format
	dropped [table.Outcomes]int
	sized   int // observations with a size or a digest
	pairs   int // rules printed, of each kind
	drops   int
	notes   bytes.Buffer // as JSON lines
}

func newMining(o mineOptions) *mining {
	m := &mining{o: o, sites: miner.NewSites(o.maxSites, o.miner), formats: map[string]int{}}
	m.sites.SetBudget(o.memory)
	return m
}

// read folds all records. An error in one file is reported, and reading goes on. It then
// returns errIncomplete.
func (m *mining) read(ctx context.Context, in *records.Reader, say func(string)) (err error) {
	file, format := "", ""
	defer func() { m.counts = m.counts.Final() }()
	for {
		b, next := in.Read(ctx)
		switch {
		case next == nil:
			if b.Path == file && b.Format != format { // a change of format has been reported
				m.formats[format]--
			}
			if b.Path != file || b.Format != format {
				file, format = b.Path, b.Format
				m.formats[format]++
			}
			m.fold(b)
			b.Release()
		case errors.Is(next, io.EOF):
			return err
		case records.AboutOneFile(next):
			say("dustbuster: " + advised(next).Error())
			err = errIncomplete
		case ctx.Err() != nil:
			say("dustbuster: interrupted")
			return errIncomplete
		default:
			return next
		}
	}
}

func (m *mining) fold(b *records.Batch) {
	m.counts.Add(&b.Counts)
	for i := range b.Records {
		r := &b.Records[i]
		_, outcome := m.sites.Fold(r.Site, &r.Observation)
		m.dropped[outcome]++
		if r.Max > 0 || r.DigestMax != 0 {
			m.sized++
		}
	}
	m.sites.Pruned() // no other code refers to pruned machines
	m.sites.TakeCut()
}

// print writes the rules of all sites. As text, sites without rules come last.
func (m *mining) print(w io.Writer) error {
	if m.o.output == "html" {
		return m.printReport(w)
	}
	var bare []*miner.Machine
	first := true
	for site := range m.sites.All() {
		rules := site.AllRules()
		m.count(rules)
		var err error
		switch {
		case m.o.output == "json":
			err = errors.Join(jsonl.Write(w, marked(site, m.best(rules))), jsonl.WriteNotes(&m.notes, site.Site(), site.Notes()))
		case len(rules) == 0:
			bare = append(bare, site)
		default:
			err = m.printText(w, site, rules, !first)
			first = false
		}
		if err != nil {
			return err
		}
	}
	return text.WriteBare(w, bare, !first)
}

// marked marks the rules that run would withhold, since they look like secrets.
func marked(site *miner.Machine, rules []rule.Likely) []rule.Likely {
	for i, hidden := range site.Hidden(rules, secret.Veil{}) {
		rules[i].Secret = hidden
	}
	return rules
}

// printText prints the best of a site's rules as text, and says what is left out.
func (m *mining) printText(w io.Writer, site *miner.Machine, rules []rule.Likely, apart bool) error {
	rows, rest, hidden := m.rows(rules)
	if err := text.Write(w, site, m.o.veil, rows, len(rules), apart); err != nil {
		return err
	}
	return leftOut(w, rest, folded(rows), hidden)
}

// rows returns the best of a site's rules for people, and the numbers of further rows and of
// hidden rules.
func (m *mining) rows(rules []rule.Likely) (rows []text.Row, rest, hidden int) {
	shown, hidden := text.Order(rules, m.o.all || m.o.miner.Envelope.Similarity.Off)
	rows = text.Rows(shown, m.o.expand)
	if m.o.top > 0 && len(rows) > m.o.top {
		rest = len(rows) - m.o.top
		rows = rows[:m.o.top]
	}
	return rows, rest, hidden
}

// folded returns the number of rules that share the row of another rule.
func folded(rows []text.Row) (n int) {
	for _, r := range rows {
		n += r.Others
	}
	return n
}

// leftOut says which rules were not printed, why, and which flag prints them.
func leftOut(w io.Writer, rest, folded, hidden int) error {
	var b bytes.Buffer
	if rest > 0 {
		fmt.Fprintf(&b, "%d more; --top 0 prints all\n", rest)
	}
	if folded > 0 {
		fmt.Fprintf(&b, "%d like others but for the context; --expand prints them\n", folded)
	}
	if hidden > 0 {
		fmt.Fprintf(&b, "%d hidden, of a weight below %d: chance can make their pages as alike; --all prints them\n", hidden, weight.Shown)
	}
	if b.Len() == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s", b.Bytes())
	return err
}

func (m *mining) count(rules []rule.Likely) {
	for i := range rules {
		if rules[i].Rule.Kind == rule.Substring {
			m.pairs++
		} else {
			m.drops++
		}
	}
}

// best returns the best rules, up to the requested number.
func (m *mining) best(rules []rule.Likely) []rule.Likely {
	if m.o.top > 0 && len(rules) > m.o.top {
		return rules[:m.o.top]
	}
	return rules
}
