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
	key   string // as in the file, with a dot between group and name
	group *group
	value value
	flag  string // its name; "": no flag
	usage string // of the flag

	ok    func() bool   // reports whether the value is allowed; nil: all values of the type are
	want  string        // the expected value
	wrong func() string // for mistakes beyond ok: the rest of the sentence; "": no mistake

	refused func() string // the same, from the package that uses the value and checks it again on use

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

// group is a group of settings: a mapping of the file, and a section of help.
type group struct {
	name  string
	title string
	rows  func(*Config) []setting // their keys without the name of the group
}

// groups are the groups of settings, in the order of the file and of help.
var groups = []group{
	{"read", "What is read", func(c *Config) []setting { return c.Read.settings() }},
	{"site", "What is one site", func(c *Config) []setting { return c.Site.settings() }},
	{"rule", "What is a rule", func(c *Config) []setting { return c.Rule.settings() }},
	{"validate", "How rules are tested", func(c *Config) []setting { return c.Validate.settings() }},
	{"keep", "What is kept", func(c *Config) []setting { return c.Keep.settings() }},
	{"write", "What is written", func(c *Config) []setting { return c.Write.settings() }},
	{"admin", "The admin listener", func(c *Config) []setting { return c.Admin.settings() }},
	{"kafka", "Kafka", func(c *Config) []setting { return c.Kafka.settings() }},
	{"pace", "How often", func(c *Config) []setting { return c.Pace.settings() }},
}

// settings are all settings of a Config, in the order of the file. A setting writes into
// its own Config.
func (c *Config) settings() (all []setting) {
	for i := range groups {
		for _, row := range groups[i].rows(c) {
			row.key, row.group = groups[i].name+"."+row.key, &groups[i]
			all = append(all, row)
		}
	}
	return all
}

func (r *Read) settings() []setting {
	return []setting{
		{key: "inputs", value: &inputs{&r.Inputs}, live: true, wrong: func() string { return wrongInputs(r.Inputs) }, flag: "tail",
			usage: "follow the log at this `path`: a file, a pattern in quotes, a directory of logs, a named pipe, or - for standard input. Rotated files are found without being named. May be repeated"},
		{key: "olddir", value: &list{&r.Olddir}, live: true, ok: func() bool { return !slices.Contains(r.Olddir, "") }, want: "directories", flag: "olddir",
			usage: "`directory` into which logrotate moves rotated logs (its olddir). A relative path starts at the directory of each log. May be repeated"},
		{key: "format", value: text(&r.Format), live: true, refused: func() string { return wrongFormat(r.Format) }, flag: "format",
			usage: "`format` of the log lines: a name from dustbuster formats list, or nginx's log_format or Apache's LogFormat from the server's configuration. Put a wrapper such as syslog before it (syslog/combined), or name it alone. By default the format is detected from the first lines"},
		{key: "hosts", value: &list{&r.Hosts}, live: true, refused: func() string { return wrongHosts(r.Hosts) }, flag: "hosts",
			usage: "your `hosts`: only their lines are read. *.example.org is every host below example.org. Commas between hosts, or repeat the flag"},
		{key: "ignore_clients", value: &list{&r.IgnoreClients}, live: true, wrong: func() string { return wrongClients(r.IgnoreClients) }, flag: "ignore-clients",
			usage: "leave out lines of clients with these `addresses` or networks, such as your own crawlers. Commas between addresses, or repeat the flag"},
		{key: "trusted_proxies", value: &list{&r.TrustedProxies}, live: true, wrong: func() string { return wrongClients(r.TrustedProxies) }, flag: "trusted-proxies",
			usage: "`addresses` or networks of proxies in front of the server: the client of a line is then the last forwarded address that is not a proxy's. You need not name private proxies if nearly all lines of a log have forwarded addresses. Commas between addresses, or repeat the flag"},
		{key: "forwarded_header", value: text(&r.ForwardedHeader), live: true, ok: func() bool { return headerName.MatchString(r.ForwardedHeader) }, want: "the name of a header, such as X-Real-IP", flag: "forwarded-header",
			usage: "`header` in which your proxies name the client, such as CF-Connecting-IP, if it is not X-Forwarded-For. Name only a header that they always overwrite: else any client can write it"},
		{key: "crawler_addresses", value: text(&r.CrawlerAddresses), wrong: r.readCrawlers, flag: "crawler-addresses",
			usage: "`directory` with the lists of addresses that crawlers publish, such as googlebot.json, bingbot.json and gptbot.json. Who names one of them and has another address counts as a fake crawler. The lists are read at the start"},
		{key: "window", value: span(&r.Window), ok: func() bool { return r.Window == 0 || r.Window >= time.Second }, want: "0, or a second or more", flag: "window",
			usage: "time span of the log that counts, back from the newest line, such as 24h or 7d. 0, the default of mine, validate and compare, counts everything"},
		{key: "pane", value: span(&r.Pane), ok: func() bool { return r.Pane >= time.Second }, want: "a second or more", flag: "pane",
			usage: "step in which the window moves. Shorter steps forget old lines sooner and take more memory"},
		// Each of several buffers holds a line: hence the upper bound.
		{key: "max_line", value: number(&r.MaxLine), ok: within(&r.MaxLine, 1, 64<<20), want: "1 to 67,108,864", flag: "max-line",
			usage: "longest line in bytes. Longer lines are counted and left out"},
		{key: "max_url_bytes", value: number(&r.MaxURLBytes), ok: within(&r.MaxURLBytes, 1, math.MaxInt), want: "1 or more", flag: "max-url-bytes",
			usage: "longest URL in bytes. Longer URLs are counted and left out"},
		{key: "max_url_tokens", value: number(&r.MaxURLTokens), ok: within(&r.MaxURLTokens, 1, 65_000), want: "1 to 65,000", flag: "max-url-tokens",
			usage: "most tokens of a URL: its words, its numbers, and the marks between them. URLs with more tokens are counted and left out"},
	}
}

func (s *Site) settings() []setting {
	return []setting{
		{key: "host", value: text(&s.Host), live: true, refused: func() string { return wrongSite(s.Host) }, flag: "site",
			usage: "`host` of the site, for logs whose lines name no host"},
		{key: "from_path", value: toggle(&s.FromPath), flag: "site-from-path",
			usage: "take the host from the path of each log, such as logs/www.example.org.log, if the lines have none. --site overrules it"},
		{key: "by", value: choice(&s.By, "host", "domain"), flag: "site-by",
			usage: "host makes each host a site. domain makes one site of all hosts of a registrable domain, such as example.org, and finds rules between these hosts"},
		{key: "groups", value: hostLists(&s.Groups), refused: func() string { return wrongGroups(s.Groups) }, flag: "group",
			usage: "make one site of several `hosts`: name=\"www.example.org *.example.net\". May be repeated"},
	}
}

// largestBucket bounds T: a new URL is compared with all other URLs of its buckets, and
// each bucket has lists of up to 2 T members.
const largestBucket = 1000

func (r *Rule) settings() []setting {
	return []setting{
		{key: "min_support", value: number(&r.MinSupport), ok: within(&r.MinSupport, 1, math.MaxInt32), want: "1 to 2,147,483,647", flag: "min-support",
			usage: "examples that a rule needs in the log (the paper's MS). A higher number finds fewer and safer rules"},
		{key: "max_tokens", value: number(&r.MaxTokens), ok: within(&r.MaxTokens, 0, math.MaxInt), want: "0 or more", flag: "max-tokens",
			usage: "most words, numbers and marks in a text that a rule replaces (the paper's S)"},
		{key: "bucket_low", value: number(&r.BucketLow), ok: within(&r.BucketLow, 2, largestBucket), want: "2 to 1,000, since a bucket of one has no pair", flag: "bucket-low",
			usage: "most URLs that may differ in a single text and still count as examples (the paper's T low)"},
		{key: "bucket_high", value: number(&r.BucketHigh), ok: within(&r.BucketHigh, 2, largestBucket), want: "2 to 1,000, since a bucket of one has no pair", flag: "bucket-high",
			usage: "the same limit for the search for redundant rules (the paper's T high)"},
		{key: "size_tolerance", value: share(&r.SizeTolerance), ok: func() bool { return r.SizeTolerance >= 0 && r.SizeTolerance < 1 }, want: "a share from 0 to below 1", flag: "size-tolerance",
			usage: "`share` by which the sizes of two similar pages may differ: 0.01 is 1 %. 0 demands equal sizes"},
		{key: "size_match", value: toggle(&r.SizeMatch), inverse: true, flag: "no-size-match",
			usage: "ignore page sizes, so any two URLs may show the same page. For logs without sizes, and for pages that change at each visit"},
		{key: "params", value: toggle(&r.Params), inverse: true, flag: "no-params",
			usage: "do not look for parameters that make no difference"},
		{key: "refine", value: toggle(&r.Refine), inverse: true, flag: "no-refine",
			usage: "keep rules that say the same as another rule (skips phase 2 of the paper)"},
		{key: "learners", value: &list{&r.Learners}, wrong: func() string { return wrongLearners(r.Learners) }, flag: "learners",
			usage: "algorithms that look for rules, by their `names`, with commas between: " + strings.Join(miner.Learners(), ", ")},
		{key: "lists", value: &list{&r.Lists}, ok: func() bool { return !slices.Contains(r.Lists, "") }, want: "files", flag: "lists",
			usage: "`file` of parameters that others say change nothing: ClearURLs' JSON, AdGuard's removeparam lines, or one name a line. Those in the log are tested first, and the end says which hold here. Commas between files, or repeat the flag"},
		{key: "labels", value: &list{&r.Labels}, ok: func() bool { return !slices.Contains(r.Labels, "") }, want: "files", flag: "labels",
			usage: "`file` of duplicates as CSV: URLs and their canonical URLs, as Search Console's inspections and Screaming Frog export them. Rules that they suggest are tested first, and the end says how many the rules explain. Commas between files, or repeat the flag"},
		{key: "learner_rules", value: number(&r.LearnerRules), ok: within(&r.LearnerRules, 0, math.MaxInt32), want: "0 to 2,147,483,647", flag: "learner-rules",
			usage: "most rules kept of each algorithm, except envelope and params. Those with the best evidence are kept. 0 keeps all"},
	}
}

func (v *Validate) settings() []setting {
	return append(v.originSettings(), v.trialSettings()...)
}

// originSettings are those of group validate that say what is fetched from where, and what is decided
// about rules.
func (v *Validate) originSettings() []setting {
	return []setting{
		{key: "on", value: toggle(&v.On), inverse: true, flag: "no-validate",
			usage: "do not test rules on the site. The list then has suggested rules only"},
		{key: "origin", value: text(&v.Origin), refused: func() string { return wrongOrigin(Validate{Origin: v.Origin}) }, flag: "origin",
			usage: "`url` of your web server, to test rules on, such as http://127.0.0.1. The Host header still names the site"},
		{key: "origins", value: names(&v.Origins), refused: func() string { return wrongOrigin(Validate{Origins: v.Origins}) }, flag: "site-origin",
			usage: "server to fetch the pages of one `site` from: www.example.org=http://10.0.0.7. May be repeated"},
		{key: "scheme", value: choice(&v.Scheme, "http", "https", ""), flag: "fetch-scheme",
			usage: "fetch pages from the public host that the log names, if there is no --origin: https or http"},
		{key: "private", value: &list{&v.Private}, wrong: func() string { return wrongClients(v.Private) }, flag: "origin-network",
			usage: "private `network` that an origin given by name may lead into, such as 10.0.0.0/8. May be repeated"},
		{key: "contact", value: text(&v.Contact), refused: func() string { return wrongOrigin(Validate{Contact: v.Contact}) }, flag: "contact",
			usage: "`address` for the user agent, by which the owner of a site finds you: an e-mail address or a web page"},
		{key: "actions", value: &list{&v.Actions}, refused: func() string { return wrongOrigin(Validate{Actions: v.Actions}) }, flag: "never-fetch",
			usage: "`words` of URLs that are never fetched, because a request may do something, such as delete. standard is the built-in list in a dozen languages. standard,reindex,-place adds one word and takes one out"},
		{key: "never_fetch_path", value: &list{&v.NeverPaths}, refused: func() string { return wrongOrigin(Validate{NeverPaths: v.NeverPaths}) }, flag: "never-fetch-path",
			usage: "`patterns` of paths that are never fetched, written as in robots.txt: /admin/, *.cgi$, /shop/*/order. May be repeated"},
		{key: "fetch_kinds", value: choice(&v.Kinds, "public", "any"), flag: "fetch-kinds",
			usage: "which URLs may be fetched. public is plain pages and files, and URLs like those that three visitors fetched. any is all kinds, also those that only administrators use. The log of your own crawl needs any"},
		{key: "stand_ins", value: toggle(&v.StandIns), flag: "stand-ins",
			usage: "replace session ids by invented ones to test their rules. Private URLs themselves are never fetched"},
		{key: "allow", value: &list{&v.Allow}, wrong: func() string { return wrongAllow(v.Allow) }, flag: "allow", filled: true,
			usage: "allow URLs with a parameter that changes nothing: `SITE:NAME` such as www.example.org:ref, or SITE:NAME=VALUE if the value is a word. Leave out SITE: for a log without hosts. Commas between, or repeat the flag"},
		{key: "veto", value: &list{&v.Veto}, wrong: func() string { return wrongIDs(v.Veto) }, flag: "veto", filled: true,
			usage: "`ids` of rules that are never published, in any direction and scope. Commas between ids, or repeat the flag"},
		{key: "veto_params", value: &list{&v.VetoParams}, wrong: func() string { return wrongSides(v.VetoParams) }, flag: "veto-param", filled: true,
			usage: "`names` of parameters, or texts such as /print/: no rule that edits one is published. Commas between names, or repeat the flag"},
		{key: "pin", value: &list{&v.Pin}, wrong: func() string { return wrongIDs(v.Pin) }, flag: "pin", filled: true,
			usage: "`ids` of rules that stay published if a retest is undecided. A rule that fails is removed all the same. Commas between ids, or repeat the flag"},
		{key: "pin_params", value: &list{&v.PinParams}, wrong: func() string { return wrongSides(v.PinParams) }, flag: "pin-param", filled: true,
			usage: "`names` of parameters, or texts: --pin for all rules that edit one. Commas between names, or repeat the flag"},
		{key: "prefer", value: &list{&v.Prefer}, wrong: func() string { return wrongSides(v.Prefer) }, flag: "prefer", filled: true,
			usage: "`texts` that canonical forms should contain, such as /story/. Where a rule holds in both directions, they decide. Commas between texts, or repeat the flag"},
	}
}

// trialSettings are those of group validate that say how much is fetched, when, and what is told.
func (v *Validate) trialSettings() []setting {
	return []setting{
		{key: "delay", value: span(&v.Delay), ok: atLeast(&v.Delay, 0), want: "0 or more", flag: "fetch-delay",
			usage: "pause between requests to a host. robots.txt and the server may ask for a longer one"},
		{key: "budget", value: number(&v.Budget), ok: within(&v.Budget, 0, math.MaxInt32), want: "0 or more", flag: "fetch-budget",
			usage: "most `requests` per site and hour. 0, the default of validate, is no limit"},
		{key: "total", value: number(&v.Total), ok: within(&v.Total, 0, math.MaxInt32), want: "0 or more", flag: "fetch-total",
			usage: "most `requests` to all sites until the process ends. 0, the default, is no limit"},
		{key: "rate", value: number(&v.Rate), ok: within(&v.Rate, 0, 1<<20), want: "0 to 1048576", flag: "fetch-rate",
			usage: "most `requests` a second to all sites together. 0, the default of validate, is no limit"},
		{key: "origin_delay", value: span(&v.OriginDelay), ok: atLeast(&v.OriginDelay, 0), want: "0 or more", flag: "origin-delay",
			usage: "pause between requests to one server for different sites, if shorter than --fetch-delay. 0, the default, is --fetch-delay"},
		{key: "seed", value: number(&v.Seed), ok: within(&v.Seed, 0, math.MaxInt), want: "0 or more", flag: "seed",
			usage: "`number` that changes the random choice of pages. A number other than 0, the default, tests other pages"},
		{key: "dry_run", value: choice(&v.DryRun, "text", "json", ""), flag: "dry-run", bare: "text",
			usage: "fetch nothing: print the requests that would be made next, and end"},
		{key: "audit", value: text(&v.Audit), flag: "audit",
			usage: "append every request, comparison and verdict to a `file`, one JSON object a line"},
		{key: "publish_interval", value: span(&v.PublishInterval), ok: atLeast(&v.PublishInterval, time.Second), want: "a second or more", flag: "publish-interval",
			usage: "time between two publications while other rules are being tested. The first confirmed rules are published at once"},
		{key: "level_interval", value: span(&v.LevelInterval), ok: atLeast(&v.LevelInterval, time.Second), want: "a second or more", flag: "level-interval",
			usage: "least time between two searches for rules that show only once the confirmed rules are applied"},
		{key: "recheck_interval", value: span(&v.RecheckInterval), ok: func() bool { return v.RecheckInterval == 0 || v.RecheckInterval >= time.Second }, want: "0, or a second or more", flag: "recheck-interval",
			usage: "time after which published rules are tested again. If sizes in the log contradict a rule, it is tested at once. 0 tests only on request (POST /api/v1/recheck)"},
		{key: "hold_share", value: share(&v.HoldShare), ok: func() bool { return v.HoldShare > 0 && v.HoldShare <= 1 }, want: "a share above 0, up to 1", flag: "hold-share",
			usage: "`share` of the URLs that new rules may change without your approval. 1 never asks for approval"},
		{key: "provisional", value: toggle(&v.Provisional), flag: "provisional",
			usage: "publish a rule after a first test of 20 pages, if it merges at least 1 in 100 URLs and has no exception. --provisional=false waits for the whole test"},
	}
}

func (k *Keep) settings() []setting {
	return []setting{
		{key: "state", value: text(&k.State), ok: func() bool { return k.State != "" }, want: "a directory", flag: "state",
			usage: "`directory` for the state, from which the next start continues. Each process needs its own"},
		{key: "memory", value: memory(&k.Memory), flag: "memory",
			usage: "memory limit of the process, a `size` such as 512MiB. auto takes the limit of GOMEMLIMIT or of the cgroup. none is no limit"},
		{key: "max_urls", value: number(&k.MaxURLs), ok: within(&k.MaxURLs, 1, math.MaxInt), want: "1 or more", flag: "max-urls",
			usage: "most URLs kept of a site in each step of the window (--pane). If there are more, a sample is kept"},
		{key: "max_sites", value: number(&k.MaxSites), ok: within(&k.MaxSites, 0, math.MaxInt), want: "0 or more", flag: "max-sites",
			usage: "most sites kept: those with the most URLs. 0 keeps as many as --memory has room for, or 10000 if there is no limit"},
		// A secret has no flag: every user of the machine can see command lines.
		{key: "hash_key", value: secret(&k.HashKey), secret: true, ok: func() bool { return isKey(k.HashKey) },
			want: "32 hexadecimal digits, such as openssl rand -hex 16 prints"},
	}
}

func (w *Write) settings() []setting {
	return []setting{
		{key: "rules", value: text(&w.Rules), flag: "rules",
			usage: "`file` for the list of rules, replaced as a whole at each change. - is standard output. The default is rules.jsonl in the state directory"},
		{key: "events", value: text(&w.Events), flag: "events",
			usage: "`file` for events, one JSON object a line: which rules were suggested, and which are gone. - is standard output. The default is events.jsonl in the state directory"},
		{key: "events_max_size", value: number(&w.EventsMaxSize), live: true, ok: within(&w.EventsMaxSize, 0, math.MaxInt), want: "0 or more bytes", flag: "events-max-size",
			usage: "size in `bytes` at which the file of events is rotated. 0 never rotates the file"},
		{key: "events_keep", value: number(&w.EventsKeep), live: true, ok: within(&w.EventsKeep, 0, 10_000), want: "0 to 10,000 files", flag: "events-keep",
			usage: "number of rotated `files` of events to keep"},
		{key: "withhold", value: toggle(&w.Withhold), inverse: true, flag: "no-withhold",
			usage: "also show and publish what looks like a secret or comes from one visitor, and mask nothing"},
		{key: "log_level", value: choice(&w.LogLevel, "debug", "info", "warn", "error"), live: true, flag: "log-level",
			usage: "level of the log on standard error: less severe messages are left out"},
		{key: "log_format", value: choice(&w.LogFormat, "auto", "console", "json"), flag: "log-format",
			usage: "format of the log on standard error. auto is console on a terminal, and json elsewhere"},
	}
}

func (a *Admin) settings() []setting {
	return []setting{
		{key: "listen", value: text(&a.Listen), ok: func() bool { return isListen(a.Listen) }, want: `host:port such as 127.0.0.1:9464, or ""`, flag: "admin-listen",
			usage: "`host:port` to listen on: metrics, health, API and dashboard are served there. \"\" serves nothing. An address that other machines can reach requires a token, such as --admin-token-file"},
		{key: "hosts", value: &list{&a.Hosts}, wrong: func() string { return wrongNames(a.Hosts) }, flag: "admin-hosts",
			usage: "`names` by which clients may address the listener, such as the name of a reverse proxy. Requests with other names in the Host header are refused. localhost and, beyond loopback, IP addresses are always allowed. Commas between names, or repeat the flag"},
		{key: "token_file", value: text(&a.TokenFile), flag: "admin-token-file",
			usage: "`file` with the token of operators, who may do everything. SIGHUP reads all token files again"},
		{key: "read_token_file", value: text(&a.ReadTokenFile), flag: "admin-read-token-file",
			usage: "`file` with the token of readers, who may see status, metrics, rules and dashboard, and change nothing"},
		{key: "report_token_file", value: text(&a.ReportTokenFile), flag: "admin-report-token-file",
			usage: "`file` with the token of crawlers, which may post reports, and read nothing"},
		{key: "allow_origin", value: &list{&a.AllowOrigin}, wrong: func() string { return wrongOrigins(a.AllowOrigin) }, flag: "admin-allow-origin",
			usage: "`origins` whose web pages may read the rules (CORS), such as https://crawler.example. Commas between origins, or repeat the flag"},
		{key: "connections", value: number(&a.Connections), ok: within(&a.Connections, 1, 1_000_000), want: "1 to 1,000,000", flag: "admin-connections",
			usage: "most connections to the listener at once. A quarter of the file descriptors (ulimit -n) is the most in any case"},
		{key: "peer_connections", value: number(&a.PeerConnections), ok: within(&a.PeerConnections, 1, 1_000_000), want: "1 to 1,000,000", flag: "admin-peer-connections",
			usage: "most connections from one address at once. A /64 of IPv6 is one address"},
		{key: "trusted_proxies", value: &list{&a.TrustedProxies}, wrong: func() string { return wrongClients(a.TrustedProxies) }, flag: "admin-trusted-proxies",
			usage: "`addresses` and networks of reverse proxies. --admin-peer-connections does not limit them. Commas between addresses, or repeat the flag"},
	}
}

func (p *Pace) settings() []setting {
	return []setting{
		{key: "refine_interval", value: span(&p.RefineInterval), live: true, ok: atLeast(&p.RefineInterval, 100*time.Millisecond), want: "100ms or more", flag: "refine-interval",
			usage: "time between two computations of the suggested rules"},
		{key: "learn_interval", value: span(&p.LearnInterval), live: true, ok: atLeast(&p.LearnInterval, 100*time.Millisecond), want: "100ms or more", flag: "learn-interval",
			usage: "least time between two runs of the algorithms that look at a whole site (all but envelope and params)"},
		{key: "checkpoint_interval", value: span(&p.CheckpointInterval), live: true, ok: atLeast(&p.CheckpointInterval, 10*time.Millisecond), want: "10ms or more", flag: "checkpoint-interval",
			usage: "time between two saves of the state. After a crash, lines since the last save are read again"},
		{key: "shutdown_timeout", value: span(&p.ShutdownTimeout), live: true, ok: atLeast(&p.ShutdownTimeout, time.Second), want: "a second or more", flag: "shutdown-timeout",
			usage: "time to finish and save after SIGTERM or an interrupt"},
	}
}
