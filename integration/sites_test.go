package integration

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

var fetches = flag.Int("fetches", 1000, "requests for trials of the real sites' rules, a third more for those of the set; 0: no limit; if not 1000, levels are a second apart")

var liveKey = flag.String("live-key", "00000000000000000000000000000000", "key by which pairs of the real sites are drawn")

// goal is what the rules of a real site must come to.
type goal struct {
	site         string
	path         string  // that answers
	least, whole float64 // coverage of the duplicates after 1,000 fetches, and with more
}

var goals = []goal{{"docs", "/manual/", 0.45, 0.50}, {"gitweb", "/gitweb/", 0.25, 0.45}}

// Two real sites, live: the log of their crawl is replayed to the daemon, which
// tries what it finds on the site itself and publishes; what it published is held
// against the truth that was crawled.
func TestLiveSites(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	for _, g := range goals {
		if g.site != "docs" && !*long {
			continue // TestTotalOfLiveSites has it
		}
		t.Run(g.site, func(t *testing.T) { live(t, filepath.Join(data, "sites", g.site), g) })
	}
}

func live(t *testing.T, data string, g goal) {
	origin := setUp(t, data, g.path)
	dir := t.TempDir()
	log, state := filepath.Join(dir, "access.log"), filepath.Join(dir, "state")
	writeFile(t, log, bytes.Join(logLines(t, filepath.Join(data, "access.log.gz")), nil))
	least, budget := g.least, []string{"--fetch-budget", strconv.Itoa(requestsOf(*fetches))}
	if *fetches != 1000 {
		least, budget = g.whole, append(budget, "--level-interval", "1s")
	}
	d := hasty(t, program, *liveKey, origin, log, state, append(budget, "--no-withhold")...)
	requests := awaitTrials(t, d)
	d.end(t)
	rules := filepath.Join(state, "rules.jsonl")
	list := readFile(t, rules)
	got := qualityOf(t, filepath.Join(data, "bodies.tsv.gz"), rules)
	byCrawl, bySite := falseMerges(t, filepath.Join(data, "bodies.tsv.gz"), rules, origin)
	wrong := got.onSite(byCrawl, bySite)
	t.Logf("%s: %d rules, coverage %.3f, %.1f false merges per 10,000 by the crawl, %.1f of them on the site: %+v; %d requests",
		g.site, got.rules, got.coverage, got.wrong, wrong, bySite, requests)
	if got.coverage < least || wrong > 10 || got.rules > 60 {
		t.Errorf("coverage %.3f, want %.2f; %.1f false merges per 10,000, at most 10; %d rules, at most 60\n%s", got.coverage, least, wrong, got.rules, list)
	}
	noneFalse(t, filepath.Join(data, "rules.tsv"), list)
	appliersAgree(t, rules, sampled(urlsOf(t, filepath.Join(data, "access.log.gz")), rounds(9, 1)))
}

// hasty starts a daemon that tries rules on a site without a pause and holds none. key says
// which pairs are drawn.
func hasty(t *testing.T, program, key, origin, log, state string, args ...string) *running {
	t.Helper()
	admin := freeAddress(t)
	cmd := exec.Command(program, append([]string{"run", "--tail", log, "--state", state, "--admin-listen", admin, "--window", "0",
		"--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "0", "--fetch-rate", "0", "--hold-share", "1"}, args...)...)
	cmd.Env = append(os.Environ(), "DUSTBUSTER_KEEP_HASH_KEY="+key)
	d := begin(t, "the daemon", cmd)
	d.admin = admin
	return d
}

// requestsOf are the requests of which all but a quarter, kept for the trial of the
// set, are those for trials.
func requestsOf(trials int) int { return (trials*4 + 2) / 3 }

// sitesUp are the real sites that run, each for all tests of the binary: to build one
// takes up to a minute.
var sitesUp struct {
	sync.Mutex
	origins map[string]string // by folder of the site's script
	stops   []func() error
}

// setUp returns the origin of a site, and brings it up on a port of its own if it is not.
func setUp(t *testing.T, data, path string) (origin string) {
	t.Helper()
	sitesUp.Lock()
	defer sitesUp.Unlock()
	if origin = sitesUp.origins[data]; origin != "" {
		return origin
	}
	dir, err := os.MkdirTemp("", "dustbuster-site")
	if err == nil {
		err = os.Chmod(dir, 0o755) // the web server is not root
	}
	must(t, err)
	_, port, err := net.SplitHostPort(freeAddress(t))
	must(t, err)
	script := func(args ...string) error {
		cmd := exec.Command("bash", append([]string{filepath.Join(data, "setup.sh")}, args...)...)
		cmd.Env = append(os.Environ(), "D="+dir, "PORT="+port)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("setup.sh %v: %w\n%s", args, err, out)
		}
		return nil
	}
	sitesUp.stops = append(sitesUp.stops, func() error { return errors.Join(script("stop"), os.RemoveAll(dir)) })
	must(t, script())
	origin = "http://127.0.0.1:" + port
	awaitAnswer(t, origin+path, "")
	if sitesUp.origins == nil {
		sitesUp.origins = map[string]string{}
	}
	sitesUp.origins[data] = origin
	return origin
}

// stopSites ends the sites when all tests have run.
func stopSites() (err error) {
	for _, stop := range sitesUp.stops {
		err = errors.Join(err, stop())
	}
	return err
}

// awaitTrials waits until nothing has been asked of the site for a while, and
// returns how much was. A slow site is asked less often: the delay doubles with the time
// that answers take, so the wait is longer than what follows the longest so far.
func awaitTrials(t *testing.T, d *running) (requests int) {
	t.Helper()
	quiet, longest := time.Now(), 10*time.Second // it refines every ten
	requests, _ = expect.Poll(30*time.Minute, func() (int, bool) {
		s, ok := d.status(t)
		if ok && s.Validate.Requests != requests {
			if requests > 0 {
				longest = max(longest, time.Since(quiet))
			}
			requests, quiet = s.Validate.Requests, time.Now()
		}
		return requests, ok && requests > 0 && time.Since(quiet) > 3*longest
	})
	return requests
}

type quality struct {
	rules, valid    int
	coverage, wrong float64
}

var evaluated = regexp.MustCompile(`rules (\d+) valid (\d+) .* coverage ([0-9.]+) false_merges_per_1e4 ([0-9.]+)`)

// evaluate has the data's own program judge rules, in its words: published ones with --trust.
func evaluate(t *testing.T, bodies, rules string, flags ...string) (q quality) {
	t.Helper()
	args := append([]string{filepath.Join(dataFolder(t), "tools", "evaluate.py"), bodies, rules}, flags...)
	out, err := exec.Command("python3", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("evaluate.py: %v\n%s", err, out)
	}
	found := evaluated.FindSubmatch(out)
	if found == nil {
		t.Fatalf("evaluate.py says %s", out)
	}
	q.rules, _ = strconv.Atoi(string(found[1]))
	q.valid, _ = strconv.Atoi(string(found[2]))
	q.coverage, _ = strconv.ParseFloat(string(found[3]), 64)
	q.wrong, _ = strconv.ParseFloat(string(found[4]), 64)
	return q
}

// noneFalse checks that no rule known to be false was published whole. With exceptions a rule that is
// false of some pairs may be right.
func noneFalse(t *testing.T, path string, list []byte) {
	t.Helper()
	_, wrong, found := strings.Cut(string(readFile(t, path)), "# expected false")
	if !found {
		t.Fatalf("%s has no false rules", path)
	}
	for line := range strings.Lines(wrong) {
		sides := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(sides) < 2 {
			continue
		}
		for rule := range bytes.Lines(list) {
			var r struct {
				Alpha, Beta string
				Except      json.RawMessage
			}
			must(t, json.Unmarshal(rule, &r))
			if r.Except != nil {
				continue
			}
			if r.Alpha == sides[0] && r.Beta == sides[1] || r.Alpha == sides[1] && r.Beta == sides[0] {
				t.Errorf("published, and false: %s", rule)
			}
		}
	}
}
