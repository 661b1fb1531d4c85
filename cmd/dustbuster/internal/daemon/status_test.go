package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/internal/expect"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/read/input"
	"dustbuster/operators/rule"
	"dustbuster/sinks/admin"
	"dustbuster/stream/prober"
)

// asDaemon answers as a daemon with an overview.
func asDaemon(t *testing.T, status any, inputs []input.State) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	for _, c := range []struct {
		path     string
		document any
	}{{"/api/v1/status", status}, {"/api/v1/inputs", map[string]any{"inputs": inputs}}} {
		mux.HandleFunc(c.path, func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(c.document) })
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

var rewriteStatus = flag.Bool("rewrite-status", false, "write testdata/status anew")

// The text of a status is a contract, of a daemon and of an agent. Every number of the
// overview that is shown differs from the others.
func TestStatusText(t *testing.T) {
	now := time.Unix(1767362460, 0)
	full, agentFull := fullOverview(), fullAgentOverview()
	hostile := fullOverview()
	hostile.loop.Sites = hostile.loop.Sites[:1]
	hostile.loop.Sites[0].Name = "a\x1b[2J\u202e\u3164b.example"
	hostile.inputs[0].Name, hostile.inputs[0].LastError = "/a\n/b", "\x1b]0;title\x07"
	for _, c := range []struct {
		name         string
		status       any
		inputs       []input.State
		sites, width int
	}{
		{"daemon", full.json(0), full.inputs, 0, 0},
		{"narrow", full.json(0), full.inputs, 1, 40},
		{"empty", (&overview{}).json(0), nil, 0, 0},
		{"agent", agentFull.json(), agentFull.inputs, 0, 0},
		{"hostile", hostile.json(0), hostile.inputs, 0, 0},
	} {
		a, err := (&remote{address: asDaemon(t, c.status, c.inputs).URL}).ask(t.Context(), 0)
		must(t, err)
		a.Address = "http://127.0.0.1:9464"
		got, err := statusText(a, c.sites, c.width, now)
		must(t, err)
		path := filepath.Join("testdata", "status", c.name+".txt")
		if *rewriteStatus {
			must(t, os.WriteFile(path, []byte(got), 0o644))
		}
		want, err := os.ReadFile(path)
		must(t, err)
		if got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, want)
		}
		if strings.ContainsAny(got, "\x1b\x07\u202e\u3164") {
			t.Errorf("%s: %q", c.name, got)
		}
		for line := range strings.Lines(got) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); c.width > 0 && n > c.width {
				t.Errorf("%s: %d columns: %s", c.name, n, line)
			}
		}
	}
}

// A site without a trial says why nothing is tried, and until when.
func TestStatusWithoutTrial(t *testing.T) {
	at := time.Unix(1_800_000_000, 0)
	for _, c := range []struct {
		want string
		now  prober.NowJSON
	}{
		{"the log suggests no rule yet", prober.NowJSON{Why: "nothing_likely", Words: "the log suggests no rule yet"}},
		{"waits 14m0s: the requests that are left are kept", prober.NowJSON{Why: "kept", Words: "the requests that are left are kept", Until: at.Add(14 * time.Minute)}},
		{"the requests of this hour are made", prober.NowJSON{Why: "budget", Words: "the requests of this hour are made", Until: at.Add(-time.Second)}},
	} {
		t.Run(string(c.now.Why), func(t *testing.T) {
			d := &daemonJSON{Trials: trialsJSON{StatusJSON: prober.StatusJSON{On: true, Now: map[string]prober.NowJSON{"a.example": c.now}}}}
			if got := (&statusView{Daemon: d, now: at}).Trial("a.example"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The text of a few sites is the same, whether the status has these or all.
func TestStatusOfFewSites(t *testing.T) {
	for sites := range 4 {
		o := manyOverview(3, 2)
		for i := range o.loop.Sites {
			o.loop.Sites[i].URLs = i
		}
		o.trials.On = true
		o.trials.Published = map[string]*book.Publication{"www0.example": {Sequence: 1, At: 7, Records: make([]rule.Record, 2)}, "www2.example": {Sequence: 1, At: 5, Records: make([]rule.Record, 1)}}
		all, few := textOf(t, o.json(0), sites), o.json(sites)
		if got := textOf(t, few, sites); got != all || !strings.Contains(all, "published: 3 rules of 2 sites") {
			t.Errorf("%d sites: got %q, want %q", sites, got, all)
		}
		if n := len(few.(daemonJSON).Sites); n != sites && sites > 0 || len(few.(daemonJSON).Trials.Out) > n {
			t.Errorf("%d sites: the status has %d", sites, n)
		}
		server, err := admin.OpenAgent(admin.Options{Listen: "127.0.0.1:0"}, asReporter{o: o})
		must(t, err)
		go func() { _ = server.Serve() }() // Shutdown ends it
		address := "http://" + server.Addr().String()
		a, err := (&remote{address: address}).ask(t.Context(), sites)
		must(t, err)
		var asked daemonJSON
		must(t, json.Unmarshal(a.Status, &asked))
		if n := len(asked.Sites); n != len(few.(daemonJSON).Sites) || asked.AllSites != 3 {
			t.Errorf("%d sites: the listener has %d of %d", sites, n, asked.AllSites)
		}
		for _, wrong := range []string{"", "x", "-1"} {
			answer, err := http.Get(address + "/api/v1/status?sites=" + wrong)
			must(t, err)
			if must(t, answer.Body.Close()); answer.StatusCode != http.StatusBadRequest {
				t.Errorf("sites=%s: %d", wrong, answer.StatusCode)
			}
		}
		must(t, server.Shutdown(t.Context()))
	}
}

func textOf(t *testing.T, document any, sites int) string {
	status, err := json.Marshal(document)
	must(t, err)
	text, err := statusText(&reply{Status: status}, sites, 0, time.Unix(1767362460, 0))
	must(t, err)
	return text
}

// A site without an entry in the status says that its first look is due.
func TestStatusWithoutEntry(t *testing.T) {
	s := fullOverview().trials
	known, off := s.JSON([]string{"", "a.example"}, true), (&prober.Status{}).JSON([]string{""}, true)
	if len(known.Now) != 1 || known.NowOf("a.example").Why != lifecycle.Unable || known.NowOf("").Why != lifecycle.FirstLook || known.NowOf("").Words == "" {
		t.Errorf("%+v", known.Now)
	}
	if len(off.Now) != 0 || off.NowOf("").Why != lifecycle.Off {
		t.Errorf("%+v", off.Now)
	}
}

// A duration belongs to --watch, and is no file.
func TestStatusWatchDuration(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"status", "--watch", "1s"}, nil, &out, &errs); code != cli.ExitUsage || !strings.Contains(errs.String(), "--watch takes its duration after an equals sign: --watch=1s") {
		t.Errorf("ended with %d: %s", code, &errs)
	}
}

// Status says what to do when it has no answer, with exit code 1.
func TestStatusErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		code int
		body string
		want string
	}{
		{"a token", 401, "", " needs a token\nname the file that the daemon uses: --admin-read-token-file FILE or --admin-token-file FILE, or its configuration"},
		{"another role", 403, "", "does not let this token read\ngive the token of readers or of operators"},
		{"another host", 421, "", "does not go by that name\nask it by an address, or allow the name with --admin-hosts"},
		{"another program", 200, "<html>", "is not JSON\nis it a dustbuster?"},
		{"another version", 404, "", "/api/v1/status answers 404 Not Found\nis it a dustbuster of this version?"},
		{"a redirect", 302, "", "answers 302 Found"},
		{"another shape", 200, "[]", "is no dustbuster of this version"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(c.code)
			fmt.Fprint(w, c.body)
		}))
		var out, errs bytes.Buffer
		if code := run(t.Context(), []string{"status", "--address", s.URL}, nil, &out, &errs); code != cli.ExitFailure || out.Len() > 0 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%s: ended with %d\n%s%s", c.name, code, &out, &errs)
		}
		s.Close()
	}
	hostile := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			fmt.Fprint(conn, "HTTP/1.1 500 \x1b[2J\r\nContent-Length: 0\r\n\r\n")
			conn.Close() //nolint:errcheck // the client has the answer
		}
	}))
	defer hostile.Close()
	var said bytes.Buffer
	if run(t.Context(), []string{"status", "--address", hostile.URL}, nil, nil, &said); !strings.Contains(said.String(), `answers 500 \x1b[2J`) {
		t.Errorf("%q", &said)
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"status", "--address", gone.URL}, nil, nil, &errs); code != cli.ExitFailure ||
		!strings.Contains(errs.String(), "no daemon answers at "+gone.URL+": ") || !strings.Contains(errs.String(), "start one with dustbuster run --tail LOG") {
		t.Errorf("ended with %d\n%s", code, &errs)
	}
}

// The daemon is found by its configuration, or by an address.
func TestRemoteOf(t *testing.T) {
	for _, c := range []struct{ listen, address, want string }{
		{"127.0.0.1:9464", "", "http://127.0.0.1:9464"},
		{"0.0.0.0:9464", "", "http://127.0.0.1:9464"},
		{":9464", "", "http://127.0.0.1:9464"},
		{"[::]:9464", "", "http://127.0.0.1:9464"},
		{"[::1]:9464", "", "http://[::1]:9464"},
		{"dust.example.org:80", "", "http://dust.example.org:80"},
		{"", "https://dust.example.org/proxied/", "https://dust.example.org/proxied"},
		{"", "", "error: admin.listen is empty"},
		{"127.0.0.1:0", "", "error: admin.listen is"},
		{"", "127.0.0.1:9464", "error: --address must be a URL"},
		{"", "http://:secret@127.0.0.1:9464", "error: --address must be a URL"},
		{"", "file:///etc", "error: --address must be a URL"},
	} {
		d, err := remoteOf(&config.Config{Admin: config.Admin{Listen: c.listen}}, c.address)
		got := fmt.Sprintf("error: %v", err)
		if err == nil {
			got = d.address
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// The token goes with the request, from the configuration: that of readers first.
func TestStatusToken(t *testing.T) {
	token := strings.Repeat("0123456789abcdef", 2)
	file := expect.File(t, "token", token+"\n")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{}`)
	}))
	defer s.Close()
	other, settings := filepath.Join(t.TempDir(), "other"), filepath.Join(t.TempDir(), "dustbuster.yml")
	for _, c := range []struct{ path, text string }{{other, strings.ToUpper(token)}, {settings, fmt.Sprintf("admin: {read_token_file: %q}\n", other)}} {
		must(t, os.WriteFile(c.path, []byte(c.text), 0o600))
	}
	for _, args := range [][]string{
		{"--admin-token-file", file},
		{"--admin-read-token-file", file},
		{"--admin-read-token-file", file, "--admin-token-file", other},
		{settings, "--admin-token-file", file},
	} {
		var out, errs bytes.Buffer
		args = append([]string{"status", "--admin-listen", strings.TrimPrefix(s.URL, "http://"), "--output", "json"}, args...)
		if code := run(t.Context(), args, nil, &out, &errs); code != 0 || out.String() != fmt.Sprintf(`{"address":%q,"status":{},"inputs":null}`+"\n", s.URL) {
			t.Errorf("%q: ended with %d\n%s%s", args, code, &out, &errs)
		}
	}
}

// A watch prints an answer after the other, survives a failure, and ends well.
func TestStatusWatch(t *testing.T) {
	var asked atomic.Int64
	done := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch asked.Add(1) {
		case 3: // the second look
			w.WriteHeader(http.StatusBadGateway)
			return
		case 6:
			defer close(done)
		}
		fmt.Fprint(w, `{}`)
	}))
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		<-done
		time.Sleep(50 * time.Millisecond) // the answer is printed
		cancel()
	}()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"status", "--address", s.URL, "--watch=100ms", "--output", "json"}, nil, &out, &errs)
	if code != 0 || strings.Count(out.String(), "\n") < 1 || !strings.Contains(errs.String(), "502") || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("ended with %d\n%s%s", code, &out, &errs)
	}
}

// On a terminal, a text replaces the one before, cut to the height of the screen.
func TestScreen(t *testing.T) {
	var out bytes.Buffer
	s := &screen{w: &out, width: 80, height: 4, redraws: true}
	for _, text := range []string{"a\nb\n", "1\n2\n3\n4\n5\n"} {
		must(t, s.draw(text))
	}
	if want := "\x1b[2J\x1b[Ha\x1b[K\nb\x1b[K\n\x1b[J" + "\x1b[H1\x1b[K\n2\x1b[K\n…\x1b[K\n\x1b[J"; out.String() != want {
		t.Errorf("got %q\nwant %q", &out, want)
	}
	out.Reset()
	s = &screen{w: &out}
	for _, text := range []string{"a\n", "b\n"} {
		must(t, s.draw(text))
	}
	if out.String() != "a\n\nb\n" {
		t.Errorf("in a pipe %q", &out)
	}
}

func TestShortTime(t *testing.T) {
	for _, c := range []struct {
		given time.Duration
		want  string
	}{{-time.Second, "0s"}, {59 * time.Second, "59s"}, {61 * time.Second, "1m1s"}, {2*time.Hour + 3*time.Minute, "2h3m"}, {49 * time.Hour, "2d1h"}} {
		if got := shortTime(c.given); got != c.want {
			t.Errorf("%v: %s, want %s", c.given, got, c.want)
		}
	}
}
