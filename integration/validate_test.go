package integration

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// liveSite is a small site with several URLs for each story, and one rule that the
// log suggests and that is wrong.
type liveSite struct {
	mu     sync.Mutex
	asked  map[string]int
	now    int // requests at this moment
	most   int // at any
	agents map[string]bool
	moved  func(*http.Request) bool // reports whether a story is not what it was; nil: none is
}

const liveStories = 60

func newLive() *liveSite { return &liveSite{asked: map[string]int{}, agents: map[string]bool{}} }

func (s *liveSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.RequestURI()]++
	s.agents[r.UserAgent()] = true
	s.now++
	s.most = max(s.most, s.now)
	kind := "story"
	if s.moved != nil && s.moved(r) {
		kind = "notice, which has other words for whoever comes by,"
	}
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.now--; s.mu.Unlock() }()
	time.Sleep(time.Millisecond)
	path := r.URL.Path
	id := r.URL.Query().Get("id")
	switch {
	case path == "/robots.txt":
		http.NotFound(w, r)
	case path == "/story" && id != "":
		story(w, kind, id)
	case strings.HasPrefix(path, "/story_"):
		story(w, kind, strings.TrimPrefix(path, "/story_"))
	case strings.HasPrefix(path, "/comments/"):
		story(w, "comments", strings.TrimPrefix(path, "/comments/"))
	default:
		http.NotFound(w, r)
	}
}

// story answers with a page of as many bytes as the log has of it.
func story(w http.ResponseWriter, kind, id string) {
	w.Header().Set("Content-Type", "text/html")
	text := fmt.Sprintf("<title>%s</title><p>%s", kind, strings.Repeat("the "+kind+" of number "+id+" goes on like this, ", 10))
	n, _ := strconv.Atoi(id)
	fmt.Fprintf(w, "%s<!--%s-->", text, strings.Repeat(" ", max(0, liveSize(kind, n)-len(text+"<!---->"))))
}

// liveSize is how large a page is: comments have nearly the size of their story.
func liveSize(kind string, n int) int {
	size := 2000 + 100*n
	if kind == "comments" {
		size += 7
	}
	return size
}

func (s *liveSite) requests() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.asked {
		n += k
	}
	return n
}

// liveLog is the site's log.
func liveLog() string {
	var b strings.Builder
	for i := range liveStories {
		for _, target := range []string{"/story?id=%d", "/story_%d", "/story?id=%[1]d&sid=%[1]d9f", "/story?id=%[1]d&sid=%[1]d7c"} {
			b.WriteString(line(fmt.Sprintf(target, i), liveSize("story", i)))
		}
		b.WriteString(line(fmt.Sprintf("/comments/%d", i), liveSize("comments", i)))
	}
	return b.String()
}

// serve has a made-up site answer while the test runs.
func serve(t testing.TB, site http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	return server
}

// startLive serves a live site and writes its log.
func startLive(t testing.TB) (site *liveSite, origin, log string) {
	t.Helper()
	site = newLive()
	return site, serve(t, site).URL, write(t, "access.log", []byte(liveLog()))
}

// Killed again and again while it tries rules, the daemon asks for little twice,
// and never publishes one thing and then another under one name. Then canon
// applies what it found.
func TestTrialSurvivesKills(t *testing.T) {
	t.Parallel()
	site, origin, log := startLive(t)
	quiet := t.TempDir()
	d := trier(t, origin, log, quiet, "--hold-share", "1")
	want := awaitRules(t, quiet, d)
	d.kill(t)
	whole := site.requests()

	site, origin, log = startLive(t)
	state, seen := t.TempDir(), &sets{content: map[string]string{}}
	const kills = 25
	for range kills {
		d = trier(t, origin, log, state, "--hold-share", "1")
		go seen.listen(t, "http://"+d.admin+"/api/v1/changes")
		time.Sleep(time.Duration(50+rand.IntN(250)) * time.Millisecond)
		d.kill(t)
		seen.file(t, filepath.Join(state, "rules.jsonl"))
	}
	d = trier(t, origin, log, state, "--hold-share", "1")
	got := awaitRules(t, state, d)
	seen.file(t, filepath.Join(state, "rules.jsonl"))
	seen.listen(t, "http://"+d.admin+"/api/v1/changes")
	d.end(t)
	if !slices.Equal(edits(t, got), edits(t, want)) {
		t.Errorf("rules\n%s\nwithout kills\n%s", got, want)
	}
	// A pair that was fetched and not saved is fetched again, and each process asks for robots.txt.
	if n := site.requests(); n > whole+kills*20 || site.most > 1 {
		t.Errorf("%d requests, %d of them at once; %d in one run without kills", n, site.most, whole)
	}
	for agent := range site.agents {
		if !strings.HasPrefix(agent, "dustbuster/") {
			t.Errorf("fetched as %q", agent)
		}
	}
	t.Logf("%d requests with %d kills, %d without; %d sets seen", site.requests(), kills, whole, len(seen.content))
	canonized(t, filepath.Join(state, "rules.jsonl"))
	asDocumented(t, publishedSchema, got)
}

// Of the first rules only the beginning goes out that changes at most half of the URLs,
// also when the daemon is killed meanwhile; the rest goes out when a person approves it.
func TestHeldRules(t *testing.T) {
	t.Parallel()
	_, origin, log := startLive(t)
	state := t.TempDir()
	d := trier(t, origin, log, state)
	first := awaitRules(t, state, d)
	awaitHeld(t, d)
	d.kill(t)
	d = trier(t, origin, log, state)
	mark := awaitHeld(t, d)
	if list := awaitRules(t, state, d); !slices.Equal(idsOf(t, list), idsOf(t, first)) || bytes.Count(first, []byte("\n")) != 1 {
		t.Fatalf("published\n%sand then\n%s%s", first, list, d)
	}
	for _, path := range []string{"/api/v1/approve", "/api/v1/reject"} {
		if code := postJSON(t, d.admin, path, map[string]any{"site": "", "mark": mark + "x"}); code != http.StatusConflict {
			t.Errorf("%s of another update: status %d", path, code)
		}
	}
	if code := postJSON(t, d.admin, "/api/v1/approve", map[string]any{"site": "", "mark": mark}); code != http.StatusAccepted {
		t.Fatalf("approve: status %d", code)
	}
	path := filepath.Join(state, "rules.jsonl")
	await(t, 2*patience, "two rules, which were approved", func() (string, bool) {
		list := readFile(t, path)
		return string(list), bytes.Count(list, []byte("\n")) >= 2
	}, d)
	canonized(t, path)
}

// idsOf returns the ids of the rules of a list, whose verdicts may be proved in the meantime.
func idsOf(t *testing.T, list []byte) (ids []string) {
	t.Helper()
	for line := range bytes.Lines(list) {
		var r struct{ ID string }
		must(t, json.Unmarshal(line, &r))
		ids = append(ids, r.ID)
	}
	return ids
}

// awaitHeld waits until one rule is held, and returns the mark.
func awaitHeld(t *testing.T, d *running) string {
	t.Helper()
	s := await(t, 2*patience, "a rule that is held", func() (status, bool) {
		s, _ := d.status(t)
		held := s.Validate.Held[""]
		return s, held.Rules == 1 && held.Share == 0.6
	}, d)
	return s.Validate.Held[""].Mark
}

const publishedSchema = "../docs/schema/published-rule.schema.json"

// asDocumented holds published rules against a schema.
func asDocumented(t *testing.T, path string, list []byte) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(path)
	must(t, err)
	for line := range bytes.Lines(list) {
		var o map[string]any
		must(t, json.Unmarshal(line, &o))
		if err := schema.Validate(o); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		for member := range o {
			other := maps.Clone(o)
			other[member] = []any{7.0}
			if schema.Validate(other) == nil {
				t.Errorf("the schema says nothing of %q", member)
			}
		}
	}
}

// awaitRules waits for rules to be published.
func awaitRules(t *testing.T, state string, d *running) []byte {
	t.Helper()
	return []byte(await(t, patience, "rules", func() (string, bool) {
		text, _ := os.ReadFile(filepath.Join(state, "rules.jsonl"))
		return string(text), bytes.Contains(text, []byte(`"state":"valid"`))
	}, d))
}

// edits are the ids of rules.
func edits(t *testing.T, list []byte) (ids []string) {
	t.Helper()
	for line := range bytes.Lines(list) {
		var r struct{ ID string }
		must(t, json.Unmarshal(line, &r))
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	return ids
}

// sets are what was published under each sequence, and each rule by its id.
type sets struct {
	mu      sync.Mutex
	content map[string]string
}

func (s *sets) note(t *testing.T, name, content string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, ok := s.content[name]; ok && was != content {
		t.Errorf("%s was\n%s\nand now is\n%s", name, was, content)
	}
	s.content[name] = content
}

func (s *sets) file(t *testing.T, path string) {
	text, _ := os.ReadFile(path) // there may be none yet
	for line := range bytes.Lines(text) {
		for _, id := range edits(t, line) {
			s.note(t, "rule "+id, string(line))
		}
	}
}

// listen notes the sets that a daemon tells, until it is gone or two seconds have
// passed.
func (s *sets) listen(t *testing.T, url string) {
	client := http.Client{Timeout: 2 * time.Second}
	for range 50 {
		answer, err := client.Get(url)
		if err != nil {
			time.Sleep(2 * time.Millisecond)
			continue
		}
		in := bufio.NewScanner(answer.Body)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			data, ok := strings.CutPrefix(in.Text(), "data: ")
			var set struct{ Sequence int }
			if ok && json.Unmarshal([]byte(data), &set) == nil {
				s.note(t, fmt.Sprintf("sequence %d", set.Sequence), data)
			}
		}
		answer.Body.Close()
		return
	}
}

// canonized applies the rules to the URLs of the log.
func canonized(t *testing.T, rules string) {
	t.Helper()
	var in strings.Builder
	for i := range liveStories {
		for _, form := range []string{"/story?id=%d\n", "/story_%d\n", "/story?id=%d&sid=1\n", "/comments/%d\n"} {
			fmt.Fprintf(&in, form, i)
		}
	}
	lines := strings.Split(strings.TrimSpace(canonOf(t, rules, in.String())), "\n")
	for i := range liveStories {
		four := lines[4*i : 4*i+4]
		if four[0] != four[1] || four[1] != four[2] || four[3] != fmt.Sprintf("/comments/%d", i) {
			t.Errorf("canonical forms %q", four)
		}
	}
}

// A signal has validate try together what holds, print it, and say that there may be more.
func TestValidateSignal(t *testing.T) {
	t.Parallel()
	_, origin, log := startLive(t)
	cmd := exec.Command(program, "validate", "--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "5ms", "--output", "json", log)
	var list bytes.Buffer
	cmd.Stdout = &list
	stderr, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	var said strings.Builder
	found, interrupted := regexp.MustCompile(`^dustbuster: confirmed: `), false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if !interrupted && found.MatchString(lines.Text()) {
			interrupted = true
			_ = cmd.Process.Signal(syscall.SIGINT)
		}
		fmt.Fprintln(&said, lines.Text())
	}
	if _ = cmd.Wait(); cmd.ProcessState.ExitCode() != 3 || !strings.Contains(said.String(), "interrupted; the rules are those confirmed so far") {
		t.Errorf("%v\n%s", cmd.ProcessState, said.String())
	}
	if n := bytes.Count(list.Bytes(), []byte("\n")); n == 0 || !bytes.Contains(list.Bytes(), []byte(`"state":"valid"`)) {
		t.Errorf("%d rules are printed: %s\n%s", n, &list, said.String())
	}
}

// A list of rules outlives a server whose pages cannot be had, and the exit code tells.
func TestValidateOfSilentServer(t *testing.T) {
	t.Parallel()
	log := write(t, "access.log", []byte(liveLog()))
	for _, c := range []struct{ status, want int }{{http.StatusNotFound, 1}, {http.StatusBadGateway, 3}, {http.StatusServiceUnavailable, 3}} {
		server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			w.WriteHeader(c.status)
		}))
		list := write(t, "rules.jsonl", []byte("before"))
		r := finish(t, exec.Command(program, "validate", "--fetch-kinds", "any", "--origin", server.URL, "--fetch-delay", "0", "--output", "json="+list, log))
		now, err := os.ReadFile(list)
		must(t, err)
		if r.code != c.want || string(now) != "before" || !strings.Contains(r.stderr, "no pages could be compared") {
			t.Errorf("status %d: %q remains; %v", c.status, now, r)
		}
	}
	list := write(t, "rules.jsonl", []byte("before"))
	r := finish(t, exec.Command(program, "validate", "--fetch-kinds", "any", "--origin", "http://127.0.0.1:1", "--output", "json="+list, log))
	if now, err := os.ReadFile(list); err != nil || r.code != 1 || string(now) != "before" || !strings.Contains(r.stderr, "is the server up") || strings.Contains(r.stderr, "tried") {
		t.Errorf("without a server: %q remains, %v; %v", now, err, r)
	}
}
