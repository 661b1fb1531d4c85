package offline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/public"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/html"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"

	"github.com/spf13/cobra"
)

const mineLong = `mine reads finished access logs and prints the likely rules of each site, best first:
pairs of substrings that seem to be interchangeable, and parameters that seem to mean
nothing. Likely rules follow from the log alone. No page is fetched; see validate.

The support of a rule is the number of places in the site where it holds. Below each
rule mine prints two URLs as an example, how many pairs of such URLs are alike, how
many would be by chance, and what the rule would merge. ^ and $ are the start and the
end of a URL. Rules that the log speaks against, or that chance may explain, are shown
only with --all.

A FILE is a log, plain or compressed (gzip, zstd, bzip2), a directory of rotated logs,
or - for standard input. Wrappers of docker, Kubernetes, syslog, the journal and log
shippers are removed. A FILE may also be a crawl: an index (CDXJ, Parquet), a web
archive (WARC), or a directory of archives or HTML pages. Pages with one digest are
then alike.`

const mineExamples = `  dustbuster mine access.log
  dustbuster mine --output json /var/log/nginx | jq .
  dustbuster mine -o text -o html=report.html access.log
  zcat access.log.*.gz | dustbuster mine -
  dustbuster mine --site-by domain --window 24h vhosts.log`

// Commands returns the commands that read finished logs and crawls.
func Commands() []cli.Command {
	return []cli.Command{{Name: "mine", New: newMineCommand}, {Name: "compare", New: newCompareCommand}, {Name: "near", New: newNearCommand}, {Name: "formats", New: newFormatsCommand}}
}

func newMineCommand() *cobra.Command {
	var o mineOptions
	flags, sections := o.flags()
	cmd := &cobra.Command{
		Use:     "mine FILE...",
		Short:   "print the likely rules of finished logs",
		Long:    mineLong,
		Example: mineExamples,
		Args:    cli.SomeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := flags.Config()
			if err == nil && o.top < 0 {
				err = errors.New("read flags: --top must be 0 or more")
			}
			if err != nil {
				return cli.Usage(cmd, err)
			}
			o.topJSON = o.top
			if !cmd.Flags().Changed("top") {
				o.topJSON = 0
			}
			o.configure(&c, cmd)
			o.inputs, o.given = args, flags
			return mine(cmd.Context(), args, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cli.UseSections(cmd, sections, "format", "site", "window", "min-support", "output", "top", "stats", "debug")
	return cmd
}

// mineOptions are the settings and flags of mine.
type mineOptions struct {
	ReadOptions
	inputs  []string
	given   *config.Flags // of the settings
	outputs cli.Outputs   // text, json, html
	top     int           // of a site, for people; 0: all
	topJSON int
	all     bool // for people: hidden rules too
	expand  bool // for people: a row for each rule
	stats   bool
	debug   bool        // show malformed lines
	veil    secret.Veil // masks the output for people
}

// flags returns the flags of the settings, and all flags as they are shown.
func (o *mineOptions) flags() (*config.Flags, []config.Section) {
	flags, printed := config.NewFlags(config.MineDefaults()), config.NewSection("What is printed")
	to := printed.Flags
	cli.OutputsFlag(to, &o.outputs, "json is one object a line. html is a report for a browser", "text", "json", "html")
	to.IntVar(&o.top, "top", 50, "most rules printed of a site, best first. 0 prints all, and is the default for json. The waste is by all rules all the same")
	to.BoolVar(&o.all, "all", false, "in text and html, also show the rules that are hidden: rules that chance may explain, and rules whose pages differ on the same day")
	to.BoolVar(&o.expand, "expand", false, "in text and html, give each rule a row of its own, also rules among the same texts and rules whose pages other rows join")
	to.BoolVar(&o.stats, "stats", false, "print statistics on standard error: lines read, lines left out, URLs kept")
	to.BoolVar(&o.debug, "debug", false, "print malformed lines on standard error: some of each file, with addresses masked")
	flags.Register(to, "write.withhold")
	return flags, append(flags.Sections("read -inputs -olddir", "site", "rule", "keep -state"), printed)
}

// configure takes what the settings say.
func (o *mineOptions) configure(c *config.Config, cmd *cobra.Command) {
	o.ReadOptions, o.veil = OptionsOf(c, cmd.InOrStdin()), c.Veil()
	o.Memory, o.Miner.Tally = cli.TableBytes(cli.LimitMemory(c.Keep.Memory), false), true
	o.Miner.Finished = !o.stats // which count envelopes
	o.Miner.Visits = o.outputs.In("html") != nil
	o.Miner.NoEffects = o.outputs.In("json") == nil
	if o.debug {
		o.Records.Malformed = cli.MalformedLog(cmd.ErrOrStderr(), c.Veil())
	}
}

func mine(ctx context.Context, paths []string, o mineOptions, stdout, stderr io.Writer) error {
	start := time.Now()
	cli.PaceCollections()
	var out bytes.Buffer // keeps standard output apart from the progress
	outputs, err := o.outputs.Open(&out)
	if err != nil {
		return err
	}
	read, err := Read(ctx, paths, o.ReadOptions, stderr)
	if err != nil && !errors.Is(err, ErrIncomplete) {
		return err
	}
	if ctx.Err() == nil {
		signal.Reset(os.Interrupt, syscall.SIGTERM) // an interrupt has nothing left to save; it ends the program
	}
	run := &mining{Reading: read, o: o}
	show := cli.StartProgress(stderr, "finding rules", nil)
	perr := run.print(outputs)
	show.Stop()
	if _, werr := out.WriteTo(stdout); werr != nil {
		perr = fmt.Errorf("write rules: %w", werr)
	}
	if perr == nil && (err == nil || !run.Nothing()) {
		perr = o.outputs.Commit()
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
	if err != nil && run.Nothing() {
		return ErrNothing
	}
	return cmp.Or(run.Explain(stderr), err)
}

// mining is one run of mine.
type mining struct {
	*Reading
	o     mineOptions
	pairs int // rules printed, of each kind
	drops int
	notes bytes.Buffer // as JSON lines
}

// printer prints the rules of one site after the other.
type printer interface {
	print(*mined) error
	end() error
}

type mined struct {
	site  *miner.Machine
	rules []rule.Likely
	reach *miner.Reach
	list  list
	waste page.Waste  // by the rules of the list and by the rest, as they are proposed
	days  []waste.Day // the same by day, for a report
}

// mined finds the rules of a site, and writes them as JSON while it finds what people are told of them.
func (m *mining) mined(site *miner.Machine) (*mined, error) {
	s := &mined{site: site}
	s.rules, s.reach = site.Mine()
	s.reach.Notes() // settles the machine, at which both tasks then only look
	var written, told error
	m.o.Miner.SideBySide(func() { written = m.writeJSON(s) }, func() { told = m.tell(s) })
	return s, cmp.Or(told, written)
}

// veil returns the veil of the output with what the site's log says of clients.
func (s *mined) veil(of secret.Veil) secret.Veil {
	of.Own = s.site.Own()
	return of
}

// writeJSON writes the rules of a site to the output in JSON, one rule a line.
func (m *mining) writeJSON(s *mined) error {
	to, rules := m.o.outputs.In("json"), s.rules
	if to == nil {
		return nil
	}
	if m.o.topJSON > 0 && len(rules) > m.o.topJSON {
		rules = rules[:m.o.topJSON]
	}
	hidden, veil, left := s.site.Hidden(rules, secret.Veil{}), s.veil(m.o.veil), 0
	for some := range slices.Chunk(rules, 256) {
		shown, out := marked(some, hidden, veil)
		if err := jsonl.Write(to, shown); err != nil {
			return err
		}
		hidden = hidden[len(some):]
		left += out
	}
	if left > 0 {
		return cli.WriteJSON(&m.notes, leftOutRecord{"left_out", s.site.Site(), left, "they hold text that may be a secret, or that one client alone has; --no-withhold writes them"})
	}
	return nil
}

// tell chooses the rules that people are shown, and finds the waste by them. The waste does not depend on how
// many of the rules are printed.
func (m *mining) tell(s *mined) error {
	s.list = m.list(s.rules, s.reach)
	var applied []rule.Rule
	for i := range s.list.rows {
		p := text.Propose(s.reach, s.list.rows[i].Rule.Rule)
		s.list.proposals = append(s.list.proposals, p)
		if counts(&s.list.rows[i].Rule, s.reach) {
			applied = append(applied, p.Rule)
		}
	}
	wasted, days, err := s.reach.Waste(applied)
	if err == nil {
		s.days = days
		wasted.Likely, wasted.Sample = len(applied), s.site.Sampled()
		s.waste = page.Waste(wasted)
	}
	if top := m.o.top; top > 0 && len(s.list.rows) > top {
		s.list.rest = len(s.list.rows) - top
		s.list.rows = s.list.rows[:top]
	}
	return err
}

// counts reports whether a rule counts in what duplicates cost: see shown.Counts. A rule between files such as images,
// of which no pair has one size, joins thumbnails and pictures.
func counts(r *rule.Likely, reach *miner.Reach) bool {
	if !shown.Counts(r) {
		return false
	}
	pages := reach.Pages()
	for _, pair := range reach.Pairs(&r.Rule) {
		u, v := &pages[pair[0]], &pages[pair[1]]
		if !public.IsMedia(u.URL) || !public.IsMedia(v.URL) || u.Evidence.Touches(v.Evidence) {
			return true
		}
	}
	return false
}

func (m *mining) printer(to *cli.Output) printer {
	switch to.Format {
	case "json":
		return &jsonPrinter{m}
	case "html":
		return &reportPrinter{m, to, html.New(html.Options{Veil: m.o.veil, Version: cli.Version(), Inputs: m.o.inputs,
			Hosts: HostsOf(m.o.Records.Admit.ByDomain, m.o.Records.Admit.Groups), Export: Applying{RulesFile, m.o.inputs}.Export})}
	}
	return &textPrinter{mining: m, w: to}
}

// print writes the rules of all sites to all outputs.
func (m *mining) print(outputs []*cli.Output) error {
	var printers []printer
	for _, to := range outputs {
		printers = append(printers, m.printer(to))
	}
	for site := range m.Sites.All() {
		found, err := m.mined(site)
		if err != nil {
			return err
		}
		m.count(found.rules)
		for _, p := range printers {
			if err := p.print(found); err != nil {
				return err
			}
		}
	}
	for _, p := range printers {
		if err := p.end(); err != nil {
			return err
		}
	}
	return nil
}

// jsonPrinter prints what the logs cannot tell, to standard error. mined has written the rules.
type jsonPrinter struct{ *mining }

func (p *jsonPrinter) print(m *mined) error {
	site := m.site.Site()
	return errors.Join(writeWaste(&p.notes, site, &m.waste), jsonl.WriteNotes(&p.notes, site, p.about(m.reach).Notes))
}

// writeWaste writes the waste of a site as JSON, if the log has user agents.
func writeWaste(w io.Writer, site string, of *page.Waste) error {
	if !of.Agents() {
		return nil
	}
	return cli.WriteJSON(w, struct {
		Record string `json:"kind"`
		Site   string `json:"site"`
		page.WasteRecord
	}{"waste", site, of.Record()})
}

func (*jsonPrinter) end() error { return nil }

// textPrinter prints for people. The waste of all sites comes first, sites without rules last.
type textPrinter struct {
	*mining
	w     io.Writer
	waste page.Waste
	sites bytes.Buffer
	bare  bytes.Buffer
}

func (p *textPrinter) print(m *mined) error {
	p.waste.Add(&m.waste)
	if len(m.rules) == 0 {
		return text.WriteBare(&p.bare, m.site, m.reach)
	}
	return m.printText(&p.sites, m.veil(p.o.veil))
}

func (p *textPrinter) end() error {
	if p.sites.Len() > 0 && p.bare.Len() > 0 {
		p.sites.WriteByte('\n')
	}
	p.sites.Write(p.bare.Bytes())
	if p.sites.Len() == 0 {
		return nil
	}
	if !p.o.veil.Lifted && bytes.Contains(p.sites.Bytes(), []byte("***")) {
		p.sites.WriteString("\n*** stands for a value that may be a secret, or that one client alone has\n")
	}
	_, err := fmt.Fprintf(p.w, "%s\n\n%s", &p.waste, p.sites.Bytes())
	return err
}

// leftOutRecord says how many rules a list in JSON lacks.
type leftOutRecord struct {
	Record string `json:"kind"`
	Site   string `json:"site"`
	Rules  int    `json:"rules"`
	Reason string `json:"reason"`
}

// marked returns rules of which those are marked that run would withhold, since they look like
// secrets or hold what one client alone has. Their texts have passed through the veil. Rules whose texts
// cannot be hidden one by one are left out and counted.
func marked(rules []rule.Likely, hidden []bool, veil secret.Veil) (shown []rule.Likely, left int) {
	shown = make([]rule.Likely, 0, len(rules))
	for i := range rules {
		r := rules[i]
		r.Secret = hidden[i]
		if all := r.Rule.Text(); !veil.Lifted && (hidden[i] || veil.Owns(all)) {
			r.Secret = true
			if !r.Rule.Mask(veil.Mask) || r.Rule.Validate() != nil { // two hidden sides look alike
				left++
				continue
			}
		}
		shown = append(shown, r)
	}
	return shown, left
}

// printText prints the best of a site's rules as text, and says what is left out.
func (m *mined) printText(w *bytes.Buffer, veil secret.Veil) error {
	l := &m.list
	if err := text.Write(w, m.site, veil, &text.List{Rows: l.rows, Proposals: l.proposals, Rules: len(m.rules), Reach: m.reach, Notes: l.notes.Notes, Explained: l.explained}, w.Len() > 0); err != nil {
		return err
	}
	return l.leftOut(w)
}

// list is a site's rules for people.
type list struct {
	rows      []shown.Row     // the best
	proposals []text.Proposal // of the rows, and of the rest
	rest      int             // further rows
	hidden    shown.Hidden
	notes     *notes.Site
	explained []rule.Likely // that a catch-all explains; without rows
}

// list chooses and orders a site's rules for people.
func (m *mining) list(rules []rule.Likely, reach *miner.Reach) (l list) {
	var chosen []rule.Likely
	chosen, l.hidden = shown.Choose(rules, m.o.all || m.o.Miner.Envelope.Similarity.Off)
	l.notes = m.about(reach)
	if m.o.expand {
		for _, r := range chosen {
			l.rows = append(l.rows, shown.Row{Rule: r})
		}
	} else {
		chosen, l.explained = explained(chosen, l.notes, reach)
		l.rows = shown.Fold(chosen, reach.Pairs)
	}
	return l
}

// explained parts rules from those that a catch-all explains, and reuses the slice for the rules that are left.
func explained(rules []rule.Likely, of *notes.Site, reach *miner.Reach) (left, all []rule.Likely) {
	left = rules[:0]
	for i := range rules {
		if of.Explained(&rules[i].Rule, reach.Pairs) {
			all = append(all, rules[i])
		} else {
			left = append(left, rules[i])
		}
	}
	return left, all
}

// folded returns the number of rules that share the row of another rule.
func folded(rows []shown.Row) (n int) {
	for i := range rows {
		n += rows[i].Folded()
	}
	return n
}

// leftOut says which rules of a list were not printed, why, and which flag prints them.
func (l *list) leftOut(w io.Writer) error {
	var b bytes.Buffer
	if l.rest > 0 {
		fmt.Fprintf(&b, "%d more; --top 0 prints all\n", l.rest)
	}
	if n := folded(l.rows); n > 0 {
		fmt.Fprintf(&b, "%d share the row of another rule; --expand prints them\n", n)
	}
	if n := len(l.explained); n > 0 {
		fmt.Fprintf(&b, "%d explained by pages that answer for any name; --expand prints them\n", n)
	}
	for _, line := range text.Hidden(&l.hidden) {
		fmt.Fprintln(&b, line)
	}
	if l.hidden.Total() > 0 {
		fmt.Fprintln(&b, "--all prints the hidden rules")
	}
	if b.Len() == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s", b.Bytes())
	return err
}

func (m *mining) count(rules []rule.Likely) {
	for i := range rules {
		if rules[i].Rule.Kind() == rule.KindSubstring {
			m.pairs++
		} else {
			m.drops++
		}
	}
}
