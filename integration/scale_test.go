package integration

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	scaleSites  = flag.Int("scale-sites", 1000, "sites of BenchmarkSites")
	scaleMemory = flag.String("scale-memory", "2GiB", "--memory of BenchmarkSites")
)

// sitesLog writes the log of many sites. Each has 30 URLs of 12 pages.
func sitesLog(t testing.TB, sites int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "access.log")
	file, err := os.Create(path)
	must(t, err)
	out := bufio.NewWriterSize(file, 1<<20)
	for i := range sites {
		for n := range 6 {
			for at, form := range []string{"/item/%d", "/item/%d?ref=home", "/old/%d", "/like/%d", "/look/%d"} {
				fmt.Fprintf(out, "%s 192.0.2.%d - - [24/Nov/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n",
					wideHost(i), (n+at)%9+1, fmt.Sprintf(form, n), 1000+50*n+2000*(at/3))
			}
		}
	}
	must(t, out.Flush())
	must(t, file.Close())
	return path
}

// secondsOf is the processor time of a process.
func secondsOf(t testing.TB, pid int) float64 {
	t.Helper()
	_, fields, _ := strings.Cut(string(readFile(t, fmt.Sprintf("/proc/%d/stat", pid))), ") ")
	ticks := 0
	for _, field := range strings.Fields(fields)[11:13] { // utime and stime, in hundredths
		n, err := strconv.Atoi(field)
		must(t, err)
		ticks += n
	}
	return float64(ticks) / 100
}

// heapOf is what a program has on its heap after a collection of garbage.
func heapOf(t testing.TB, d *running) (bytes int64) {
	t.Helper()
	_, profile, _ := strings.Cut(d.get("/debug/pprof/heap?debug=1&gc=1"), "# HeapAlloc = ")
	if _, err := fmt.Sscan(profile, &bytes); err != nil {
		t.Error(err)
	}
	return bytes
}

// A daemon reads the log of many sites, and is asked for its status and its first page when it has looked at all.
func BenchmarkSites(b *testing.B) {
	log := sitesLog(b, *scaleSites)
	for b.Loop() {
		admin := freeAddress(b)
		d := begin(b, "the daemon", exec.Command(program, "run", "--tail", log, "--format", wideFormat, "--state", filepath.Join(b.TempDir(), "state"), "--admin-listen", admin,
			"--window", "0", "--no-withhold", "--max-sites", strconv.Itoa(*scaleSites), "--memory", *scaleMemory))
		d.admin, d.begun = admin, []string{"following logs"}
		began := time.Now()
		for quiet, before := 0, 0.0; quiet < 3; time.Sleep(5 * time.Second) { // less than a tenth of a core for 15 s
			now := secondsOf(b, d.pid())
			if quiet++; d.ready() != "ok" || now-before > 0.5 {
				quiet = 0
			}
			if before = now; time.Since(began) > 10*time.Minute {
				b.Fatalf("no rest after %v\n%v", time.Since(began), d)
			}
		}
		var s struct{ Sites []json.RawMessage }
		must(b, json.Unmarshal([]byte(d.get("/api/v1/status")), &s))
		if len(s.Sites) != *scaleSites {
			b.Errorf("%d sites", len(s.Sites))
		}
		b.ReportMetric(time.Since(began).Seconds()-15, "s-to-rest")
		b.ReportMetric(secondsOf(b, d.pid())*1e6/float64(*scaleSites), "cpu-µs/site")
		b.ReportMetric(float64(peakOf(d.pid()))/float64(*scaleSites), "peak-B/site")
		b.ReportMetric(float64(heapOf(b, d))/float64(*scaleSites), "heap-B/site")
		for _, c := range []struct{ name, path string }{{"status", "/api/v1/status"}, {"page", "/"}} {
			best := time.Hour
			for range 5 {
				time.Sleep(1100 * time.Millisecond) // what is made at most once a second is made anew
				began := time.Now()
				if code, _ := ask(d.admin, c.path); code != http.StatusOK {
					b.Errorf("%s: %d", c.path, code)
				}
				best = min(best, time.Since(began))
			}
			b.ReportMetric(float64(best.Milliseconds()), c.name+"-ms")
		}
		end(b, d)
	}
}

// Members join, stop and are killed, with the default session. What counts is when all partitions have an owner
// that has caught up.
func BenchmarkTakeover(b *testing.B) {
	const partitions = 12
	c, k := sharedKafka(b)
	s := newTopics(b, c, k, partitions)
	agent := startAgent(b, c, s.observations, "--tail", sitesLog(b, 1000), "--state", b.TempDir(), "--format", wideFormat, "--window", "0")
	start := func(name string) *running { return startMiner(b, c, s, name, "--session-timeout", "10s") }
	owned := func(m *running) int { return strings.Count(m.get("/metrics"), "\ndustbuster_partition_lag{") }
	settled := func(members ...*running) (after time.Duration) {
		for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			sum, ready := 0, true
			for _, m := range members {
				sum, ready = sum+owned(m), ready && m.ready() == "ok" && owned(m) > 0
			}
			if after = time.Since(began); sum == partitions && ready {
				return after
			}
			if after > 2*time.Minute {
				b.Fatalf("%d partitions have an owner after %v", sum, after)
			}
		}
	}
	one := start("one")
	settled(one)
	agent.end(b)
	for b.Loop() {
		two := start("two")
		b.ReportMetric(settled(one, two).Seconds(), "s-join")
		began := time.Now()
		two.end(b)
		settled(one)
		b.ReportMetric(time.Since(began).Seconds(), "s-stop")
		two = start("two again")
		settled(one, two)
		began = time.Now()
		two.kill(b)
		settled(one)
		b.ReportMetric(time.Since(began).Seconds(), "s-kill")
	}
	end(b, one)
}

// Measured, on a busy machine where that is not said.
//
//	go test ./integration -run TestObservationsOfLine -v -observed-sites 2000
//	go test ./stream/miners -run - -bench Fold
//	go test ./integration -run - -bench 'Sites$' -benchtime 1x -scale-sites 10000
//	DUSTBUSTER_TEST_KAFKA=1 go test ./integration -run TestRestore -restoreurls 1000000 -v
//	go test ./integration -run TestWide/origins -v -wide-sites 100
const (
	observationsOfLine  = 0.027 // TestObservationsOfLine: 62 hits a URL
	observationsOfRare  = 0.512 // of the same: 2.3 hits a URL
	observationBytes    = 9.7   // of the same, in the topic
	newMicros           = 5.6   // BenchmarkFold: a miner's time for a new observation
	siteMicros          = 509   // BenchmarkSites: to read a changed site and to find its rules; its heap is 15,033 bytes
	restoreMicros       = 18    // TestRestore: a URL
	sitesOfMember       = 45875 // max_sites that follows from --memory 2GiB, with trials
	urlsOfSite          = 30    // assumed
	requestsOfFirstList = 80    // TestWide: sites of 150 URLs with two true rules; 35 a verdict, 0.6 ms of a miner each
	requestsASecond     = 50    // of a member: --fetch-rate, by default
)

// The table of docs/kafka.md follows from these figures.
// scaleFigure is a row of the table of docs/kafka.md, in one column.
type scaleFigure struct{ name, value string }

// scaleOf computes a column of the table, for so many observations a day.
func scaleOf(sites, observations float64) (all []scaleFigure) {
	const day = 24 * 60 * 60
	row := func(name, format string, value any) {
		all = append(all, scaleFigure{name, fmt.Sprintf(format, value)})
	}
	row("observations a second", "%.0f", observations/day)
	row("`dust.observations` for 50 hours, one replica, GB", "%.0f", observations*observationBytes*50/24/1e9)
	most, first := 0.0, ""
	for _, by := range []struct {
		what    string
		members float64
	}{
		{"memory", sites / sitesOfMember},
		{"processor", (observations*newMicros + sites*min(observations/sites, 8640)*siteMicros) / 1e6 / day},
		{"requests", sites * requestsOfFirstList / requestsASecond / day},
	} {
		if members := math.Ceil(by.members); members > most {
			most, first = members, by.what
		}
	}
	row("members", "%.0f", most)
	row("what breaks first", "%s", first)
	row("partitions, four a member, at least 12", "%.0f", max(12, 4*most))
	row("days until all sites have a first list", "%.1f", sites*requestsOfFirstList/requestsASecond/most/day)
	row("the same behind one origin, `--origin-delay 5ms`", "%.1f", sites*requestsOfFirstList*5e-3/day)
	row("seconds until a killed member's sites are served", "%.0f", 10+sites/most*urlsOfSite*restoreMicros/1e6/max(1, most-1))
	return all
}

// The table of docs/kafka.md follows from what was measured, for sites with 62 and with 2.3 hits a URL.
func TestScale(t *testing.T) {
	t.Parallel()
	doc := string(readFile(t, "../docs/kafka.md"))
	rows := map[string][]string{}
	var names []string
	row := func(name, value string) {
		if rows[name] == nil {
			names = append(names, name)
		}
		rows[name] = append(rows[name], value)
	}
	for _, at := range []struct{ sites, lines float64 }{{1e5, 1e9}, {1e5, 1e10}, {1e6, 1e10}} {
		often, rare := scaleOf(at.sites, at.lines*observationsOfLine), scaleOf(at.sites, at.lines*observationsOfRare)
		for i, f := range often {
			if f.value != rare[i].value {
				f.value += ", " + rare[i].value
			}
			row(f.name, f.value)
		}
	}
	for _, name := range names {
		if line := fmt.Sprintf("| %s | %s |\n", name, strings.Join(rows[name], " | ")); !strings.Contains(doc, line) {
			t.Errorf("docs/kafka.md must have\n%s", line)
		}
	}
}
