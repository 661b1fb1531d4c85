package config

import (
	"maps"
	"net"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/read/client"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"

	"github.com/dchest/siphash"
)

// Kafka configures the use of a cluster. Without brokers, no cluster is used.
type Kafka struct {
	Brokers        []string // host:port
	Group          string   // consumer group; "": the role's default
	SessionTimeout time.Duration
	Changed        bool // an agent begins though the newest observations were written with other settings
	Topics         Topics
	TLS            TLS
	SASL           SASL
}

// Topics are the names of topics.
type Topics struct {
	Lines        []string // access-log lines, read by agents
	Prefix       string   // of the next three, unless they are named themselves
	Observations string
	Rules        string
	Events       string
	Reports      string // topic of crawlers' reports, read by miners; "": none
	DeadLetters  string // topic of lines that cannot be parsed; "": such lines are only counted
}

// TLS configures the encryption of connections to brokers.
type TLS struct {
	On         bool
	CA         string // file of certificates; "": the system's
	Cert, Key  string // files of the client's own; "": none
	ServerName string // in the brokers' certificates; "": the broker's host
}

// SASL is the client's identity.
type SASL struct {
	Mechanism string // "": none
	User      string
	Password  Secret
	TokenFile string // with oauthbearer
}

func defaultKafka() Kafka {
	return Kafka{SessionTimeout: 10 * time.Second,
		Topics: Topics{Prefix: "dust", Observations: "dust.observations", Rules: "dust.rules", Events: "dust.events"}}
}

func (k *Kafka) settings() []setting {
	t, s := &k.TLS, &k.SASL
	return []setting{
		{key: "brokers", value: &list{&k.Brokers}, wrong: func() string { return wrongBrokers(k.Brokers) }, flag: "brokers",
			usage: "Kafka `brokers` to connect to first, as host:port. Commas between brokers, or repeat the flag"},
		{key: "group", value: text(&k.Group), flag: "consumer-group",
			usage: "consumer `group` that shares the work. The default is dustbuster for run, and dustbuster-agent for agent"},
		{key: "session_timeout", value: span(&k.SessionTimeout), ok: atLeast(&k.SessionTimeout, time.Second), want: "a second or more", flag: "session-timeout",
			usage: "time without a sign of life after which a member of the group loses its partitions to the others"},
		{key: "settings_changed", value: toggle(&k.Changed), flag: "settings-changed",
			usage: "start although the newest observations were made with another hash_key, --pane, --window or grouping of hosts. Use it once for each agent, after you changed all agents and miners"},
		{key: "lines", value: &list{&k.Topics.Lines}, flag: "lines-topic",
			usage: "`topics` of access-log lines to read. Commas between topics, or repeat the flag"},
		{key: "topic_prefix", value: text(&k.Topics.Prefix), ok: isName(&k.Topics.Prefix), want: "the beginning of names of topics", flag: "topic-prefix",
			usage: "`text` before .observations, .rules and .events in the names of the topics that have no name of their own. The same for all members"},
		{key: "observations", value: text(&k.Topics.Observations), ok: isName(&k.Topics.Observations), want: aTopic, flag: "observations-topic",
			usage: "`topic` of observations, which agents write and miners read"},
		{key: "rules", value: text(&k.Topics.Rules), ok: isName(&k.Topics.Rules), want: aTopic, flag: "rules-topic",
			usage: "`topic` of rules, which miners write and crawlers read"},
		{key: "events", value: text(&k.Topics.Events), ok: isName(&k.Topics.Events), want: aTopic, flag: "events-topic",
			usage: "`topic` of events, which miners write"},
		{key: "reports", value: text(&k.Topics.Reports), flag: "reports-topic",
			usage: "`topic` of reports about pages, which crawlers write, such as dust.reports. By default no topic of reports is read"},
		{key: "dead_letters", value: text(&k.Topics.DeadLetters), flag: "dead-letters-topic",
			usage: "`topic` for lines that cannot be parsed, with the addresses of clients masked. By default such lines are only counted"},
		{key: "tls", value: toggle(&t.On), flag: "tls",
			usage: "connect to brokers by TLS"},
		{key: "tls_ca", value: text(&t.CA), flag: "tls-ca",
			usage: "`file` of the CA certificates that brokers must be signed by. The default is the system's certificates"},
		{key: "tls_cert", value: text(&t.Cert), flag: "tls-cert",
			usage: "`file` of the client's certificate, if brokers require one"},
		{key: "tls_key", value: text(&t.Key), flag: "tls-key",
			usage: "`file` of the private key of --tls-cert"},
		{key: "tls_server_name", value: text(&t.ServerName), flag: "tls-server-name",
			usage: "`name` in the brokers' certificates, if it is not the host in --brokers"},
		{key: "sasl", value: choice(&s.Mechanism, "plain", "scram-sha-256", "scram-sha-512", "oauthbearer", ""), flag: "sasl-mechanism",
			usage: "SASL `mechanism` of the login to brokers: plain, scram-sha-256, scram-sha-512 or oauthbearer. The password is read from " + Variable("kafka.sasl_password")},
		{key: "sasl_user", value: text(&s.User), flag: "sasl-user",
			usage: "`name` of the SASL user"},
		{key: "sasl_token_file", value: text(&s.TokenFile), flag: "sasl-token-file",
			usage: "`file` of the token for oauthbearer, read for each connection"},
		{key: "sasl_password", value: secret(&s.Password), secret: true},
	}
}

// nameTopics gives the topics that no source names the names of the prefix.
func (c *Config) nameTopics() {
	t := &c.Kafka.Topics
	source := c.sources["kafka.topic_prefix"]
	for name, at := range map[string]*string{"observations": &t.Observations, "rules": &t.Rules, "events": &t.Events} {
		if key := "kafka." + name; source != "" && c.sources[key] == "" {
			*at, c.sources[key] = t.Prefix+"."+name, source
		}
	}
}

// Once replaces the defaults of an agent by those of one that sends finished logs and ends: all lines
// count, into topics of their own, without state and listener. Settings that a source names stay.
func (c *Config) Once() {
	for key, change := range map[string]func(){
		"read.window":  func() { c.Read.Window = 0 },
		"keep.state":   func() { c.Keep.State = "" },
		"admin.listen": func() { c.Admin.Listen = "" },
		"kafka.topic_prefix": func() {
			c.Kafka.Topics.Prefix, c.sources["kafka.topic_prefix"] = "once", "--once"
			c.nameTopics()
		},
	} {
		if c.sources[key] == "" {
			change()
		}
	}
}

const aTopic = "the name of a topic"

func isName(at *string) func() bool { return func() bool { return *at != "" } }

func wrongBrokers(brokers []string) string {
	return firstWrong(brokers, func(broker string) bool {
		host, _, _ := net.SplitHostPort(broker)
		return host != "" && isListen(broker)
	}, " must be host:port, such as kafka-1.example.org:9092, got %q")
}

// Head returns the properties shared by the observations of agents and miners with this
// configuration.
func (c *Config) Head(key [2]uint64) evidence.Head {
	h := evidence.Head{Check: uint32(siphash.Hash(key[0], key[1], []byte("observations"))), Rule: client.Version, Sites: c.Site.mark(), Crawlers: c.Read.crawlers.Mark()}
	if c.Read.Window > 0 {
		h.Pane = seconds(c.Read.Pane)
	}
	return h
}

// mark is a number for the settings by which hosts become sites, other than 0.
func (s *Site) mark() uint32 {
	text := s.By
	for _, site := range slices.Sorted(maps.Keys(s.Groups)) {
		text += "\n" + site + "=" + strings.Join(slices.Sorted(slices.Values(s.Groups[site])), " ")
	}
	return max(1, uint32(siphash.Hash(0, 0, []byte(strings.ToLower(text)))))
}

// Limits are those of the URLs of observations.
func (c *Config) Limits() admit.Limits {
	return admit.Limits{MaxBytes: c.Read.MaxURLBytes, MaxTokens: c.Read.MaxURLTokens}
}
