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
	"strings"
	"sync"
	"syscall"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/judge/trial"
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

const mineLong = `mine reads finished access logs and says which URLs of your site show the same page. It
prints what these duplicates cost, and the few rules that find most of them. It fetches
no page: validate tests the rules.

--explain adds the evidence for each rule: two URLs as an example, how many pairs of
such URLs have similar pages, and how many would have them by accident. ^ and $ are
the start and the end of a URL.

A FILE is a log, plain or compressed (gzip, zstd, bzip2), a directory of rotated logs,
or - for standard input. Wrappers of docker, Kubernetes, syslog, the journal and log
shippers are removed. A FILE may also be a crawl: an index (CDXJ, Parquet), a web
archive (WARC), or a directory of archives or HTML pages. Pages with one digest are
then alike. With --near-text, so are pages of an archive with nearly one text.`

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
		Short:   "find out which URLs of a log show the same page",
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
			o.topJSON, o.brief = o.top, !o.explain && !o.all && !o.expand
			if cmd.Flags().Changed("top") {
				o.brief = false
			} else {
				o.topJSON = 0
			}
			if err := o.configure(&c, cmd); err != nil {
				return err
			}
			o.inputs, o.given = args, flags
			return mine(cmd.Context(), args, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cli.UseSections(cmd, sections, "format", "site", "window", "output", "explain", "top", "stats", "debug")
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
	brief   bool // as text: only the rules that find nearly all duplicates
	all     bool // for people: hidden rules too
	expand  bool // for people: a row for each rule
	explain bool // as text: the evidence of each rule
	stats   bool
	verify  bool
	near    bool
	debug   bool        // show malformed lines
	veil    secret.Veil // masks the output for people
}

// flags returns the flags of the settings, and all flags as they are shown.
func (o *mineOptions) flags() (*config.Flags, []config.Section) {
	flags, printed := config.NewFlags(config.MineDefaults()), config.NewSection("What is printed")
	to := printed.Flags
	cli.OutputsFlag(to, &o.outputs, "json is one object a line. html is a report for a browser", "text", "json", "html")
	to.BoolVar(&o.explain, "explain", false, "show the evidence for each rule. Text only: html always has it")
	to.IntVar(&o.top, "top", 50, "show at most this many rules of a site. 0 shows all. The default is the few rules that find nearly all duplicates in text, 50 in html, and all in json")
	to.BoolVar(&o.all, "all", false, "also show rules that are probably wrong. Text and html only")
	to.BoolVar(&o.expand, "expand", false, "show similar rules one by one. Text and html only")
	to.BoolVar(&o.stats, "stats", false, "print how many lines were read and skipped, and why. The output goes to standard error")
	to.BoolVar(&o.debug, "debug", false, "print some lines that could not be read. The output goes to standard error, and addresses are masked")
	VerifyFlag(to, &o.verify)
	NearFlag(to, &o.near)
	flags.Register(to, "write.withhold")
	return flags, append(flags.Sections("read -inputs -olddir", "site", "rule", "keep -state"), printed)
}

// configure takes what the settings say.
func (o *mineOptions) configure(c *config.Config, cmd *cobra.Command) (err error) {
	o.ReadOptions, o.veil = OptionsOf(c, cmd.InOrStdin()), c.Veil()
	o.Verify(o.verify)
	o.Near = o.near
	o.Memory, o.Miner.Tally = cli.TableBytes(cli.LimitMemory(c.Keep.Memory), false), true
	o.Miner.Finished = !o.stats // which count envelopes
	o.Miner.Visits = o.outputs.In("html") != nil
	o.Miner.NoEffects = o.outputs.In("json") == nil
	if o.debug {
		o.Records.Malformed = cli.MalformedLog(cmd.ErrOrStderr(), c.Veil())
	}
	say := func(said string) { fmt.Fprintln(cmd.ErrOrStderr(), "dustbuster: "+said) }
	if o.Miner.Lists, err = cli.ReadLists(c.Rule.Lists, say); err != nil {
		return err
	}
	o.Miner.Labels, err = cli.ReadLabels(c, o.Records.Admit, say)
	return err
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
	if o.Miner.Lists != nil {
		fmt.Fprintf(stderr, "dustbuster: %s dustbuster validate tests them\n", run.listed.Looks(o.veil.Mask))
	}
	if o.Miner.Labels != nil {
		fmt.Fprintln(stderr, "dustbuster: "+run.labelled.Outcome("these rules", o.veil.Mask))
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

	listed   text.Listed   // with lists of parameters
	labelled text.Labelled // with tables of duplicates
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
	s.list = m.list(s)
	var applied []rule.Rule
	for i := range s.list.rows {
		row := &s.list.rows[i]
		p := text.Propose(s.reach, row.Rule.Rule)
		s.list.proposals = append(s.list.proposals, p)
		if shown.Counts(&row.Rule) && row.Unasked == "" {
			applied = append(applied, p.Rule)
		}
	}
	if labels := m.o.Miner.Labels; labels != nil {
		if err := m.labelled.Site(labels, s.site.Site(), applied, s.reach.Pages()); err != nil {
			return err
		}
	}
	wasted, days, err := s.reach.Waste(applied)
	if err == nil {
		s.days = days
		wasted.Likely, wasted.Sample = len(applied), s.site.Sampled()
		s.waste = page.Waste(wasted)
	}
	if m.o.outputs.In("text") != nil {
		s.save()
	}
	if top := m.o.top; top > 0 && len(s.list.rows) > top {
		s.list.rest = len(s.list.rows) - top
		s.list.rows = s.list.rows[:top]
	}
	return err
}

// save finds what each row alone would have spared the clients that the text is about, those that change most URLs first.
// Rows that do not count in the waste come last.
func (s *mined) save() {
	l := &s.list
	counts := func(i int) bool { return shown.Counts(&l.rows[i].Rule) && l.rows[i].Unasked == "" }
	order := make([]int, len(l.rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(l.proposals[b].Effect.URLs, l.proposals[a].Effect.URLs)
	})
	who, _ := (*waste.Told)(&s.waste).Who()
	all := s.reach.Savings(who.Mask())
	l.savings = make([]miner.Saving, len(l.rows))
	for _, i := range order {
		if counts(i) {
			l.savings[i] = all.Add(&l.proposals[i].Rule)
		}
	}
	l.saved = all.URLs
	for i := range l.rows {
		if !counts(i) {
			l.savings[i] = all.Add(&l.proposals[i].Rule)
			l.savings[i].New = 0
		}
	}
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
	w        io.Writer
	waste    page.Waste
	sites    bytes.Buffer
	bare     bytes.Buffer
	requests int // that the rules shown take to test
	shown    int // rules shown
}

func (p *textPrinter) print(m *mined) error {
	p.waste.Add(&m.waste)
	if len(m.rules) == 0 {
		return text.WriteBare(&p.bare, m.site, m.reach)
	}
	if p.o.explain {
		return m.printText(&p.sites, m.veil(p.o.veil))
	}
	return p.printShort(m)
}

// printShort prints the rules of a site that find nearly all duplicates, or all rows.
func (p *textPrinter) printShort(m *mined) error {
	l, veil := &m.list, m.veil(p.o.veil)
	s := text.Short{List: m.textList(), Savings: l.savings, Digests: l.notes.Sized.Digests > 0}
	if s.First, s.Share = text.First(l.savings[:len(l.rows)], l.saved); !p.o.brief {
		s.First, s.All = nil, true
		for i := range l.rows {
			s.First = append(s.First, i)
		}
	}
	if p.sites.Len() > 0 {
		p.sites.WriteByte('\n')
	}
	named := m.site.Site() != "" || p.sites.Len() > 0
	if err := text.WriteShort(&p.sites, m.site, veil, &s, named); err != nil {
		return err
	}
	for _, i := range s.First {
		if l.rows[i].Unasked == "" {
			p.requests += 2 * trial.Defaults().Enough(max(l.proposals[i].Effect.URLs, trial.Defaults().First))
			p.shown++
		}
	}
	return l.notShown(&p.sites, len(l.rows)-len(s.First)+l.rest)
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
		p.sites.WriteString("\n*** hides a value that may be a secret or a single visitor's own.\n")
	}
	if p.shown > 0 {
		fmt.Fprintf(&p.sites, "\nNext: %s:\n  %s\n", p.effort(), p.test(""))
	}
	_, err := fmt.Fprintf(p.w, "%s\n\n%s", strings.Join(p.waste.Lines(), "\n"), p.sites.Bytes())
	return err
}

// effort says what it takes to test the rules shown.
func (p *textPrinter) effort() string {
	about := roundly(p.requests)
	return fmt.Sprintf("test the rules on your site (about %s for %s, %s at one a second)", text.Count(about, "request"),
		verb(p.shown, "this rule", fmt.Sprintf("these %d", p.shown)), text.Count(max(1, about/60), "minute"))
}

// roundly rounds a number up to two digits.
func roundly(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit - 1) / unit * unit
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
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

// printText prints the best of a site's rules as text with their evidence, and says what is left out.
func (m *mined) printText(w *bytes.Buffer, veil secret.Veil) error {
	if err := text.Write(w, m.site, veil, m.textList(), w.Len() > 0); err != nil {
		return err
	}
	return m.list.leftOut(w, m.list.rest)
}

func (m *mined) textList() *text.List {
	l := &m.list
	return &text.List{Rows: l.rows, Proposals: l.proposals, Rules: len(m.rules), Reach: m.reach, Notes: l.notes.Notes, Explained: l.explained}
}

// list is a site's rules for people.
type list struct {
	rows      []shown.Row     // the best
	proposals []text.Proposal // of the rows, and of the rest
	rest      int             // further rows
	hidden    shown.Hidden
	notes     *notes.Site
	explained []rule.Likely  // that a catch-all explains; without rows
	savings   []miner.Saving // of the rows and of the rest; nil: not asked for
	saved     int            // duplicates that they find together
}

// list chooses and orders a site's rules for people.
func (m *mining) list(s *mined) (l list) {
	all := m.o.all || m.o.Miner.Envelope.Similarity.Off
	chosen, hidden := shown.Choose(s.rules, all)
	window := m.window(s)
	if !all {
		chosen, hidden.Files = window.WithoutFiles(chosen)
	}
	l.hidden, l.notes = hidden, m.about(s.reach)
	if m.o.Miner.Lists != nil {
		m.listed.Mined(miner.Listed(s.reach), chosen, s.rules)
	}
	if m.o.expand {
		for _, r := range chosen {
			l.rows = append(l.rows, shown.Row{Rule: r})
		}
	} else {
		chosen, l.explained = explained(chosen, l.notes, s.reach)
		l.rows = window.Values(shown.Fold(chosen, s.reach.Pairs))
	}
	l.rows = window.Last(l.rows)
	return l
}

// window returns what the choice of rules for people asks of a site.
func (m *mining) window(s *mined) *shown.Window {
	w := &shown.Window{Pages: s.reach.Pages(), Pairs: s.reach.Pairs, Acts: actions().In}
	if s.site.ManyClients() {
		masks := s.site.Clients()
		w.Asked = sync.OnceValue(func() *public.Kinds {
			return public.New(Key, len(w.Pages), func(yield func(string, uint16) bool) {
				for i := range w.Pages {
					if !yield(w.Pages[i].URL, masks[w.Pages[i].Number]) {
						return
					}
				}
			})
		})().Asked
	}
	return w
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

// leftOut says which rules of a list were not printed, why, and which flag prints them. rest is the number of rows that
// were not.
func (l *list) leftOut(w io.Writer, rest int) error {
	var b bytes.Buffer
	if rest > 0 {
		fmt.Fprintf(&b, "%s: --top 0 shows all, --explain shows the evidence.\n", text.Count(rest, "more rule"))
	}
	if n := folded(l.rows); n > 0 {
		fmt.Fprintf(&b, "%s to these: --expand shows them.\n", verb(n, "1 rule is similar", fmt.Sprintf("%d rules are similar", n)))
	}
	if n := len(l.explained); n > 0 {
		fmt.Fprintf(&b, "%s pages that your site shows for any name: --expand shows them.\n", verb(n, "1 rule joins", fmt.Sprintf("%d rules join", n)))
	}
	for _, line := range text.Hidden(&l.hidden) {
		fmt.Fprintf(&b, "%s.\n", line)
	}
	if l.hidden.Total() > 0 {
		fmt.Fprintln(&b, "--all shows the hidden rules.")
	}
	if b.Len() == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s", b.Bytes())
	return err
}

// notShown says in a line how many rules of a list were not printed, and which flags print them.
func (l *list) notShown(w io.Writer, rest int) error {
	var parts []string
	for _, part := range []struct {
		rules    int
		of, flag string
	}{
		{rest, "more rule", "--top 0"},
		{folded(l.rows) + len(l.explained), "similar rule", "--expand"},
		{l.hidden.Total(), "doubtful rule", "--all"},
	} {
		if part.rules > 0 {
			parts = append(parts, fmt.Sprintf("%s (%s)", text.Count(part.rules, part.of), part.flag))
		}
	}
	if parts == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "Not shown: %s. --explain shows the evidence.\n", strings.Join(parts, ", "))
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
