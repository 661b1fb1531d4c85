package config

import (
	"path/filepath"
	"time"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/read/crawler"
	"dustbuster/operators/url/action"
	"dustbuster/operators/window/admit"
	"dustbuster/sinks/admin"
)

// Config holds all settings. Make one with Defaults, MineDefaults or Load: the zero
// Config is not valid.
type Config struct {
	Read     Read
	Site     Site
	Rule     Rule
	Validate Validate
	Keep     Keep
	Write    Write
	Admin    Admin
	Kafka    Kafka
	Pace     Pace

	sources   map[string]string // where values come from, by key; absent: the default
	strangers []string          // see Strangers
}

// Strangers returns the names of the environment variables that begin as those of keys do, and are
// of no key.
func (c *Config) Strangers() []string { return c.strangers }

// Read is what is read.
type Read struct {
	Inputs        []Input
	Olddir        []string // directories with rotated logs; a relative path is relative to each log
	Format        string   // of inputs without a format; "": detected from the first lines
	Hosts         []string // hosts whose lines are read; empty: all hosts
	IgnoreClients []string // addresses and networks

	TrustedProxies  []string // addresses and networks of proxies whose word about clients counts
	ForwardedHeader string   // that counts before X-Forwarded-For; "": none

	CrawlerAddresses string             // a directory; "": named crawlers are believed
	crawlers         *crawler.Addresses // what is in it

	Window, Pane time.Duration // Window 0: everything
	MaxLine      int           // bytes
	MaxURLBytes  int
	MaxURLTokens int
}

// Input is some logs of one format.
type Input struct {
	Paths  []string // globs
	Format string   // "": Read.Format
	Site   string   // "": Site.Host
}

// Site is what one site is.
type Site struct {
	Host     string              // of logs whose lines name none, for inputs without a site
	FromPath bool                // of logs whose lines name none: the host in the log's path, if the paths differ in it
	By       string              // host, domain
	Groups   map[string][]string // site -> its hosts
}

// Rule is what a likely rule is.
type Rule struct {
	MinSupport    int     // MS
	MaxTokens     int     // S
	BucketLow     int     // T low
	BucketHigh    int     // T high
	SizeTolerance float64 // share
	SizeMatch     bool
	Params        bool
	Refine        bool
	Learners      []string // names
	Lists         []string // files of lists of parameters that others say change nothing
	Labels        []string // tables of duplicates: URLs with their canonical URLs
	LearnerRules  int      // kept of each learner that looks at the window now and then; 0: all
}

// Keep is what is kept, and where.
type Keep struct {
	State    string // directory
	Memory   Size   // of the process
	MaxURLs  int    // of a site in a pane
	MaxSites int    // 0: see cli.MostSites
	HashKey  Secret // key of the hashes of clients and URLs; "": the daemon makes a key and keeps it in State
}

// Write is what is written, and where.
type Write struct {
	Rules         string // file; "": in Keep.State; "-": standard output
	Events        string // the same
	EventsMaxSize int    // bytes after which a new file of events is begun; 0: never
	EventsKeep    int    // old files
	Withhold      bool   // leave out events and rules that look like secrets
	LogLevel      string // debug, info, warn, error
	LogFormat     string // auto: console on a terminal, else json
}

// Pace is how often something is done, and how long it may take.
type Pace struct {
	RefineInterval     time.Duration
	LearnInterval      time.Duration
	CheckpointInterval time.Duration
	ShutdownTimeout    time.Duration
}

// Admin is the listener for metrics, health and API.
type Admin struct {
	Listen    string   // host:port; "": none
	Hosts     []string // host names allowed in requests
	TokenFile string   // of the token that may do everything; "": none

	ReadTokenFile   string   // of the token that may read; "": none
	ReportTokenFile string   // of the token that may report; "": none
	AllowOrigin     []string // origins whose pages may read the rules

	Connections     int      // open at once
	PeerConnections int      // of them of one address
	TrustedProxies  []string // addresses and networks without a bound of their own
}

// Validate configures trials of rules on the sites themselves.
type Validate struct {
	On      bool
	Origin  string            // where sites are fetched from: http://127.0.0.1:8080; "": see Scheme
	Origins map[string]string // the same by site
	Scheme  string            // http, https: sites without an origin are fetched by their names; "": they are not
	Private []string          // private networks allowed for origins
	Contact string            // in the user agent
	Actions []string          // words in URLs that are never requested

	NeverPaths []string // patterns of paths that are never requested
	Kinds      string   // of URLs that are fetched: "public", those that clients ask for, or "any"
	StandIns   bool     // URLs with invented pieces are fetched in the place of private ones

	Veto   []string // ids of rules that are never published
	Pin    []string // ids of rules that stay while nothing refutes them
	Prefer []string // texts that canonical forms shall hold where both directions hold

	VetoParams []string // parameters and texts that no published rule edits
	Allow      []string // SITE:NAME or SITE:NAME=VALUE: parameters that count as asked for by the public; of a log without hosts without SITE:
	PinParams  []string // parameters and texts: rules that edit one stay while nothing refutes them

	Delay  time.Duration // between two requests to a host
	Budget int           // requests per site and hour; 0: no limit

	OriginDelay time.Duration // between two requests to an origin; 0: Delay
	Total       int           // requests in all; 0: no limit
	Rate        int           // requests a second; 0: no limit
	Seed        int           // of the draw of pairs
	DryRun      string        // text, json: send no request, and print the plan in this form; "": fetch
	Audit       string        // file of every request, pair and verdict; "": none

	PublishInterval time.Duration
	LevelInterval   time.Duration // between two looks at the canonical forms for more rules
	RecheckInterval time.Duration // between two trials of published rules; 0: no automatic trials
	HoldShare       float64       // share of URLs whose canonical form an update may change
	Provisional     bool          // rules may be published before they are proved
}

// Tries reports whether rules are tried, which needs an origin to fetch from.
func (v *Validate) Tries() bool {
	return v.On && (v.Origin != "" || len(v.Origins) > 0 || v.Scheme != "")
}

// Secret is a text that prints as asterisks.
type Secret string

const masked = "********"

// String hides the secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return masked
}

// GoString hides the text, too.
func (s Secret) GoString() string { return s.String() }

// Defaults are the daemon's. Those of mining are the paper's settings, see
// envelope.Defaults.
func Defaults() Config {
	phase1, limits := envelope.Defaults(), admit.Defaults()
	return Config{
		Read: Read{Window: 24 * time.Hour, Pane: 2 * time.Hour, MaxLine: 64 << 10, MaxURLBytes: limits.MaxBytes, MaxURLTokens: limits.MaxTokens},
		Site: Site{By: "host", FromPath: true},
		Rule: Rule{MinSupport: phase1.MinSupport, MaxTokens: phase1.MaxTokens, BucketLow: phase1.BucketLow, BucketHigh: phase1.BucketHigh,
			SizeTolerance: phase1.Similarity.Tolerance, SizeMatch: true, Params: true, Refine: true, Learners: miner.DefaultLearners(), LearnerRules: 1000},
		Validate: Validate{On: true, Actions: []string{action.Standard}, Kinds: "public", StandIns: true, Delay: time.Second, Budget: 1000, Rate: 50,
			PublishInterval: time.Hour, LevelInterval: time.Hour, RecheckInterval: 24 * time.Hour, HoldShare: 0.5, Provisional: true},
		Keep:  Keep{State: "dustbuster-state", Memory: Auto, MaxURLs: 100_000},
		Write: Write{EventsMaxSize: 64 << 20, EventsKeep: 5, Withhold: true, LogLevel: "info", LogFormat: "auto"},
		Admin: Admin{Listen: "127.0.0.1:9464", Connections: admin.DefaultConnections, PeerConnections: admin.DefaultPeerConnections},
		Kafka: defaultKafka(),
		Pace:  Pace{RefineInterval: 10 * time.Second, LearnInterval: 10 * time.Minute, CheckpointInterval: time.Second, ShutdownTimeout: 30 * time.Second},
	}
}

// MineDefaults returns the defaults of mine. mine reads finished logs: all their lines
// count, and memory is released when mine ends.
func MineDefaults() Config {
	c := Defaults()
	c.Read.Window, c.Keep.MaxURLs = 0, 10_000_000
	return c
}

// RulesFile is where the rules go; "-" is standard output.
func (c *Config) RulesFile() string { return c.file(c.Write.Rules, "rules.jsonl") }

// EventsFile is where events go; "-" is standard output.
func (c *Config) EventsFile() string { return c.file(c.Write.Events, "events.jsonl") }

func (c *Config) file(path, name string) string {
	if path == "" {
		return filepath.Join(c.Keep.State, name)
	}
	return path
}
