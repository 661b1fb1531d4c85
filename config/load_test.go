package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

// testEnv is the environment of all files in testdata.
var testEnv = []string{"DIR=/srv", "EMPTY=", "TEN=10", "KEY=000102030405060708090a0b0c0d0e0f", "PATH=/bin"}

// The first lines of a bad file are the error that Load must return.
func TestBadFiles(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.bad.yml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no bad files: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, want := readBad(t, path)
			_, err := load(filepath.Base(path), data, environment(testEnv), nil)
			if got := fmt.Sprint(err); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func readBad(t *testing.T, path string) (data []byte, want string) {
	data, err := os.ReadFile(path)
	must(t, err)
	var lines []string
	for line := range strings.Lines(string(data)) {
		if text, ok := strings.CutPrefix(line, "# want: "); ok {
			lines = append(lines, strings.TrimSuffix(text, "\n"))
		}
	}
	return data, strings.Join(lines, "\n")
}

// Whatever a setting refuses, some bad file shows.
func TestBadFilesAreComplete(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.bad.yml")
	var all strings.Builder
	for _, path := range paths {
		_, want := readBad(t, path)
		all.WriteString(want + "\n")
	}
	c := Defaults()
	for _, row := range c.settings() {
		if row.ok != nil && !strings.Contains(all.String(), ": "+row.key+" must be "+row.want) {
			t.Errorf("no bad file has %s out of range", row.key)
		}
		if (row.wrong != nil || row.refused != nil) && !strings.Contains(all.String(), ": "+row.key) {
			t.Errorf("no bad file has a bad %s", row.key)
		}
	}
}

func TestGoodFile(t *testing.T) {
	got, err := Load("testdata/good.yml", testEnv, nil)
	must(t, err)
	got.sources = nil
	if got.Head([2]uint64{}).Crawlers == 0 {
		t.Error("the lists of crawler_addresses are not read")
	}
	got.Read.crawlers = nil
	format := `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "${http_user_agent}"`
	want := Config{
		Read: Read{
			Inputs: []Input{
				{Paths: []string{"/var/log/nginx/access.log", "/var/log/nginx/*.vhost.log"}},
				{Paths: []string{"/srv/access.log"}, Format: format, Site: "Shop.Example.org."},
			},
			Olddir: []string{"old", "/srv/old"}, Format: format,
			Hosts:          []string{"shop.example.org", "*.example.net"},
			IgnoreClients:  []string{"192.0.2.7", "2001:db8::/32"},
			TrustedProxies: []string{"198.51.100.0/24", "::ffff:192.0.2.1"}, ForwardedHeader: "X-Real-IP", CrawlerAddresses: "testdata/crawlers",
			Pane: 90 * time.Minute, MaxLine: 1000, MaxURLBytes: 100, MaxURLTokens: 65_000,
		},
		Site: Site{"www.example.org", false, "domain", map[string][]string{"shop": {"shop.example.org", "*.example.net"}, "none": nil}},
		Rule: Rule{MinSupport: 4, BucketLow: 2, BucketHigh: 1000, Learners: []string{"equal", "params"}, Lists: []string{"lists/clearurls.json", "names.txt"}, Labels: []string{"canonicals.csv"}},
		Validate: Validate{Origin: "http://127.0.0.1:8080", Origins: map[string]string{"shop.example.org": "http://10.0.0.7:81"}, Scheme: "https",
			Private: []string{"10.0.0.0/8"}, Contact: "https://example.org/us", Actions: []string{"buy"}, NeverPaths: []string{"/admin/", "*.cgi$"}, Kinds: "any", Total: 2000, Rate: 3, OriginDelay: 5 * time.Millisecond, Seed: 7, DryRun: "json", Audit: "audit.jsonl",
			PublishInterval: time.Minute, LevelInterval: time.Second, HoldShare: 0.25},
		Keep:  Keep{"/srv/state", 2 << 30, 10, 16, "000102030405060708090a0b0c0d0e0f"},
		Write: Write{Rules: "-", Events: "e.jsonl", EventsMaxSize: 1_000_000, LogLevel: "debug", LogFormat: "json"},
		Admin: Admin{"[::1]:0", []string{"dust.example.org", "::1"}, "/srv/token",
			"read", "report", []string{"https://crawler.example", "http://127.0.0.1:8080"}, 100, 10, []string{"192.0.2.1"}},
		Kafka: Kafka{Brokers: []string{"kafka-1.example.org:9092", "[::1]:9093"}, Group: "g", SessionTimeout: 30 * time.Second,
			Topics: Topics{Lines: []string{"access", "more"}, Prefix: "p", Observations: "o", Rules: "r", Events: "e", DeadLetters: "d"},
			TLS:    TLS{true, "ca.pem", "cert.pem", "key.pem", "kafka"}, SASL: SASL{Mechanism: "plain", User: "dust", Password: "10"}},
		Pace: Pace{100 * time.Millisecond, 100 * time.Millisecond, 10 * time.Millisecond, time.Second},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// The prefix names the topics that have no name from any source, even the name of the default.
func TestTopicPrefix(t *testing.T) {
	for _, c := range []struct {
		text   string
		env    map[string]string
		names  string
		source string // of the topic of events
	}{
		{"", nil, "dust.observations dust.rules dust.events", "default"},
		{"kafka: {topic_prefix: a}", nil, "a.observations a.rules a.events", "x.yml:1"},
		{"kafka: {topic_prefix: a, rules: dust.rules}", nil, "a.observations dust.rules a.events", "x.yml:1"},
		{"kafka: {topic_prefix: a, observations: o}", map[string]string{"DUSTBUSTER_KAFKA_TOPIC_PREFIX": "b"}, "o b.rules b.events", "DUSTBUSTER_KAFKA_TOPIC_PREFIX"},
		{"kafka: {rules: r}", map[string]string{"DUSTBUSTER_KAFKA_TOPIC_PREFIX": "b", "DUSTBUSTER_KAFKA_EVENTS": "e"}, "b.observations r e", "DUSTBUSTER_KAFKA_EVENTS"},
	} {
		got, err := load("x.yml", []byte(c.text), c.env, nil)
		must(t, err)
		topics := got.Kafka.Topics
		if names := topics.Observations + " " + topics.Rules + " " + topics.Events; names != c.names || got.source("kafka.events") != c.source {
			t.Errorf("%s %v: %s, by %s", c.text, c.env, names, got.source("kafka.events"))
		}
	}
}

// Files may be empty, and sections all comment.
func TestNothingGivesDefaults(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "---\n", "{}", "read:\n  # pane: 1h\n", "read:\n  inputs:\n", "site:\n  groups:\nread:\n  ignore_clients:\n"} {
		got, err := load("x.yml", []byte(text), nil, nil)
		if want := Defaults(); err != nil || !same(&got, &want) {
			t.Errorf("%q: %v, %+v", text, err, got)
		}
	}
}

// same compares without sources, nil with empty.
func same(a, b *Config) bool {
	var x, y bytes.Buffer
	const sources, secrets = false, true
	return a.print(&x, sources, secrets) == nil && b.print(&y, sources, secrets) == nil && x.String() == y.String()
}

func TestLoadWithoutFile(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"testdata/nosuch.yml", "read testdata/nosuch.yml: no such file or directory"},
		{"testdata", "read testdata: is a directory"},
	} {
		if _, err := Load(c.path, nil, nil); fmt.Sprint(err) != c.want {
			t.Errorf("got %q, want %q", err, c.want)
		}
	}
	got, err := Load("", nil, nil)
	if want := Defaults(); err != nil || !same(&got, &want) {
		t.Errorf("%v, %+v", err, got)
	}
}

// must ends a test at an error.
var must = expect.NoError
