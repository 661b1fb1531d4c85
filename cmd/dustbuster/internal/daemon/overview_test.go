package daemon

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/internal/schema"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/metric"
	"dustbuster/operators/read/input"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/admin"
	"dustbuster/stream/agent"
	"dustbuster/stream/fetch"
	"dustbuster/stream/loop"
	"dustbuster/stream/miners"
	"dustbuster/stream/prober"
	"dustbuster/stream/records"
	"dustbuster/stream/site"
	"dustbuster/stream/tail"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

// fullOverview has a different number in every place.
func fullOverview() *overview {
	o := &overview{version: "v1.2.3",
		loop: loop.Status{Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)), CaughtUp: true,
			Late: 21, LateSites: 25, Shed: 22, Beyond: 23, Ahead: 24, Events: 31, Errors: loop.Errors{4, 5, 6, 7, 8, 2}, LastError: "save state: <disk full>",
			Saved: time.Unix(1767362400, 500_000_000), SaveTook: 1500 * time.Millisecond, StateBytes: 33, MemoryBudget: 94, MemoryUsed: 95,
			Sites: []site.Status{{Name: "a.example", URLs: 61, Likely: 62, Rules: 63, Newest: time.Unix(1767362400, 0).UTC(),
				Waste: &waste.Told{Waste: waste.Waste{0: {Fetched: 130, Pages: 129, Bytes: 131}, 3: {Fetched: 140, Pages: 133, Bytes: 134}, waste.Union: {Fetched: 140, Pages: 133, Bytes: 134}}, Likely: 135},
				Notes: []notes.Note{{Kind: notes.OneSize, URLs: 64, Of: 65, Size: 66}, {Kind: notes.OneClient, URLs: 67, Of: 68}}},
				{URLs: 71, Likely: 72, Rules: 73, Shed: 74, Late: 63, Notes: []notes.Note{{Kind: notes.Sample, URLs: 152, Of: 153}}, Seen: &notes.Seen{URLs: 141, Known: 142, Contents: 143, Tolerance: 0.01, Params: []notes.Param{{Name: "<k>", URLs: 144, Groups: 145, Alike: 146}}, More: 147}, Withheld: site.Withheld{Secret: 75, OneClient: 76}}},
			Counts: records.Counts{Lines: 23, Blank: 1, Directive: 5, Oversized: 2, Unknown: 3, Malformed: 4, Wrapping: 6, Other: 7, Reread: records.Reread{Unknown: 10, Malformed: 20, Other: 30}}},
		tail: tail.Stats{Bytes: 41, Oversized: 42, Skipped: 43, NullRuns: 44, Rotations: 45, Truncations: 46,
			Abandoned: 47, AbandonedBy: 48, Damaged: 49, Errors: 50, Following: 51},
		lags: []tail.Lag{{File: "/a\xff", Bytes: 96}, {File: "/b", Bytes: 97}, {File: "/b", Bytes: 98}},
		trials: prober.Status{On: true, Waiting: prober.Waiting{Sites: 31, First: 32, Views: 33, Rate: 34, OriginDelay: 0.0035}, Pending: map[string]lifecycle.PendingUpdate{"a.example": {Share: 0.75, Rules: 74, Mark: "m", List: []lifecycle.HeldRule{{ID: "h", Rule: rule.Rule{Edit: rule.Drop{Param: "a<"}}, Share: 0.625, Effect: waste.Effect{URLs: 148, Bytes: 149000, Families: [32]int{0: 150, 3: 151}}, Verdict: rule.Verdict{Samples: 124, Positives: 123, Negatives: 1, Bound: 0.125}}}}},
			Sites: map[string]prober.SiteStatus{"a.example": {Left: 104, Wait: prober.Wait{Until: time.Unix(1767362402, 0), Reason: fetch.Budget},
				Status: lifecycle.Status{Now: lifecycle.Now{Why: lifecycle.Unable, Until: 1767362403, Left: []lifecycle.Left{{Why: forms.FewPairs, Rules: 122, Example: "drop <few", Number: 7, Needed: 10}}}, States: map[rule.State]int{rule.Refuted: 76}, Provisional: 123, Pairs: 77, Forms: 78, Out: 156, URLs: 312, Open: 105, LevelAt: 1767362403,
					Trial:    &lifecycle.OnTrial{ID: "r", Rule: &rule.Rule{Edit: rule.Substring{From: "/a<", To: "/b"}}, Pairs: 106, Positives: 107, Negatives: 108, Skipped: 109, Bound: 0.25},
					Private:  forms.Private{URLs: 70, Secret: 71, OneClient: 72, Pairs: 73, Rules: 121, FirstSecret: "/a/***", FirstRule: "drop a"},
					Outdated: []book.Outdated{{File: &book.File{Format: "nginx", Redirect: true, At: 1762128000, Marks: make([]string, 157)}, Retired: []string{"r1", "r2"}, Changed: []string{"r3"}}}}}},
			Published: map[string]*book.Publication{"a.example": {Sequence: 79, At: 80, Records: append(make([]rule.Record, 80), rule.Record{Verdict: rule.Verdict{Step: rule.Provisional}}),
				Sample: rule.Sample{URLs: 87, Samples: 88, Negatives: 89, Skipped: 90, Bound: 0.5}}},
			Verdicts: map[prober.Verdict]int{{State: rule.Undecided, Reason: "unsafe"}: 75}},
		fetches: fetch.Stats{Requests: 82, Bytes: 83, Hits: 84, Refused: map[fetch.Reason]int64{fetch.Robots: 85}, Waited: 86},
		inputs: []input.State{
			{Kind: input.Log, Name: "/a\xff", Format: "combined", Generation: "65024:131", File: "/a\xff", Offset: 109, Size: new(int64(110)), LagBytes: new(int64(111)), LagSeconds: 1.5,
				Behind:    []input.Generation{{Generation: "65024:132", File: "/a.1", Offset: 112, Size: 113, LagBytes: 114}, {Generation: "65024:133", File: "/a.2.gz", Compressed: true, Size: 115, LagBytes: 115}},
				Lines:     map[string]int{"all": 120, "admitted": 117, "malformed": 1, "oversized": 2, "reread": 0, "status": 0},
				Malformed: map[string]float64{"malformed": 0.0083, "oversized": 0.0167, "unknown_format": 0}, ReadAt: 1767362400, LastError: "x<y", LastErrorAt: 1767362401},
			{Kind: input.Pipe, Name: "-", Offset: 116, CaughtUp: true, Ended: true, Lines: map[string]int{"all": 0}, Malformed: map[string]float64{}},
			{Kind: input.Lines, Name: "lines/3", Topic: "lines", Partition: new(3), Generation: "7", Offset: -1, LagRecords: new(int64(118)), Lines: map[string]int{"all": 0}, Malformed: map[string]float64{}},
		},
		partitions: []miners.Partition{{Partition: 5, Position: 91, End: 100, Lost: 92, Refused: 93, Hanging: 99, CaughtUp: true}}, unserved: new(122)}
	for why := range o.loop.Counts.Reasons {
		o.loop.Counts.Reasons[why] = 100 + why
		o.loop.Counts.Lines += 100 + why
	}
	return o
}

// fullAgentOverview has a different number in every place.
func fullAgentOverview() *agentOverview {
	return &agentOverview{version: "v1", lag: 1, hanging: 18, tail: tail.Stats{Bytes: 2, Following: 3}, lags: []tail.Lag{{File: "/a", Bytes: 16}},
		inputs: []input.State{{Kind: input.Log, Name: "/a", LagBytes: new(int64(16)), Lines: map[string]int{"all": 0}, Malformed: map[string]float64{}}},
		agent: agent.Status{Started: time.Unix(1767362400, 0), Bytes: 4, Ahead: 5, Lost: 15, Waiting: 6, Remembered: 7, Errors: agent.Errors{1, 2, 5}, LastError: "x<y",
			Counts: records.Counts{Lines: 9, Malformed: 10}, Sent: agent.Sent{Observations: 11, DeadLetters: 12, Records: 13, Bytes: 14},
			Committed: time.Unix(1767362401, 0), Unserved: 17}}
}

// shownOverview shows one overview on a listener.
type shownOverview struct {
	document any
	numbers  []metric.Metric
	inputs   []input.State
}

func (s shownOverview) Status(int) any           { return s.document }
func (s shownOverview) Metrics() []metric.Metric { return s.numbers }
func (s shownOverview) Inputs() []input.State    { return s.inputs }
func (s shownOverview) Ready() error             { return nil }
func (s shownOverview) Healthy() error           { return nil }

// served returns the bodies of /metrics, /api/v1/status and /api/v1/inputs.
func served(t *testing.T, s shownOverview) (metrics, status, inputs string) {
	t.Helper()
	server, err := admin.OpenAgent(admin.Options{Listen: "127.0.0.1:0"}, s)
	must(t, err)
	done := make(chan error)
	go func() { done <- server.Serve() }()
	defer func() {
		if err := server.Shutdown(t.Context()); err != nil || <-done != nil {
			t.Error(err)
		}
	}()
	get := func(path string) string {
		answer, err := http.Get("http://" + server.Addr().String() + path)
		must(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v\n%s", path, answer.StatusCode, err, body)
		}
		return string(body)
	}
	return get("/metrics"), get("/api/v1/status"), get("/api/v1/inputs")
}

// ownMetrics returns the lines about the program, without the lines that depend on the build
// and on the listener.
func ownMetrics(body string) string {
	var own strings.Builder
	for line := range strings.Lines(body) {
		if strings.Contains(line, "dustbuster_") && !strings.Contains(line, "dustbuster_admin_") && !strings.Contains(line, "build_info{") {
			own.WriteString(line)
		}
	}
	return own.String()
}

var rewriteOverviews = flag.Bool("rewrite-overviews", false, "write testdata/overview anew")

// Metrics and status are contracts, at the start and with a number in every place.
func TestOverviews(t *testing.T) {
	full, empty, agentFull, agentEmpty := fullOverview(), &overview{}, fullAgentOverview(), &agentOverview{}
	for _, c := range []struct {
		name string
		want shownOverview
	}{
		{"full", shownOverview{full.json(0), full.metrics(), full.inputs}},
		{"empty", shownOverview{empty.json(0), empty.metrics(), nil}},
		{"agent", shownOverview{agentFull.json(), agentFull.metrics(), agentFull.inputs}},
		{"agent_empty", shownOverview{agentEmpty.json(), agentEmpty.metrics(), nil}},
	} {
		metrics, status, inputs := served(t, c.want)
		if err := schema.Check("inputs", []byte(inputs)); err != nil {
			t.Error(err)
		}
		for _, c := range []struct{ file, got string }{{c.name + ".metrics", ownMetrics(metrics)}, {c.name + ".json", status}, {c.name + ".inputs.json", inputs}} {
			path := filepath.Join("testdata", "overview", c.file)
			if *rewriteOverviews {
				must(t, os.WriteFile(path, []byte(c.got), 0o644))
			}
			want, err := os.ReadFile(path)
			must(t, err)
			if c.got != string(want) {
				t.Errorf("%s differs; got\n%s", c.file, c.got)
			}
		}
		if !strings.Contains(metrics, `dustbuster_build_info{goversion="go`) || strings.Contains(metrics, "a.example") {
			t.Errorf("%s: no version, or a site in the metrics:\n%s", c.name, metrics)
		}
		problems, err := promlint.New(strings.NewReader(metrics)).Lint()
		must(t, err)
		for _, p := range problems {
			if strings.HasPrefix(p.Metric, "dustbuster_") {
				t.Errorf("%s: %s: %s", c.name, p.Metric, p.Text)
			}
		}
	}
}

// The waste of all sites has the sums by day, and that of one site its days. The status says the trend.
func TestWastes(t *testing.T) {
	today := time.Now().Unix() / (24 * 60 * 60)
	o := &overview{}
	for n, name := range []string{"b.example", "", "a\xff.example"} {
		var c waste.Curve
		for ago := range int64(35) {
			pages := 90
			if ago < 7 {
				pages = 99
			}
			c, _ = c.With(waste.Day{Date: today - ago, Crawlers: waste.Figure{Fetched: 100, Pages: pages - n}, Valid: 1})
		}
		o.loop.Sites = append(o.loop.Sites, site.Status{Name: name, Curve: c, Waste: &waste.Told{Valid: 1}})
	}
	o.loop.Sites[2].Waste = nil
	all := wastes(&o.loop)
	if len(all.Days) != 35 || all.Days[0].Fetched != 300 || all.Days[0].Waste != 6 || len(all.Sites) != 2 || all.Sites[0].Site != "" || all.Sites[0].Days != nil {
		t.Errorf("%+v", all)
	}
	for _, s := range o.loop.Sites {
		one, known := wasteOfSite(&o.loop, s.Name)
		if !known || one.Site != s.Name || len(one.Days) != 35 || (one.WasteRecord == nil) != (s.Waste == nil) {
			t.Errorf("%q: %v, %+v", s.Name, known, one)
		}
		if _, err := json.Marshal(one); err != nil {
			t.Error(err)
		}
	}
	if _, known := wasteOfSite(&o.loop, "c.example"); known {
		t.Error("c.example is known")
	}
	status, err := json.Marshal(o.json(0))
	must(t, err)
	text, err := statusText(&reply{Status: status}, 0, 0, time.Now())
	if must(t, err); !strings.Contains(text, "Duplicates fell: last week they were 2.0 %") {
		t.Errorf("the status lacks the trend:\n%s", text)
	}
}

var manySites = flag.Int("many-sites", 100_000, "sites of BenchmarkStatus")

// manyOverview has the waste and the notes of many sites. So many of the sites are known to the trials.
func manyOverview(sites, tried int) *overview {
	o := fullOverview()
	like, trials := o.loop.Sites[0], o.trials.Sites["a.example"]
	o.loop.Sites, o.trials.Sites = nil, map[string]prober.SiteStatus{}
	for i := range sites {
		like.Name = fmt.Sprintf("www%d.example", i)
		o.loop.Sites = append(o.loop.Sites, like)
		if i < tried {
			o.trials.Sites[like.Name] = trials
		}
	}
	return o
}

// asReporter makes the document anew for each request.
type asReporter struct {
	shownOverview
	o *overview
}

func (r asReporter) Status(sites int) any { return r.o.json(sites) }

// BenchmarkStatus asks a listener for the status of the 20 largest of many sites, and of all. None is tried, or all are.
func BenchmarkStatus(b *testing.B) {
	for _, c := range []struct{ tried, sites int }{{0, 20}, {*manySites, 20}, {0, 0}, {*manySites, 0}} {
		tried := c.tried
		b.Run(fmt.Sprintf("tried=%d,sites=%d", tried, c.sites), func(b *testing.B) {
			o := manyOverview(*manySites, tried)
			o.trials.On = tried > 0
			server, err := admin.OpenAgent(admin.Options{Listen: "127.0.0.1:0"}, asReporter{o: o})
			must(b, err)
			go func() { _ = server.Serve() }() // Shutdown ends it
			defer func() { must(b, server.Shutdown(b.Context())) }()
			user, system := expect.CPUTime(b)
			for b.Loop() {
				answer, err := http.Get("http://" + server.Addr().String() + fmt.Sprint("/api/v1/status?sites=", c.sites))
				must(b, err)
				n, err := io.Copy(io.Discard, answer.Body)
				must(b, err)
				must(b, answer.Body.Close())
				b.ReportMetric(float64(n)/1e6, "MB")
			}
			userNow, systemNow := expect.CPUTime(b)
			b.ReportMetric((userNow-user+systemNow-system).Seconds()*1e3/float64(b.N), "cpu-ms/op")
		})
	}
}
