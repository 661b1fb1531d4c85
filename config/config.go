package config

import (
	"path/filepath"
	"time"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/url/action"
	"dustbuster/operators/window/admit"
	"dustbuster/sinks/admin"
)

// Config holds all settings. Make one with Defaults, MineDefaults or Load: the zero
// Config is not valid.
type Config struct {
	Inputs []Input
	Olddir []string // directories with rotated logs; a relative path is relative to each log
	Format string   // of inputs without a format; "": detected from the first lines
	Site   string   // of logs without a host, for inputs without a site

	State  string // directory
	Rules  string // file; "": in State; "-": standard output
	Events Events
	Admin  Admin
	Log    Log
	Mining Mining
	Trial  Trial
	Kafka  Kafka

	Memory             Size // of the process
	RefineInterval     time.Duration
	LearnInterval      time.Duration
	CheckpointInterval time.Duration
	ShutdownTimeout    time.Duration
	Withhold           bool   // leave out events and rules that look like secrets
	HashKey            Secret // key of the hashes of clients and URLs; "": the daemon makes a key and keeps it in State

	sources   map[string]string // where values come from, by key; absent: the default
	strangers []string          // see Strangers
}

// Strangers returns the names of the environment variables that begin as those of keys do, and are
// of no key.
func (c *Config) Strangers() []string { return c.strangers }

// Input is some logs of one format.
type Input struct {
	Paths  []string // globs
	Format string   // "": Config.Format
	Site   string   // "": Config.Site
}

// Events configure the output of events.
type Events struct {
	File    string // "": in State; "-": standard output
	MaxSize int    // bytes after which a new file is begun; 0: never
	Keep    int    // old files
}

// Admin is the listener for metrics, health and API.
type Admin struct {
	Listen    string   // host:port; "": none
	Hosts     []string // host names allowed in requests
	TokenFile string   // of the token that may do everything; "": none
	PagesFrom []string // addresses and networks that may post pages

	ReadTokenFile   string   // of the token that may read; "": none
	ReportTokenFile string   // of the token that may report; "": none
	AllowOrigin     []string // origins whose pages may read the rules

	Connections     int           // open at once
	PeerConnections int           // of them of one address
	TrustedProxies  []string      // addresses and networks without a bound of their own
	HeaderTimeout   time.Duration // of a request
}

// Log is the program's own log.
type Log struct {
	Level  string // debug, info, warn, error
	Format string // auto: console on a terminal, else json
}

// Mining holds the bounds of sites, rules and memory.
type Mining struct {
	SiteBy        string              // host, domain
	Groups        map[string][]string // site -> its hosts
	Hosts         []string            // hosts to mine; empty: all hosts
	IgnoreClients []string            // addresses and networks

	Window, Pane time.Duration // Window 0: everything
	MaxURLs      int           // of a site in a pane
	MaxSites     int
	MaxLine      int // bytes
	MaxURLBytes  int
	MaxURLTokens int

	MinSupport    int     // MS
	MaxTokens     int     // S
	BucketLow     int     // T low
	BucketHigh    int     // T high
	SizeTolerance float64 // share
	SizeMatch     bool
	Params        bool
	Refine        bool
	Learners      []string // names
	LearnerRules  int      // kept of each learner that looks at the window now and then; 0: all
}

// Trial configures trials of rules on the sites themselves.
type Trial struct {
	On      bool
	Origin  string            // where sites are fetched from: http://127.0.0.1:8080; "": see Scheme
	Origins map[string]string // the same by site
	Scheme  string            // http, https: sites without an origin are fetched by their names; "": they are not
	Private []string          // private networks allowed for origins
	Contact string            // in the user agent
	Actions []string          // words in URLs that are never requested

	NeverPaths []string // patterns of paths that are never requested
	Kinds      string   // of URLs that are fetched: "public", those that clients ask for, or "any"

	Veto   []string // ids of rules that are never published
	Pin    []string // ids of rules that stay while nothing refutes them
	Prefer []string // texts that canonical forms shall hold where both directions hold

	Delay  time.Duration // between two requests to a host
	Budget int           // requests per site and hour; 0: no limit
	Total  int           // requests in all; 0: no limit
	Sites  int           // tried at once
	Hosts  int           // most hosts whose politeness is kept track of within an hour
	Seed   int           // of the draw of pairs
	DryRun string        // text, json: send no request, and print the plan in this form; "": fetch
	Audit  string        // file of every request, pair and verdict; "": none

	PublishInterval time.Duration
	LevelInterval   time.Duration // between two looks at the canonical forms for more rules
	RecheckInterval time.Duration // between two trials of published rules; 0: no automatic trials
	HoldShare       float64       // share of URLs whose canonical form an update may change
}

// Tries reports whether rules are tried, which needs an origin to fetch from.
func (t *Trial) Tries() bool {
	return t.On && (t.Origin != "" || len(t.Origins) > 0 || t.Scheme != "")
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
	return Config{
		State:  "dustbuster-state",
		Events: Events{MaxSize: 64 << 20, Keep: 5},
		Admin:  Admin{Listen: "127.0.0.1:9464", Connections: admin.DefaultConnections, PeerConnections: admin.DefaultPeerConnections, HeaderTimeout: admin.DefaultHeaderTimeout},
		Log:    Log{Level: "info", Format: "auto"},
		Mining: mining(24*time.Hour, 100_000),
		Trial: Trial{On: true, Actions: []string{action.Standard}, Kinds: "public", Delay: time.Second, Budget: 1000, Sites: 16, Hosts: 4096,
			PublishInterval: time.Hour, LevelInterval: time.Hour, RecheckInterval: 24 * time.Hour, HoldShare: 0.5},
		Kafka:              defaultKafka(),
		Memory:             Auto,
		RefineInterval:     10 * time.Second,
		LearnInterval:      10 * time.Minute,
		CheckpointInterval: time.Second,
		ShutdownTimeout:    30 * time.Second,
		Withhold:           true,
	}
}

// MineDefaults returns the defaults of mine. mine reads finished logs: all their lines
// count, and memory is released when mine ends.
func MineDefaults() Config {
	c := Defaults()
	c.Mining = mining(0, 10_000_000)
	return c
}

func mining(window time.Duration, maxURLs int) Mining {
	phase1, limits := envelope.Defaults(), admit.Defaults()
	return Mining{
		SiteBy: "host", Window: window, Pane: 2 * time.Hour,
		MaxURLs: maxURLs, MaxSites: 10_000, MaxLine: 64 << 10, MaxURLBytes: limits.MaxBytes, MaxURLTokens: limits.MaxTokens,
		MinSupport: phase1.MinSupport, MaxTokens: phase1.MaxTokens, BucketLow: phase1.BucketLow, BucketHigh: phase1.BucketHigh,
		SizeTolerance: phase1.Similarity.Tolerance, SizeMatch: true, Params: true, Refine: true,
		Learners: miner.DefaultLearners(), LearnerRules: 1000,
	}
}

// RulesFile is where the rules go; "-" is standard output.
func (c *Config) RulesFile() string { return c.file(c.Rules, "rules.jsonl") }

// EventsFile is where events go; "-" is standard output.
func (c *Config) EventsFile() string { return c.file(c.Events.File, "events.jsonl") }

func (c *Config) file(path, name string) string {
	if path == "" {
		return filepath.Join(c.State, name)
	}
	return path
}
