// Package trials has the command validate: rules are tried on a site until nothing is left to try.
// The daemon shares what it tells of trials: refusals, private URLs, the plan of a dry run.
package trials

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/config"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/learn/labelled"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/ours"
	"dustbuster/sinks/audit"
	"dustbuster/sinks/text"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
	"dustbuster/stream/rules"
	"dustbuster/stream/warc"

	"github.com/spf13/cobra"
)

const validateLong = `validate tests the rules of mine on your live site. For some URLs of each rule it fetches
both pages and compares them. It prints which rules are confirmed, how many duplicates
they find, and what to do next. --output json writes the confirmed rules for canon and
export.

validate is polite. It fetches one page at a time, waits between requests
(--fetch-delay), and obeys robots.txt. It tests your own hosts only (--hosts). It never
fetches URLs that look like an action or a secret (--never-fetch), nor URLs that few
visitors ask for (--fetch-kinds).

With --pages, validate makes no request. It takes the pages from a web archive, which
is also the log if you give none.

If you interrupt it, or the requests of the hour are used up (--fetch-budget), validate
prints the rules confirmed so far and ends with exit code 3.`

const validateExamples = `  dustbuster validate --origin http://127.0.0.1 access.log
  dustbuster validate --origin http://127.0.0.1 -o json=rules.jsonl access.log
  dustbuster validate --pages a.warc.gz -o json=rules.jsonl -o html=report.html
  dustbuster validate --fetch-scheme https --hosts www.example.org access.log`

// Options are what Validate tries, and how it prints.
type Options struct {
	Config  config.Config
	Rules   string      // file of rules to try; "": the likely rules of the logs, and what they lead to
	Pages   string      // web archive with the pages; "": pages are fetched
	Outputs cli.Outputs // text, json, html
	Explain bool        // as text: a table with the figures of each rule
	Near    bool        // pages of a web archive with nearly one text are equal
	Verify  bool        // ask the DNS of clients that name a crawler
	Stdin   io.Reader
	given   *config.Flags    // of the settings
	labels  *labelled.Labels // of the tables of duplicates that were read; nil: none
}

// Commands returns the command that tries rules.
func Commands() []cli.Command { return []cli.Command{{Name: "validate", New: newValidateCommand}} }

func newValidateCommand() *cobra.Command {
	var o Options
	flags, sections := o.flags()
	cmd := &cobra.Command{
		Use:     "validate [LOG...]",
		Short:   "test the rules on your live site",
		Long:    validateLong,
		Example: validateExamples,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			o.Config, err = flags.Config()
			v := &o.Config.Validate
			switch origin := v.Origin != "" || len(v.Origins) > 0 || v.Scheme != ""; {
			case err != nil:
			case origin && o.Pages != "":
				err = errors.New("--pages and an origin do not go together: give one of them")
			case !origin && o.Pages == "":
				err = errors.New("no server to test on: give --origin http://127.0.0.1 with the address of your web server, --fetch-scheme https for public sites, or --pages crawl.warc.gz")
			}
			if err != nil {
				return cli.Usage(cmd, err)
			}
			if len(args) == 0 && o.Pages != "" {
				args = []string{o.Pages}
			}
			if err := cli.SomeFiles(cmd, args); err != nil {
				return err
			}
			o.Stdin, o.given = cmd.InOrStdin(), flags
			return Validate(cmd.Context(), args, o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cli.UseSections(cmd, sections, "origin", "pages", "rules", "output", "hosts", "site", "fetch-delay", "dry-run")
	return cmd
}

// flags returns the flags of the settings, and all flags as they are shown.
func (o *Options) flags() (*config.Flags, []config.Section) {
	defaults := config.MineDefaults()
	defaults.Validate.Budget, defaults.Validate.Rate = 0, 0 // the user waits
	flags, own := config.NewFlags(defaults), config.NewSection("What is tested and printed")
	own.Flags.StringVar(&o.Rules, "rules", "", "`file` of rules to test: suggested rules of mine --output json, or published rules. By default the rules that mine finds in the logs are tested")
	own.Flags.StringVar(&o.Pages, "pages", "", "`file` of a web archive (WARC) with the pages. No request is made")
	offline.VerifyFlag(own.Flags, &o.Verify)
	offline.NearFlag(own.Flags, &o.Near)
	flags.Register(own.Flags, "write.withhold")
	cli.OutputsFlag(own.Flags, &o.Outputs, "json has only the valid rules, one object a line. html is a report for a browser", "text", "json", "html")
	own.Flags.BoolVar(&o.Explain, "explain", false, "show a table with the test results of each rule. Text only")
	return flags, append(flags.Sections("read -inputs -olddir", "site", "rule", "validate -on -publish_interval -level_interval -recheck_interval -hold_share"), own)
}

// Validate reads logs, and tries rules until nothing is left to try or ctx ends. The result goes to
// the outputs; what happens, and why rules were not tried, goes to stderr.
func Validate(ctx context.Context, paths []string, o Options, stdout, stderr io.Writer) (err error) {
	c := &o.Config
	outputs, err := o.Outputs.Open(stdout)
	if err != nil {
		return err
	}
	record, err := audit.Open(AuditFile(c), c.Veil(), sayOnce(stderr))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, record.Close()) }()
	pages, err := openPages(o.Pages, o.Near, stderr)
	if err != nil {
		return err
	}
	if pages != nil {
		defer func() { err = errors.Join(err, pages.Close()) }()
	}
	run, err := readLogs(ctx, paths, &o, stderr)
	if err != nil {
		return err
	}
	if label := run.Label(); label != nil && pages != nil {
		pages.Label(label)
	}
	candidates, err := readCandidates(o.Rules, stderr)
	if err != nil {
		return err
	}
	t, err := newTrying(c, candidates != nil, pages, record, run.PathHosts())
	if err != nil {
		return err
	}
	if err := run.Explain(stderr); err != nil {
		return err
	}
	given, err := t.begin(run, candidates, o.Outputs.In("json") != nil, stderr)
	if err != nil {
		return err
	}
	if t.planner != nil {
		if text := t.strange.String(); text != "" {
			fmt.Fprintln(stderr, "dustbuster: "+text)
		}
		return t.planner.Write(stdout, stderr, o.Outputs.In("json") != nil || c.Validate.DryRun == "json")
	}
	show := cli.StartProgress(stderr, "testing rules", nil)
	t.await(ctx, show)
	show.Stop()
	if len(t.verdicts) == 0 && len(t.unsaid()) == 0 && len(t.closed) == 0 && !t.endsEarly() && ctx.Err() == nil {
		fmt.Fprintf(stderr, "dustbuster: none of %d rules has enough URLs for a test: it takes 10 URLs that may be requested, and 3 duplicates; a longer log has more\n", given)
	}
	printed, err := t.printAll(ctx, outputs, run, paths, &o)
	if err == nil && !t.silent() {
		err = o.Outputs.Commit()
	}
	t.sayListed(run.Sites, stderr)
	err = errors.Join(err, t.sayLabelled(run.Sites, o.labels, stderr), t.sayCanonicals(stderr))
	return errors.Join(append(t.closed, err, t.left(ctx, printed, stderr))...)
}

// begin gives the worker the rules to try, and says which sites' rules are not tried, and what the
// log cannot tell. It returns the number of rules.
func (t *trying) begin(run *offline.Reading, candidates map[string][]rule.Candidate, asJSON bool, stderr io.Writer) (given int, err error) {
	t.tellFigures(run.Sites)
	given, closed := t.giveAll(run.Sites, candidates)
	if t.hidden > 0 {
		fmt.Fprintf(stderr, "dustbuster: %d rules look like secrets, so they are not tested; --no-withhold tests them\n", t.hidden)
	}
	if len(t.sites) == 0 {
		return 0, t.nothing(run.Sites, closed, candidates != nil)
	}
	if len(closed) > 0 {
		fmt.Fprintf(stderr, "dustbuster: %d more sites, such as %q, have no origin, so their rules are not tested: see --site-origin and --fetch-scheme\n", len(closed), closed[0])
	}
	err = t.sayNotes(stderr, run.Sites, asJSON)
	for _, site := range t.sites { // from now on the worker reads the machines
		t.offer(site)
	}
	return given, err
}

// offer gives a site to the worker, which asks for its window when its turn comes.
func (t *trying) offer(site string) {
	if t.planner == nil {
		t.worker.Offer(site, t.given[site].list)
	}
}

// windowOf returns the machine of a site and its candidates, for a goroutine of the worker.
func (t *trying) windowOf(_ context.Context, site string) (*miner.Machine, []rule.Candidate) {
	g := t.given[site]
	return g.machine, g.list
}

type triedSite struct {
	machine *miner.Machine
	list    []rule.Candidate
}

// printAll prints the outcome to all outputs, and returns the number of rules that may be published.
func (t *trying) printAll(ctx context.Context, outputs []*cli.Output, run *offline.Reading, paths []string, o *Options) (published int, err error) {
	list := t.published()
	next := following{o: o, logs: paths, holding: len(list), early: ctx.Err() != nil || t.endsEarly()}
	next.unproved, next.requests = t.unproved()
	for _, to := range outputs {
		switch to.Format {
		case "json":
			err = list.Write(to)
		case "html":
			err = t.printReport(to, run, paths, &next)
		default:
			err = t.printText(to, run, &next)
		}
		if err != nil {
			break
		}
	}
	return len(list), err
}

// openPages opens a web archive; nil if none is named.
func openPages(path string, digests bool, stderr io.Writer) (*warc.Archive, error) {
	if path == "" {
		return nil, nil
	}
	pages, err := warc.Open(path, digests)
	if err == nil {
		fmt.Fprintf(stderr, "dustbuster: %q has the pages of %d URLs\n", path, pages.Len())
	}
	return pages, err
}

func (t *trying) nothing(sites *miner.Sites, closed []string, given bool) error {
	switch {
	case len(t.strange.sites) > 0:
		return errors.New("no rule is tested: " + t.strange.String())
	case len(closed) > 0 && closed[0] == "":
		return errors.New("no rule is tested: the log names no host. Name the site with --site, or its server with --origin")
	case len(closed) > 0:
		return fmt.Errorf("no rule is tested: site %q has no server to fetch from. See --origin, --site-origin and --fetch-scheme", closed[0])
	case given:
		return errors.New("there is no rule to test: the rules are of other sites than the log. Name the site of the log with --site")
	}
	why := "none was found in the log (dustbuster mine shows what is there)"
	if all := slices.Collect(sites.All()); len(all) == 1 && t.hidden == 0 {
		seen := all[0].Reach().See()
		why = "none was found in the log. " + seen.String()
	}
	return errors.New("there is no rule to test: " + why)
}

// readLogs reads logs. For a report it counts hits.
func readLogs(ctx context.Context, paths []string, o *Options, stderr io.Writer) (*offline.Reading, error) {
	c := &o.Config
	how := offline.OptionsOf(c, o.Stdin)
	lists, err := cli.ReadLists(c.Rule.Lists, func(said string) { fmt.Fprintln(stderr, "dustbuster: "+said) })
	if err != nil {
		return nil, err
	}
	how.Miner.Lists = lists
	if how.Miner.Labels, err = cli.ReadLabels(c, how.Records.Admit, func(said string) { fmt.Fprintln(stderr, "dustbuster: "+said) }); err != nil {
		return nil, err
	}
	o.labels = how.Miner.Labels
	how.Memory, how.Miner.Tally = cli.TableBytes(cli.LimitMemory(c.Keep.Memory), true), o.Outputs.In("html") != nil
	how.Miner.Visits = how.Miner.Tally
	how.Verify(o.Verify)
	how.Near, how.Pages = o.Near, o.Pages
	var without []string // files without user agents
	if len(c.Read.IgnoreClients) == 0 {
		how.Records.Agentless = func(path, format string) { without = append(without, fmt.Sprintf("%q, %s", path, format)) }
	}
	run, err := offline.Read(ctx, paths, how, stderr)
	for _, file := range without {
		fmt.Fprintf(stderr, "dustbuster: %s: %s\n", file, NoAgents)
	}
	switch {
	case !errors.Is(err, offline.ErrIncomplete) || ctx.Err() != nil:
		return run, err
	case run.Nothing():
		return run, offline.ErrNothing
	}
	return run, nil // already reported
}

// readCandidates reads the rules of a file; nil if none is named. Rules that are left out are named
// on stderr.
func readCandidates(path string, stderr io.Writer) (map[string][]rule.Candidate, error) {
	if path == "" {
		return nil, nil
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	defer in.Close()
	return rules.ReadCandidates(in, func(err error) { fmt.Fprintf(stderr, "dustbuster: %s: %v\n", path, err) })
}

// trying is one run of validate.
type trying struct {
	fetcher  *fetch.Fetcher
	worker   *prober.Worker
	verdicts map[string]tried // by id
	news     []tried          // verdicts that were not told yet
	sites    []string
	given    map[string]triedSite // by site
	waits    chan prober.Report
	refused  *Refusals
	named    canonicals
	closed   []error  // reasons for which sites were given up: their servers are down
	hours    []string // sites whose requests of the hour are used up
	rests    []string // sites at rest: their servers want no more requests
	spent    bool     // so are those in all
	config   *config.Config
	audit    *audit.File                  // nil: none
	planner  *planner                     // nil: this is no dry run
	hidden   int                          // rules not tried, since they look like secrets
	last     map[string]prober.SiteStatus // as the trials end
	strange  strangers                    // sites of which nothing says that they are the user's
}

// tried is a rule of a site with its verdict.
type tried struct {
	site string
	book.Entry
}

// newTrying prepares trials of given rules only, or also of rules found in the canonical
// forms. Pages come from an archive, or from the sites if nil. hosts are those that the paths of the logs name.
func newTrying(c *config.Config, given bool, pages *warc.Archive, record *audit.File, hosts []string) (*trying, error) {
	t := &trying{config: c, strange: strangers{domains: c.Site.By == "domain"}, audit: record, refused: NewRefusals(c.Veil(), nil), verdicts: map[string]tried{}, given: map[string]triedSite{}, waits: make(chan prober.Report, 1024)}
	o := c.Fetch()
	o.Version, o.Digest, o.Trace, o.CacheBytes = cli.Version(), prober.Digest, t.fetched, cli.PageBytes(cli.LimitMemory(c.Keep.Memory))
	if pages != nil {
		o.Archive = pages
	}
	var err error
	if t.fetcher, err = fetch.New(o); err != nil {
		return nil, cli.WrongUsage(err)
	}
	v := c.Lifecycle(offline.Key)
	v.LevelEvery, v.RecheckEvery = 0, 0 // the user waits
	v.PublishFirst = v.PublishEvery     // the list is printed at the end
	v.PublishAgain = v.PublishEvery
	v.GivenOnly, v.HoldShare = given, 1
	if pages != nil {
		v.Has, v.SecondAfter = t.fetcher.Has, 0
	}
	var named *ours.Sites // nil: nobody but the user can have put pages into an archive
	if pages == nil {
		if named, err = c.Ours(false, hosts...); err != nil {
			return nil, cli.WrongUsage(err)
		}
	}
	t.worker = prober.New(prober.Options{Ours: named, Under: t.fetcher.Under,
		Lifecycle: v, Fetcher: t.fetcher, Reserve: config.Kept(c.Validate.Budget), Kept: config.Kept(c.Validate.Total), Turns: prober.NewTurns(t.fetcher, prober.TurnsOptions{Views: cli.ViewBytes(cli.LimitMemory(c.Keep.Memory))}), Once: true, Report: t.report})
	t.worker.TakeWindows(t.windowOf)
	if c.Validate.DryRun != "" {
		t.planner = NewPlanner(t.fetcher, t.worker, c.Veil())
	}
	return t, nil
}

// fetched is called by many goroutines.
func (t *trying) fetched(e fetch.Event) {
	t.audit.Fetched(e)
	t.refused.Fetched(e)
}

// Many goroutines call report, but verdicts come only from Take, which validate itself
// calls.
func (t *trying) report(r prober.Report) {
	t.audit.Reported(r)
	switch {
	case r.Verdict != nil:
		t.take(tried{r.Site, *r.Verdict})
	case r.Judged != nil:
		t.refused.Judged(r.Judged)
		t.named.add(r.Site, &r.Judged.U, &r.Judged.V)
	case r.Origin != nil && !r.Origin.Apart:
		t.strange.add(r.Site, len(t.given[r.Site].list), r.Origin.Words)
	case r.Wait != nil:
		select {
		case t.waits <- r:
		default: // the site is asked again all the same
		}
	}
}

// giveAll gives the worker all sites that may be fetched from, with their candidates; nil:
// the likely rules. It returns the number of rules, and the sites without a configured
// origin.
func (t *trying) giveAll(sites *miner.Sites, candidates map[string][]rule.Candidate) (given int, closed []string) {
	for m := range sites.All() {
		list := candidates[m.Site()]
		if candidates == nil {
			list = forms.Candidates(m.AllRules())
		}
		list = t.shown(list, m.Public())
		switch {
		case len(list) == 0:
		case t.worker.CanTry(m.Site()) && t.worker.MayBeOurs(m.Site()):
			t.give(m, list)
			given += len(list)
		case t.worker.CanTry(m.Site()):
			t.strange.add(m.Site(), len(list), "")
		default:
			closed = append(closed, m.Site())
		}
	}
	return given, closed
}

// shown returns the rules of a site as they may be published. public reports which runs of
// letters and digits are public in the site's rules. Rules that look like secrets are left
// out and counted.
func (t *trying) shown(list []rule.Candidate, public func(run string) bool) (shown []rule.Candidate) {
	hides := func(text string) bool { return t.config.Veil().HidesBut(text, public) }
	for _, c := range list {
		made, ok := c.Rule.Shown(hides)
		if !ok {
			t.hidden++
			continue
		}
		c.Rule = made
		shown = append(shown, c)
	}
	return shown
}

func (t *trying) give(m *miner.Machine, list []rule.Candidate) {
	t.sites = append(t.sites, m.Site())
	if t.planner != nil {
		t.planner.Add(m, list)
		return
	}
	t.given[m.Site()] = triedSite{m, list}
}

// await waits until nothing is left to try, and shows how far the trials are.
func (t *trying) await(ctx context.Context, show *cli.Progress) {
	say := show.Say
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	defer func() {
		t.tell(show)
		if len(t.verdicts) == 0 && len(t.closed) == len(t.sites) {
			return // no server can be asked, as the error says
		}
		for _, line := range private(t.worker.Status()) {
			say(line)
		}
		say(fmt.Sprintf("dustbuster: %s tested, %d confirmed; %s", text.Count(len(t.verdicts), "rule"), t.count(rule.Valid), text.Count(int(t.fetcher.Stats().Requests), "request")))
		if n, requests := t.unproved(); n > 0 {
			say(fmt.Sprintf("dustbuster: %s passed the first test only: about %s complete the test", text.Count(n, "rule"), text.Count(requests, "more request")))
		}
		for _, line := range t.refused.sum() {
			say(line)
		}
		for _, line := range slices.Concat(t.unsaid(), ended(t.last)) {
			say("dustbuster: " + line)
		}
	}()
	defer t.end(ctx)
	interrupted, enough := ctx.Done(), make(<-chan time.Time)
	for t.worker.Busy() || t.resume(ctx, say) || t.wake() {
		select {
		case <-tick.C:
		case <-interrupted:
			interrupted, enough = nil, t.interrupt(say)
		case <-enough:
			return
		}
		t.worker.Drain() // reported, and not saved
		t.tell(show)
		show.Describe(t.now(show.Room()))
		for _, line := range t.refused.Take() {
			say("dustbuster: " + line)
		}
	}
}

// wake gives the worker the sites that stopped in favor of other sites. False: there are
// none.
func (t *trying) wake() bool {
	names := t.worker.Rested()
	for _, site := range names {
		t.offer(site)
	}
	return len(names) > 0
}

// resume waits until a site that is waited for may be asked again. A site whose robots.txt
// cannot be fetched is given up, since the user waits.
func (t *trying) resume(ctx context.Context, say func(string)) bool {
	select {
	case r := <-t.waits:
		switch r.Wait.Reason {
		case fetch.Spent:
			t.spent = true
			return true
		case fetch.Budget:
			t.hours = append(t.hours, r.Site)
			return true
		case fetch.Resting:
			t.rests = append(t.rests, r.Site)
			return true
		case fetch.Closed:
			hint := ""
			var failed *fetch.Error
			switch {
			case errors.As(r.Wait.Err, &failed) && (failed.Reason == fetch.Network || failed.Reason == fetch.Timeout):
				hint = "\nis the server up, and is --origin its address?"
			case r.Site == "":
				hint = "\nthe log names no host: if the server expects another name than that of --origin, give it with --site"
			}
			t.closed = append(t.closed, fmt.Errorf("site %q: cannot read robots.txt, so nothing is fetched: %w%s", r.Site, r.Wait.Err, hint))
			return true
		}
		say(fmt.Sprintf("dustbuster: site %q is left alone until %s", r.Site, r.Wait.Until.Format(time.TimeOnly)))
		select {
		case <-time.After(time.Until(r.Wait.Until)):
			t.offer(r.Site)
		case <-ctx.Done():
		}
		return true
	default:
		return false
	}
}

func (t *trying) count(state rule.State) (n int) {
	for _, v := range t.verdicts {
		if v.State == state {
			n++
		}
	}
	return n
}

// unproved returns the number of rules that hold provisionally, and about how many requests their proofs
// take.
func (t *trying) unproved() (n, requests int) {
	for _, v := range t.verdicts {
		if v.IsProvisional() {
			n++
			requests += requestsLeft(&v.Entry)
		}
	}
	return n, requests
}

// requestsLeft is about how many requests the proof of a rule takes: two for each pair that is missing, if no document
// serves two rules. A rule has about as many pairs as it merged forms when it joined: its support may be that of a few
// pairs alone.
func requestsLeft(e *book.Entry) int {
	most := trial.Defaults()
	return 2 * most.Missing(max(e.Gain, most.First), e.Verdict.Samples)
}

// ordered returns the rules that were tried, by site, valid rules first.
func (t *trying) ordered() []tried {
	order := map[rule.State]int{rule.Valid: 0, rule.Undecided: 1, rule.Refuted: 2}
	all := slices.Collect(maps.Values(t.verdicts))
	slices.SortFunc(all, func(a, b tried) int {
		return cmp.Or(cmp.Compare(a.site, b.site), cmp.Compare(order[a.State], order[b.State]), cmp.Compare(a.Rank, b.Rank),
			cmp.Compare(b.Support, a.Support), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// NoAgents is the warning of a format in which dustbuster's own fetches look like those of others.
const NoAgents = "the log has no user agents, so requests by dustbuster count like those of visitors: name this machine's addresses with --ignore-clients"
