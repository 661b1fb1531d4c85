package daemon

import (
	"cmp"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/trials"
	"dustbuster/config"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
	"dustbuster/sinks/audit"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"

	"go.uber.org/zap"
)

// newWorker returns a worker for trials; nil if rules are not tried.
func (d *alone) newWorker() (*prober.Worker, error) {
	o, err := d.trying(nil)
	if o != nil {
		d.worker = prober.New(*o)
	}
	return d.worker, err
}

// trying returns the options for trials, with a fetcher; nil if rules are not tried. allow
// is called before each request; may be nil.
func (d *process) trying(allow func(site string) bool) (*prober.Options, error) {
	c := d.config.Load()
	d.refused = trials.NewRefusals(c.Veil(), d.warnRefused)
	if !c.Validate.Tries() {
		d.log.Info("rules are not tested, so the list has suggested rules only; --origin names the server to test them on")
		return nil, nil
	}
	var err error
	if d.audit, err = audit.Open(trials.AuditFile(c), c.Veil(), func(err error) { d.log.Error("cannot write a line of the audit file", cli.Retried(err)) }); err != nil {
		return nil, err
	}
	o := c.Fetch()
	o.Version, o.Digest, o.Trace, o.Allow, o.CacheBytes = cli.Version(), prober.Digest, d.traceFetch, allow, cli.PageBytes(d.memory)
	if d.fetcher, err = fetch.New(o); err != nil {
		return nil, err
	}
	named, err := c.Ours(allow != nil)
	if err != nil {
		return nil, err
	}
	turns := prober.NewTurns(d.fetcher, prober.TurnsOptions{Views: cli.ViewBytes(d.memory), Rate: o.Rate, OriginDelay: min(cmp.Or(o.OriginDelay, o.Delay), o.Delay)})
	return &prober.Options{Lifecycle: c.Lifecycle(d.key), Fetcher: d.fetcher, Reserve: c.Validate.Budget / 4, Kept: config.Kept(c.Validate.Total),
		Turns: turns, Evidence: prober.NewEvidence(), Dry: c.Validate.DryRun != "", Report: d.report, Every: d.Fresh, Refresh: d.Fresh,
		Ours: named, Under: d.fetcher.Under}, nil
}

// traceFetch logs each request and each refusal.
func (d *process) traceFetch(e fetch.Event) {
	d.audit.Fetched(e)
	d.refused.Fetched(e)
	for _, line := range d.refused.Take() {
		d.log.Info(line, zap.String("site", e.Site))
	}
	d.log.Debug("fetch "+string(e.Kind), zap.String("site", e.Site), zap.String("url", d.mask(e.URL)), zap.Int("status", e.Status),
		zap.Int64("bytes", e.Bytes), zap.Duration("took", e.Took), zap.String("reason", string(e.Reason)), zap.String("error", d.why(e.Err)))
}

// mask masks a URL for the log.
func (d *process) mask(url string) string { return d.config.Load().Veil().Mask(url) }

// why is the text of an error that may quote a URL; "" for nil.
func (d *process) why(err error) string {
	if err == nil {
		return ""
	}
	return d.mask(err.Error())
}

// closeAudit closes the audit file, when nothing is fetched any more.
func (d *process) closeAudit() {
	if err := d.audit.Close(); err != nil {
		d.log.Error("cannot close the audit file", cli.Cause(err))
	}
}

// warnRefused logs reasons that keep pairs from being tried, now and then.
func (d *process) warnRefused(what, like, remedy string, n int) {
	fields := []zap.Field{zap.String("what", what), zap.Int("times", n), zap.String("first", like)}
	if remedy != "" {
		fields = append(fields, zap.String("remedy", remedy))
	}
	switch {
	case trials.Provisional[what]:
		d.log.Info("some pages proved nothing when they were compared; they may count later", fields...)
	case trials.Unproven[what]:
		d.log.Warn("some pages prove nothing", fields...)
	default:
		d.log.Warn("some pages cannot be tested", fields...)
	}
}

// report logs the results of trials.
func (d *process) report(r prober.Report) {
	d.audit.Reported(r)
	site := zap.String("site", r.Site)
	switch {
	case r.Verdict != nil:
		d.verdicts.Add(&r)
		d.reportVerdict(r.Verdict, site)
	case r.Published != nil:
		p := r.Published
		d.log.Info("rules published", site, zap.Int64("sequence", p.Sequence), zap.Int("rules", len(p.Records)), zap.Int("provisional", p.Provisional()), zap.Int("retired", len(p.Retired)),
			zap.Int("urls_changed", p.Sample.URLs), zap.Int("samples", p.Sample.Samples), zap.Int("negatives", p.Sample.Negatives), zap.Float64("bound", p.Sample.Bound))
		if len(p.Retired) > 0 {
			d.log.Warn("rules were withdrawn: export again the files that contain these ids; dustbuster export --check finds them", site, zap.Strings("ids", p.Retired))
		}
	case r.Pending != nil:
		d.log.Warn("rules wait for your approval: they would change more URLs than --hold-share allows; approve or reject them on the dashboard, or POST {\"site\": SITE, \"mark\": MARK} to /api/v1/approve or reject",
			site, zap.Int("rules", r.Pending.Rules), zap.Float64("share", r.Pending.Share), zap.String("mark", r.Pending.Mark))
	case r.Strange:
		d.log.Warn("is this site yours? Its rules are not tested, since anybody can send a host name: name it with --hosts, or approve it on the dashboard or with POST {\"site\": SITE} to /api/v1/sites", site)
	case r.Origin != nil:
		d.log.Info("asked the server whether it knows this host", site, zap.Bool("apart", r.Origin.Apart), zap.String("why", r.Origin.Words))
	case r.Private != nil:
		d.reportPrivate(r.Private, site)
	case r.Idle != nil:
		d.reportIdle(r.Idle, site)
	case r.Wait != nil && r.Wait.Reason == fetch.Spent:
		d.log.Warn("all requests of --fetch-total are used: nothing more is fetched until the next start", site)
	case r.Wait != nil:
		d.log.Info("site is left alone for a while", site, zap.Time("until", r.Wait.Until), zap.String("reason", string(r.Wait.Reason)), zap.String("why", d.why(r.Wait.Err)))
	case r.Judged != nil:
		t := r.Judged
		d.refused.Judged(t)
		d.log.Debug("pair tried", site, zap.String("u", d.mask(t.Pair.Asked())), zap.String("v", d.mask(t.Pair.V)), zap.String("rule", t.Pair.Rule),
			zap.String("outcome", t.Outcome), zap.String("reason", t.Reason))
	}
}

// reportIdle logs why nothing is tried on a site. That a log suggests no rule is no news.
func (d *process) reportIdle(now *lifecycle.Now, site zap.Field) {
	level, until := zap.InfoLevel, zap.Skip()
	if now.Why == lifecycle.NoneLikely {
		level = zap.DebugLevel
	}
	if now.Until > 0 {
		until = zap.Time("until", time.Unix(now.Until, 0))
	}
	d.log.Log(level, "nothing is tested at present", site, zap.String("reason", string(now.Why)), zap.String("why", now.Words()), until)
}

// reportVerdict logs a verdict, with the pair of pages that speaks for it.
func (d *process) reportVerdict(e *book.Entry, site zap.Field) {
	v := &e.Verdict
	fields := []zap.Field{site, zap.String("id", e.ID), zap.String("edit", e.Rule.Words()), zap.Any("rule", &e.Rule),
		zap.Int("positives", v.Positives), zap.Int("negatives", v.Negatives), zap.Int("skipped", v.Skipped),
		zap.Float64("bound", v.Bound), zap.String("reason", v.Reason)}
	if e.IsProvisional() {
		fields = append(fields, zap.String("step", string(v.Step)))
	}
	if len(v.Examples) > 0 {
		first := &v.Examples[0] // a pair that does not hold, if there is one
		fields = append(fields, zap.String("u", d.mask(first.U)), zap.String("v", d.mask(first.V)), zap.String("outcome", first.Outcome))
	}
	d.log.Info("rule "+string(e.State), fields...)
	if e.Pinned && e.State != rule.Valid {
		d.log.Warn("a pinned rule no longer passes its test", site, zap.String("id", e.ID), zap.String("state", string(e.State)), zap.String("reason", v.Reason))
	}
}

// reportPrivate logs the URLs that are never requested.
func (d *process) reportPrivate(p *forms.Private, site zap.Field) {
	for _, said := range trials.FewClients(p) {
		d.log.Warn(said, site, zap.Int("rules_waiting", p.Rules))
	}
	if p.Secret+p.OneClient+p.Unasked > 0 {
		d.log.Info("URLs that are never requested", site, zap.Int("urls", p.URLs), zap.Int("secret", p.Secret), zap.String("first_secret", p.FirstSecret),
			zap.Int("one_client", p.OneClient), zap.String("first_one_client", p.FirstOneClient),
			zap.Int("unasked", p.Unasked), zap.String("first_unasked", p.FirstUnasked))
	}
}
