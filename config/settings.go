package config

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/learn/miner"
)

// setting is one row of the table: a setting in one Config.
type setting struct {
	key   string // as in the file, with dots between levels
	value value
	flag  string // its name; "": no flag
	usage string // of the flag

	ok    func() bool   // reports whether the value is allowed; nil: all values of the type are
	want  string        // the expected value
	wrong func() string // for mistakes beyond ok: the rest of the sentence; "": no mistake

	refused func() string // the same, from the package that uses the value and checks the value again on use

	bare    string // the value of the flag alone; "": the flag needs a value
	filled  bool   // the flag's value may not be empty
	inverse bool   // the flag is the negative of the value
	live    bool   // a running daemon can take a new value over
	secret  bool   // never shown
}

// problem returns the mistake in the value just read, as the rest of a sentence that begins
// with the setting's name; "": no mistake.
func (s *setting) problem() string {
	switch {
	case s.ok != nil && !s.ok() && s.secret:
		return " must be " + s.want
	case s.ok != nil && !s.ok():
		return fmt.Sprintf(" must be %s, got %q", s.want, s.value)
	case s.wrong != nil && s.wrong() != "":
		return s.wrong()
	case s.refused != nil:
		return s.refused()
	}
	return ""
}

// settings are all settings of a Config, in the order of the file. A setting writes into
// its own Config.
func (c *Config) settings() []setting {
	return slices.Concat(c.inputSettings(), c.outputSettings(), c.adminSettings(), c.logSettings(), c.siteSettings(), c.boundSettings(), c.ruleSettings(), c.trialSettings(), c.kafkaSettings(), c.operationSettings())
}

func (c *Config) inputSettings() []setting {
	return []setting{
		{key: "inputs", value: &inputs{&c.Inputs}, live: true, wrong: func() string { return wrongInputs(c.Inputs) }, flag: "tail",
			usage: "follow a log: `path` or pattern, directory of logs, named pipe, or - for standard input; may be repeated"},
		{key: "olddir", value: &list{&c.Olddir}, live: true, ok: func() bool { return !slices.Contains(c.Olddir, "") }, want: "directories", flag: "olddir",
			usage: "`directory` into which logrotate moves rotated logs (its olddir); a relative one lies beside each log; may be repeated"},
		{key: "format", value: text(&c.Format), live: true, refused: func() string { return wrongFormat(c.Format) }, flag: "format",
			usage: "log `format`: a name (see dustbuster formats list), or nginx's log_format or Apache's LogFormat as it stands in the configuration; before it, or alone, may stand a wrapper, as in syslog/combined; what is not given is told from the first lines"},
		{key: "site", value: text(&c.Site), live: true, refused: func() string { return wrongSite(c.Site) }, flag: "site",
			usage: "`host` of logs that name none"},
	}
}

func (c *Config) outputSettings() []setting {
	e := &c.Events
	return []setting{
		{key: "state", value: text(&c.State), ok: func() bool { return c.State != "" }, want: "a directory", flag: "state",
			usage: "`directory` of what is kept over a restart"},
		{key: "rules", value: text(&c.Rules), flag: "rules",
			usage: "`file` of the rules; -: standard output; in the state directory if not given"},
		{key: "events.file", value: text(&e.File), flag: "events",
			usage: "`file` of events; -: standard output; in the state directory if not given"},
		{key: "events.max_size", value: number(&e.MaxSize), live: true, ok: within(&e.MaxSize, 0, math.MaxInt), want: "0 or more bytes", flag: "events-max-size",
			usage: "`bytes` after which a new file of events is begun; 0: never"},
		{key: "events.keep", value: number(&e.Keep), live: true, ok: within(&e.Keep, 0, 10_000), want: "0 to 10,000 files", flag: "events-keep",
			usage: "old `files` of events kept"},
	}
}

func (c *Config) adminSettings() []setting {
	a := &c.Admin
	return []setting{
		{key: "admin.listen", value: text(&a.Listen), ok: func() bool { return isListen(a.Listen) }, want: `host:port such as 127.0.0.1:9464, or ""`, flag: "admin-listen",
			usage: "`host:port` of metrics, health and API; \"\": none; beyond loopback it wants a token, such as --admin-token-file"},
		{key: "admin.hosts", value: &list{&a.Hosts}, wrong: func() string { return wrongNames(a.Hosts) }, flag: "admin-hosts",
			usage: "`names` by which requests may call that listener, such as that of a proxy: localhost and, beyond loopback, addresses need not be named; with commas between or repeated"},
		{key: "admin.token_file", value: text(&a.TokenFile), flag: "admin-token-file",
			usage: "`file` of the token of operators, who may do everything; files of tokens are read again at SIGHUP"},
		{key: "admin.read_token_file", value: text(&a.ReadTokenFile), flag: "admin-read-token-file",
			usage: "`file` of the token of readers: status, metrics, rules, pages"},
		{key: "admin.report_token_file", value: text(&a.ReportTokenFile), flag: "admin-report-token-file",
			usage: "`file` of the token of crawlers that post reports and pages"},
		{key: "admin.allow_origin", value: &list{&a.AllowOrigin}, wrong: func() string { return wrongOrigins(a.AllowOrigin) }, flag: "admin-allow-origin",
			usage: "`origins` whose web pages may read the rules (CORS), such as https://crawler.example; with commas between or repeated"},
		{key: "admin.pages_from", value: &list{&a.PagesFrom}, wrong: func() string { return wrongClients(a.PagesFrom) }, flag: "admin-pages-from",
			usage: "`addresses` and networks of crawlers that may post the pages that they fetched: 127.0.0.1, 192.0.2.0/24; none if not given; with commas between or repeated"},
		{key: "admin.connections", value: number(&a.Connections), ok: within(&a.Connections, 1, 1_000_000), want: "1 to 1,000,000", flag: "admin-connections",
			usage: "connections to that listener at once; a quarter of the descriptors of files is the most"},
		{key: "admin.peer_connections", value: number(&a.PeerConnections), ok: within(&a.PeerConnections, 1, 1_000_000), want: "1 to 1,000,000", flag: "admin-peer-connections",
			usage: "connections of one address at once"},
		{key: "admin.trusted_proxies", value: &list{&a.TrustedProxies}, wrong: func() string { return wrongClients(a.TrustedProxies) }, flag: "admin-trusted-proxies",
			usage: "`addresses` and networks of proxies in front, which --admin-peer-connections does not bound; with commas between or repeated"},
		{key: "admin.header_timeout", value: span(&a.HeaderTimeout), ok: atLeast(&a.HeaderTimeout, 100*time.Millisecond), want: "100ms or more", flag: "admin-header-timeout",
			usage: "time within which a request must have sent its header"},
	}
}

func (c *Config) logSettings() []setting {
	return []setting{
		{key: "log.level", value: text(&c.Log.Level), live: true, ok: oneOf(&c.Log.Level, "debug", "info", "warn", "error"), want: "debug, info, warn or error", flag: "log-level",
			usage: "`debug|info|warn|error`"},
		{key: "log.format", value: text(&c.Log.Format), ok: oneOf(&c.Log.Format, "auto", "console", "json"), want: "auto, console or json", flag: "log-format",
			usage: "`auto|console|json`; auto is console on a terminal, json elsewhere"},
	}
}

func (c *Config) siteSettings() []setting {
	m := &c.Mining
	return []setting{
		{key: "mining.site_by", value: text(&m.SiteBy), ok: oneOf(&m.SiteBy, "host", "domain"), want: "host or domain", flag: "site-by",
			usage: "`host|domain`; domain makes one site of all hosts of a registrable domain, so that rules between them are found"},
		{key: "mining.groups", value: &groups{&m.Groups}, refused: func() string { return wrongGroups(m.Groups) }, flag: "group",
			usage: "make one site of several `hosts`: name=\"www.example.org *.example.net\"; may be repeated"},
		{key: "mining.hosts", value: &list{&m.Hosts}, live: true, refused: func() string { return wrongHosts(m.Hosts) }, flag: "hosts",
			usage: "`hosts` that count, *.example.org for all below one: others are left out; with commas between or repeated"},
		{key: "mining.ignore_clients", value: &list{&m.IgnoreClients}, live: true, wrong: func() string { return wrongClients(m.IgnoreClients) }, flag: "ignore-clients",
			usage: "leave out clients, such as own robots: `addresses` or networks, with commas between or repeated"},
	}
}

func (c *Config) boundSettings() []setting {
	m := &c.Mining
	return []setting{
		{key: "mining.window", value: span(&m.Window), ok: func() bool { return m.Window == 0 || m.Window >= time.Second }, want: "0, or a second or more", flag: "window",
			usage: "how far back from the newest line to look, such as 24h; 0: everything"},
		{key: "mining.pane", value: span(&m.Pane), ok: func() bool { return m.Pane >= time.Second }, want: "a second or more", flag: "pane",
			usage: "by what step the window moves"},
		{key: "mining.max_urls", value: number(&m.MaxURLs), ok: within(&m.MaxURLs, 1, math.MaxInt), want: "1 or more", flag: "max-urls",
			usage: "URLs kept of a site in a pane; of more, a sample that keeps the forms of a page together"},
		{key: "mining.max_sites", value: number(&m.MaxSites), ok: within(&m.MaxSites, 1, math.MaxInt), want: "1 or more", flag: "max-sites",
			usage: "sites kept; of more, those with the most URLs"},
		// Each of several buffers holds a line: hence the upper bound.
		{key: "mining.max_line", value: number(&m.MaxLine), ok: within(&m.MaxLine, 1, 64<<20), want: "1 to 67,108,864", flag: "max-line",
			usage: "bytes of a line; longer ones are left out, as URLs below are"},
		{key: "mining.max_url_bytes", value: number(&m.MaxURLBytes), ok: within(&m.MaxURLBytes, 1, math.MaxInt), want: "1 or more", flag: "max-url-bytes",
			usage: "bytes of a URL"},
		{key: "mining.max_url_tokens", value: number(&m.MaxURLTokens), ok: within(&m.MaxURLTokens, 1, 65_000), want: "1 to 65,000", flag: "max-url-tokens",
			usage: "tokens of a URL: words, numbers, and the marks between them"},
	}
}

// largestBucket bounds T: a new URL is compared with all other URLs of its buckets, and
// each bucket has lists of up to 2 T members.
const largestBucket = 1000

func (c *Config) ruleSettings() []setting {
	m := &c.Mining
	return []setting{
		{key: "mining.min_support", value: number(&m.MinSupport), ok: within(&m.MinSupport, 1, math.MaxInt32), want: "1 to 2,147,483,647", flag: "min-support",
			usage: "support of a likely rule (MS)"},
		{key: "mining.max_tokens", value: number(&m.MaxTokens), ok: within(&m.MaxTokens, 0, math.MaxInt), want: "0 or more", flag: "max-tokens",
			usage: "tokens of the longest substring (S)"},
		{key: "mining.bucket_low", value: number(&m.BucketLow), ok: within(&m.BucketLow, 2, largestBucket), want: "2 to 1,000, since a bucket of one has no pair", flag: "bucket-low",
			usage: "URLs in the largest bucket that counts for the support (T low)"},
		{key: "mining.bucket_high", value: number(&m.BucketHigh), ok: within(&m.BucketHigh, 2, largestBucket), want: "2 to 1,000, since a bucket of one has no pair", flag: "bucket-high",
			usage: "the same for the support by which redundant rules are found (T high)"},
		{key: "mining.size_tolerance", value: share(&m.SizeTolerance), ok: func() bool { return m.SizeTolerance >= 0 && m.SizeTolerance < 1 }, want: "a share from 0 to below 1", flag: "size-tolerance",
			usage: "how far apart sizes of one page may be, as a `share`; 0 is the paper's test"},
		{key: "mining.size_match", value: toggle(&m.SizeMatch), inverse: true, flag: "no-size-match",
			usage: "take every two URLs for similar, whatever their sizes"},
		{key: "mining.params", value: toggle(&m.Params), inverse: true, flag: "no-params",
			usage: "no parameter rules"},
		{key: "mining.refine", value: toggle(&m.Refine), inverse: true, flag: "no-refine",
			usage: "redundant rules as well (no phase 2)"},
		{key: "mining.learners", value: &list{&m.Learners}, wrong: func() string { return wrongLearners(m.Learners) }, flag: "learners",
			usage: "`names` of the learners that look for rules, with commas between: " + strings.Join(miner.Learners(), ", ")},
		{key: "mining.learner_rules", value: number(&m.LearnerRules), ok: within(&m.LearnerRules, 0, math.MaxInt32), want: "0 to 2,147,483,647", flag: "learner-rules",
			usage: "rules kept of each learner that looks at the whole window, those of greatest weight; 0: all"},
	}
}

func (c *Config) trialSettings() []setting {
	t := &c.Trial
	return []setting{
		{key: "validate.on", value: toggle(&t.On), inverse: true, flag: "no-validate",
			usage: "do not try rules on the site: the rules told are the likely ones"},
		{key: "validate.origin", value: text(&t.Origin), refused: func() string { return wrongOrigin(Trial{Origin: t.Origin}) }, flag: "origin",
			usage: "`url` of the server that pages are fetched from, such as http://127.0.0.1:8080; the site's name stays in the Host header"},
		{key: "validate.origins", value: &names{&t.Origins}, refused: func() string { return wrongOrigin(Trial{Origins: t.Origins}) }, flag: "site-origin",
			usage: "the same of one `site`: www.example.org=http://10.0.0.7; may be repeated"},
		{key: "validate.scheme", value: text(&t.Scheme), ok: oneOf(&t.Scheme, "", "http", "https"), want: `http, https or ""`, flag: "fetch-scheme",
			usage: "`http|https`; fetch sites without an origin by their own names, from public addresses only"},
		{key: "validate.private", value: &list{&t.Private}, wrong: func() string { return wrongClients(t.Private) }, flag: "origin-network",
			usage: "let origins lead into a private `network`, such as 10.0.0.0/8; may be repeated"},
		{key: "validate.contact", value: text(&t.Contact), refused: func() string { return wrongOrigin(Trial{Contact: t.Contact}) }, flag: "contact",
			usage: "`address` or page for the user agent, by which the site's owner finds you"},
		{key: "validate.actions", value: &list{&t.Actions}, refused: func() string { return wrongOrigin(Trial{Actions: t.Actions}) }, flag: "never-fetch",
			usage: "`words` of URLs that are never fetched, since to ask for them may do something; standard: the words of a dozen languages, from which -WORD leaves one out"},
		{key: "validate.never_fetch_path", value: &list{&t.NeverPaths}, refused: func() string { return wrongOrigin(Trial{NeverPaths: t.NeverPaths}) }, flag: "never-fetch-path",
			usage: "`patterns` of paths that are never fetched, as in robots.txt: /admin/, *.cgi$, /shop/*/order; may be repeated"},
		{key: "validate.fetch_kinds", value: text(&t.Kinds), ok: oneOf(&t.Kinds, "public", "any"), want: "public or any", flag: "fetch-kinds",
			usage: "`public|any`; public: fetch only URLs of the kinds that at least three clients asked for in the log"},
		{key: "validate.veto", value: &list{&t.Veto}, wrong: func() string { return wrongIDs(t.Veto) }, flag: "veto", filled: true,
			usage: "`ids` of rules that are never published, whatever their direction and scope"},
		{key: "validate.pin", value: &list{&t.Pin}, wrong: func() string { return wrongIDs(t.Pin) }, flag: "pin", filled: true,
			usage: "`ids` of rules that stay while nothing refutes them"},
		{key: "validate.prefer", value: &list{&t.Prefer}, wrong: func() string { return wrongSides(t.Prefer) }, flag: "prefer", filled: true,
			usage: "`texts` such as /story/ that canonical forms shall hold where both directions of a rule hold"},
		{key: "validate.delay", value: span(&t.Delay), ok: atLeast(&t.Delay, 0), want: "0 or more", flag: "fetch-delay",
			usage: "pause between two requests to a host; robots.txt and the server may ask for more"},
		{key: "validate.budget", value: number(&t.Budget), ok: within(&t.Budget, 0, math.MaxInt32), want: "0 or more", flag: "fetch-budget",
			usage: "`requests` per site and hour; 0: no limit"},
		{key: "validate.total", value: number(&t.Total), ok: within(&t.Total, 0, math.MaxInt32), want: "0 or more", flag: "fetch-total",
			usage: "`requests` in all, of all sites, from the start to the end of the process; 0: no limit"},
		{key: "validate.sites", value: number(&t.Sites), ok: within(&t.Sites, 1, 1<<16), want: "1 to 65536", flag: "fetch-sites",
			usage: "`number` of sites that are tried at once, over all partitions: those whose next trial is expected to bring most"},
		{key: "validate.hosts", value: number(&t.Hosts), ok: within(&t.Hosts, 1, 1<<24), want: "1 to 16777216", flag: "fetch-hosts",
			usage: "`number` of hosts that may be asked within an hour, as what is promised to each is remembered"},
		{key: "validate.seed", value: number(&t.Seed), ok: within(&t.Seed, 0, math.MaxInt), want: "0 or more", flag: "seed",
			usage: "`number` that changes which pairs of URLs are drawn"},
		{key: "validate.dry_run", value: text(&t.DryRun), ok: oneOf(&t.DryRun, "", "text", "json"), want: `text, json or ""`, flag: "dry-run", bare: "text",
			usage: "`text|json`; fetch nothing: print what would be fetched, and end"},
		{key: "validate.audit", value: text(&t.Audit), flag: "audit",
			usage: "append every request, pair and verdict to a `file`, one JSON object a line"},
		{key: "validate.publish_interval", value: span(&t.PublishInterval), ok: atLeast(&t.PublishInterval, time.Second), want: "a second or more", flag: "publish-interval",
			usage: "how often valid rules are published while others are being tried"},
		{key: "validate.level_interval", value: span(&t.LevelInterval), ok: atLeast(&t.LevelInterval, time.Second), want: "a second or more", flag: "level-interval",
			usage: "how often the canonical forms are mined for rules that show only after others"},
		{key: "validate.recheck_interval", value: span(&t.RecheckInterval), ok: func() bool { return t.RecheckInterval == 0 || t.RecheckInterval >= time.Second }, want: "0, or a second or more", flag: "recheck-interval",
			usage: "how often what is published is tried again, besides when the newest sizes contradict it; 0: only when POST /api/v1/recheck asks for it"},
		{key: "validate.hold_share", value: share(&t.HoldShare), ok: func() bool { return t.HoldShare > 0 && t.HoldShare <= 1 }, want: "a share above 0, up to 1", flag: "hold-share",
			usage: "of rules that change the canonical form of more than this `share` of URLs, only a beginning is published until a person approves the rest; 1: nothing is held back"},
	}
}

func (c *Config) operationSettings() []setting {
	return []setting{
		{key: "memory", value: memory(&c.Memory), flag: "memory",
			usage: "`size` of the memory that the process may use, such as 512MiB; auto: what GOMEMLIMIT or the cgroup says; none: any"},
		{key: "refine_interval", value: span(&c.RefineInterval), live: true, ok: atLeast(&c.RefineInterval, 100*time.Millisecond), want: "100ms or more", flag: "refine-interval",
			usage: "how often the rules are worked out anew"},
		{key: "learn_interval", value: span(&c.LearnInterval), live: true, ok: atLeast(&c.LearnInterval, 100*time.Millisecond), want: "100ms or more", flag: "learn-interval",
			usage: "how often, at most, learners look at the whole window of a site"},
		{key: "checkpoint_interval", value: span(&c.CheckpointInterval), live: true, ok: atLeast(&c.CheckpointInterval, 10*time.Millisecond), want: "10ms or more", flag: "checkpoint-interval",
			usage: "how often the state is saved"},
		{key: "shutdown_timeout", value: span(&c.ShutdownTimeout), live: true, ok: atLeast(&c.ShutdownTimeout, time.Second), want: "a second or more", flag: "shutdown-timeout",
			usage: "how long the first signal lets the daemon drain and save"},
		{key: "withhold", value: toggle(&c.Withhold), inverse: true, flag: "no-withhold",
			usage: "also tell what looks like a secret, or what only one client ever saw, and mask no example"},
		// A secret has no flag: every user of the machine can see command lines.
		{key: "hash_key", value: secret(&c.HashKey), secret: true, ok: func() bool { return isKey(c.HashKey) },
			want: "32 hexadecimal digits, such as openssl rand -hex 16 prints"},
	}
}
