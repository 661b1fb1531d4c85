package daemon

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/metric"
	"dustbuster/operators/read/input"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/waste"
	"dustbuster/sinks/page"
	"dustbuster/stream/agent"
	"dustbuster/stream/fetch"
	"dustbuster/stream/loop"
	"dustbuster/stream/miners"
	"dustbuster/stream/prober"
	"dustbuster/stream/site"
	"dustbuster/stream/tail"
)

// An overview is one look at the state of all parts of a program. Each package says what its
// part shows, as metrics and in JSON. Here the parts are put in order.

// overview is the state of a daemon or a miner. Counts are since the start; the counts of
// tails are since the last change of the configuration.
type overview struct {
	version    string
	loop       loop.Status
	tail       tail.Stats
	lags       []tail.Lag // of followed logs, by file
	inputs     []input.State
	trials     prober.Status
	fetches    fetch.Stats
	partitions []miners.Partition // owned partitions of the topic of observations; of a miner only
	unserved   *int               // partitions that nobody serves; nil: there is no group
	group      string             // of miners; "": there is none
}

// maskedInputs takes addresses of clients and secrets out of errors, which quote lines.
func maskedInputs(all []input.State, veil secret.Veil) []input.State {
	for i := range all {
		all[i].LastError = cli.Masked(all[i].LastError, veil)
	}
	return all
}

// build is the metric of what is running.
func build(version string) metric.Metric {
	return metric.Gauge("build_info", "1; the labels say what is running.", 1, metric.Label{Name: "version", Value: version}, metric.Label{Name: "goversion", Value: runtime.Version()})
}

func (o *overview) metrics() []metric.Metric {
	all := slices.Concat([]metric.Metric{build(o.version)}, o.loop.Counts.Metrics(), o.loop.Metrics(),
		o.tail.Metrics(), input.Metrics(o.inputs), o.trials.Metrics(), o.fetches.Metrics())
	for i := range o.partitions {
		all = append(all, o.partitions[i].Metrics()...)
	}
	if o.unserved != nil {
		all = append(all, miners.UnservedMetric(*o.unserved))
	}
	return all
}

// daemonJSON is the document of /api/v1/status of a daemon.
type daemonJSON struct {
	Version string `json:"version"`
	loop.ProgressJSON
	Lines   map[string]int `json:"lines"`
	Dropped map[string]int `json:"hits_dropped"`
	Tail    tail.Stats     `json:"tail"`
	Files   []tail.Lag     `json:"files,omitempty"`
	loop.HealthJSON
	Trials     trialsJSON         `json:"validate"`
	Waste      *page.WasteRecord  `json:"waste,omitempty"`       // of all sites, at their last looks; nil: not known yet
	Trend      string             `json:"waste_trend,omitempty"` // of all sites: the last week against the four weeks before
	AllSites   int                `json:"all_sites"`
	Sites      []site.Status      `json:"sites"` // all, or the largest; never nil
	Partitions []miners.Partition `json:"partitions,omitempty"`
}

type trialsJSON struct {
	prober.StatusJSON
	fetch.Stats
}

// json returns the document, with at most so many sites, the largest; 0: with all.
func (o *overview) json(most int) any {
	sites := append([]site.Status{}, o.loop.Sites...)
	if most > 0 && most < len(sites) {
		slices.SortStableFunc(sites, func(a, b site.Status) int { return cmp.Compare(b.URLs, a.URLs) })
		sites = sites[:most]
	}
	names := make([]string, len(sites))
	for i := range sites {
		names[i] = sites[i].Name
	}
	return daemonJSON{
		o.version, o.loop.Progress(), o.loop.Counts.JSON(), o.loop.Dropped(), o.tail, o.lags, o.loop.Health(),
		trialsJSON{o.trials.JSON(names, most == 0), o.fetches}, wasteOf(&o.loop), page.Trend(o.loop.Days(page.TrendDates)), len(o.loop.Sites), sites, o.partitions,
	}
}

func wasteOf(s *loop.Status) *page.WasteRecord {
	told := s.Waste()
	if told == nil {
		return nil
	}
	record := (*page.Waste)(told).Record()
	return &record
}

// wastesJSON is the document of /api/v1/waste: of all sites, and of each.
type wastesJSON struct {
	Total *page.WasteRecord `json:"total,omitempty"`
	Days  []page.DayRecord  `json:"days"`  // of all sites, the newest first
	Sites []siteWaste       `json:"sites"` // whose waste is known
}

type siteWaste struct {
	Site              string           `json:"site"`
	*page.WasteRecord                  // nil: not known yet
	Days              []page.DayRecord `json:"days,omitempty"` // if one site is asked for
}

func wastes(s *loop.Status) wastesJSON {
	all := wastesJSON{wasteOf(s), page.DayRecords(s.Days(waste.MostDays)), []siteWaste{}}
	for i := range s.Sites {
		if told := s.Sites[i].Waste; told != nil {
			all.Sites = append(all.Sites, siteWasteOf(&s.Sites[i]))
		}
	}
	slices.SortFunc(all.Sites, func(a, b siteWaste) int { return strings.Compare(a.Site, b.Site) })
	return all
}

// wasteOfSite is the document of one site; false: there is none.
func wasteOfSite(s *loop.Status, name string) (siteWaste, bool) {
	at := slices.IndexFunc(s.Sites, func(site site.Status) bool { return site.Name == name })
	if at < 0 {
		return siteWaste{}, false
	}
	w := siteWasteOf(&s.Sites[at])
	w.Days = page.DayRecords(slices.Collect(s.Sites[at].Curve.All()))
	return w, true
}

func siteWasteOf(s *site.Status) siteWaste {
	w := siteWaste{Site: s.Name}
	if s.Waste != nil {
		record := (*page.Waste)(s.Waste).Record()
		w.WasteRecord = &record
	}
	return w
}

// agentOverview is the state of an agent.
type agentOverview struct {
	version string
	agent   agent.Status
	tail    tail.Stats // of followed logs
	lags    []tail.Lag // the same, by file
	inputs  []input.State
	lag     int64 // offsets of topics not yet read
	hanging int64 // offsets behind open transactions
}

func (o *agentOverview) metrics() []metric.Metric {
	return slices.Concat(o.agent.Metrics(), o.tail.Metrics(), input.Metrics(o.inputs), []metric.Metric{build(o.version),
		metric.Gauge("lag_offsets", "Offsets of topics of lines that are not read yet.", o.lag),
		metric.Gauge("hanging_offsets", "Offsets of topics of lines that an open transaction has blocked for a minute.", o.hanging)})
}

// agentJSON is the document of /api/v1/status of an agent.
type agentJSON struct {
	Version string `json:"version"`
	agent.ReadJSON
	Lag     int64 `json:"lag_offsets"`
	Hanging int64 `json:"hanging_offsets"`
	agent.SentJSON
	Tail  tail.Stats `json:"tail"`
	Files []tail.Lag `json:"files,omitempty"`
	agent.HealthJSON
}

func (o *agentOverview) json() any {
	read, sent, health := o.agent.JSON()
	return agentJSON{o.version, read, o.lag, o.hanging, sent, o.tail, o.lags, health}
}
