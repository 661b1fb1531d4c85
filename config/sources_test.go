package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestPrecedence(t *testing.T) {
	file := []byte("read: {pane: 3h, window: 30h, ignore_clients: [192.0.2.1], inputs: [{paths: [a]}]}\n" +
		"site: {groups: {a: [a.example]}}\nrule: {params: false}\nkeep: {max_urls: 3}\n")
	env := []string{"DUSTBUSTER_READ_WINDOW=40h", "DUSTBUSTER_KEEP_MAX_URLS=4", "DUSTBUSTER_READ_IGNORE_CLIENTS=192.0.2.2,192.0.2.3",
		"DUSTBUSTER_READ_INPUTS=b,c*", "DUSTBUSTER_WRITE_LOG_LEVEL=warn", `DUSTBUSTER_SITE_GROUPS=b=b.example c.example`}
	flags := testFlags(t, "--max-urls=5", "--group", "x=x.example", "--group=y=y.example z.example", "--ignore-clients=192.0.2.4", "--ignore-clients=192.0.2.5,192.0.2.6",
		"--no-refine", "--no-params=false", "--tail=d", "--tail", "e,f")
	c, err := load("x.yml", file, environment(env), flags)
	must(t, err)
	var out bytes.Buffer
	must(t, c.Print(&out, true))
	for _, want := range []string{
		"  pane: 3h # x.yml:1\n",
		"  window: 40h # DUSTBUSTER_READ_WINDOW\n",
		"  max_urls: 5 # --max-urls\n",
		"  max_sites: 0 # default\n",
		"  log_level: warn # DUSTBUSTER_WRITE_LOG_LEVEL\n",
		"  params: true # --no-params\n",
		"  refine: false # --no-refine\n",
		"  # --tail\n  inputs:\n  - paths:\n    - d\n  - paths:\n    - \"e,f\"\n  olddir",
		"  # --group\n  groups:\n    x:\n    - x.example\n    y:\n    - y.example\n    - z.example\n",
		"  # --ignore-clients\n  ignore_clients:\n  - 192.0.2.4\n  - 192.0.2.5\n  - 192.0.2.6\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
}

func testFlags(t *testing.T, args ...string) *Flags {
	t.Helper()
	f := NewFlags(Defaults())
	to := pflag.NewFlagSet("", pflag.ContinueOnError)
	c := Defaults()
	for _, row := range c.settings() {
		if row.flag != "" {
			f.Register(to, row.key)
		}
	}
	must(t, to.Parse(args))
	return f
}

func TestEnvironmentErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"DUSTBUSTER_READ_PANE=2", `DUSTBUSTER_READ_PANE must be a duration such as 24h or 30m, got "2"`},
		{"DUSTBUSTER_READ_PANE=", `DUSTBUSTER_READ_PANE must be a duration such as 24h or 30m, got ""`},
		{"DUSTBUSTER_RULE_BUCKET_LOW=1", `DUSTBUSTER_RULE_BUCKET_LOW must be 2 to 1,000, since a bucket of one has no pair, got "1"`},
		{"DUSTBUSTER_RULE_BUKET_LOW=4", `DUSTBUSTER_RULE_BUKET_LOW is not a key; meant DUSTBUSTER_RULE_BUCKET_LOW?`},
		{"DUSTBUSTER_FETCH_DELAY=3s", `DUSTBUSTER_FETCH_DELAY is not a key; meant DUSTBUSTER_VALIDATE_DELAY?`},
		{"DUSTBUSTER_NO_REFINE=true", `DUSTBUSTER_NO_REFINE is not a key; meant DUSTBUSTER_RULE_REFINE?`},
		{"DUSTBUSTER_SITE_GROUPS=a", `DUSTBUSTER_SITE_GROUPS must be such as name="host host", got "a"`},
		{"DUSTBUSTER_READ_IGNORE_CLIENTS=a", `DUSTBUSTER_READ_IGNORE_CLIENTS "a" is no address and no network such as 192.0.2.0/24`},
		{`DUSTBUSTER_READ_IGNORE_CLIENTS="a"b"`, `DUSTBUSTER_READ_IGNORE_CLIENTS must be a list, with commas between, got "\"a\"b\""`},
		{`DUSTBUSTER_READ_INPUTS=a,b"c`, `DUSTBUSTER_READ_INPUTS must be paths, with commas between, got "a,b\"c"`},
		{"DUSTBUSTER_READ_INPUTS=a[", `DUSTBUSTER_READ_INPUTS must be a path or a pattern such as /var/log/nginx/*.log, got "a["`},
		{"DUSTBUSTER_READ_FORMAT=%h", `DUSTBUSTER_READ_FORMAT: compile format: the format has no request (log $request or %r, or method and URI)`},
		{"DUSTBUSTER_KEEP_HASH_KEY=geheim", `DUSTBUSTER_KEEP_HASH_KEY must be 32 hexadecimal digits, such as openssl rand -hex 16 prints`},
		{"DUSTBUSTER_KEEP_STATE=\xff", `DUSTBUSTER_KEEP_STATE must be UTF-8 text`},
		{"DUSTBUSTER_VALIDATE_ACTIONS=standard,-x", `DUSTBUSTER_VALIDATE_ACTIONS: read words of actions: -x leaves out no word of the list "standard"`},
		{"DUSTBUSTER_VALIDATE_NEVER_FETCH_PATH=/a,b", `DUSTBUSTER_VALIDATE_NEVER_FETCH_PATH: read pattern "b": it must begin with / or *, such as /admin/, *.cgi$ or /shop/*/order`},
	} {
		_, err := load("", nil, environment([]string{c.text}), nil)
		if got := fmt.Sprint(err); got != "read environment: "+c.want {
			t.Errorf("%s:\ngot  %s\nwant read environment: %s", c.text, got, c.want)
		}
	}
}

// Variables that a container platform sets for a service named dustbuster are not mistakes. They
// are named.
func TestEnvironmentOfOthers(t *testing.T) {
	env := []string{"DUSTBUSTER_PORT=tcp://10.0.0.1:9464", "DUSTBUSTER_SERVICE_HOST=10.0.0.1", "DUSTBUSTER_SERVICE_PORT_ADMIN=9464",
		"DUSTBUSTER_PORT_9464_TCP_ADDR=10.0.0.1", "DUSTBUSTER_ADMIN_SERVICE_PORT=9464", "DUSTBUSTER_MORE=1", "DUSTBUSTER_DATA=/data", "DUSTBUSTER_TEST_KAFKA=1", "STATE=x", "odd"}
	got, err := Load("", env, nil)
	if want := Defaults(); err != nil || !same(&got, &want) {
		t.Errorf("%v, %+v", err, got)
	}
	want := []string{"DUSTBUSTER_ADMIN_SERVICE_PORT", "DUSTBUSTER_MORE", "DUSTBUSTER_PORT", "DUSTBUSTER_PORT_9464_TCP_ADDR", "DUSTBUSTER_SERVICE_HOST", "DUSTBUSTER_SERVICE_PORT_ADMIN"}
	if !slices.Equal(got.Strangers(), want) {
		t.Errorf("strangers are %q", got.Strangers())
	}
}

func TestFlagErrors(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"--bucket-low=1", "read flags: --bucket-low must be 2 to 1,000, since a bucket of one has no pair"},
		{"--never-fetch=standard,-x", `read flags: --never-fetch: read words of actions: -x leaves out no word of the list "standard"`},
		{"--never-fetch-path=b", `read flags: --never-fetch-path: read pattern "b": it must begin with / or *, such as /admin/, *.cgi$ or /shop/*/order`},
		{"--ignore-clients=a", `read flags: --ignore-clients "a" is no address and no network such as 192.0.2.0/24`},
		{"--site=a/b", `read flags: --site must be the name of a host, got "a/b"`},
		{"--veto=xyz", `read flags: --veto: "xyz" is not the id of a rule: 20 hexadecimal digits, as in /api/v1/rules`},
		{"--tail=", `read flags: --tail must be a path or a pattern such as /var/log/nginx/*.log, got ""`},
	} {
		_, err := load("", nil, nil, testFlags(t, c.arg))
		if got := fmt.Sprint(err); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.arg, got, c.want)
		}
		var flag *FlagError
		if !errors.As(err, &flag) {
			t.Errorf("%s: %T", c.arg, err)
		}
	}
}

// A mistake in the file is an error even if a flag overrides the value.
func TestHiddenMistake(t *testing.T) {
	_, err := load("x.yml", []byte("read: {pane: 0}"), environment([]string{"DUSTBUSTER_READ_PANE=1h"}), testFlags(t, "--pane=1h"))
	if fmt.Sprint(err) != `read x.yml:1: read.pane must be a second or more, got "0"` {
		t.Error(err)
	}
}
