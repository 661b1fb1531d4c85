package admin

import (
	"dustbuster/operators/trial"
	"encoding/json"
	"strings"
	"time"

	"dustbuster/operators/admit"
	"dustbuster/operators/lifecycle"
	"dustbuster/operators/rule"
	"dustbuster/stream/fetch"
	"dustbuster/stream/loop"
	"dustbuster/stream/miners"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"
)

// Status describes the state of the daemon. Counts are since the start; the counts of Tail
// are since the last change of the configuration.
type Status struct {
	Version string
	loop.Status
	Tail  tail.Stats
	Lags  []tail.Lag // of followed logs, by file
	Trial Trial

	Partitions []miners.Partition // owned partitions of the topic of observations; of a miner only
}

// Trial describes the state of the trials. Maps are by site, but for Verdicts.
type Trial struct {
	On        bool
	Sites     map[string]lifecycle.Status
	Published map[string]*lifecycle.Publication
	Held      map[string]lifecycle.PendingUpdate
	Verdicts  map[Verdict]int // since the start
	Fetch     fetch.Stats
}

// Verdict is the state of a rule, and the reason.
type Verdict struct {
	State  rule.State
	Reason string
}

// rules is how many are valid and published, of all sites.
func (t *Trial) rules() (n int) {
	for _, p := range t.Published {
		n += len(p.Records)
	}
	return n
}

// states counts the rules tried of all sites.
func (t *Trial) states() map[rule.State]int {
	all := map[rule.State]int{}
	for _, s := range t.Sites {
		for state, n := range s.States {
			all[state] += n
		}
	}
	return all
}

// named is a count with its name in JSON and in metrics.
type named struct {
	name  string
	count int
}

// lines are the counts of lines by outcome. Their sum is the number of all lines.
func lines(c *records.Counts) []named {
	all := []named{{"blank", c.Blank}, {"directive", c.Directive}, {"oversized", c.Oversized}, {"unknown_format", c.Unknown}, {"malformed", c.Malformed}, {"wrapper", c.Wrapping}, {"other", c.Other}}
	for why, n := range c.Reasons {
		all = append(all, named{admit.Reason(why).String(), n})
	}
	return all
}

// dropped are the counts of admitted hits that were dropped.
func (s *Status) dropped() []named {
	return []named{{"late", s.Late}, {"shed", s.Shed}, {"beyond_max_sites", s.Beyond}, {aheadOfClock, s.Ahead}}
}

// aheadOfClock is why a line from a wrong clock is not kept.
const aheadOfClock = "ahead_of_clock"

// The forms of JSON.
type (
	statusJSON struct {
		Version  string         `json:"version"`
		Started  time.Time      `json:"started"`
		CaughtUp bool           `json:"caught_up"`
		Lines    map[string]int `json:"lines"`
		Dropped  map[string]int `json:"hits_dropped"`
		Tail     tailJSON       `json:"tail"`
		Files    []fileJSON     `json:"files,omitempty"`
		State    stateJSON      `json:"state"`
		Memory   *memoryJSON    `json:"memory,omitempty"` // of the tables of all sites; nil: no limit
		Events   int            `json:"events"`
		Errors   int            `json:"errors"`
		Error    string         `json:"last_error,omitempty"`
		Trial    trialJSON      `json:"validate"`
		Sites    []siteJSON     `json:"sites"`

		Partitions []partitionJSON `json:"partitions,omitempty"`
	}
	partitionJSON struct {
		Partition int   `json:"partition"`
		Position  int64 `json:"position"`
		End       int64 `json:"end"`
		Lost      int64 `json:"lost_records"`
		Refused   int64 `json:"refused_records"`
		CaughtUp  bool  `json:"caught_up"`
	}
	trialJSON struct {
		On       bool                    `json:"on"`
		Rules    int                     `json:"valid_rules"`
		Sites    map[string]triedJSON    `json:"sites,omitempty"`
		Out      map[string]outJSON      `json:"published,omitempty"` // by site
		Held     map[string]heldJSON     `json:"held_updates,omitempty"`
		Verdicts map[string]int          `json:"verdicts,omitempty"` // by state and reason
		Requests int64                   `json:"requests"`
		Bytes    int64                   `json:"bytes"`
		Hits     int64                   `json:"cache_hits"`
		Refused  map[fetch.Reason]int64  `json:"refused,omitempty"`
		First    map[fetch.Reason]string `json:"refused_first,omitempty"` // an example of each
		Waited   float64                 `json:"waited_seconds"`
	}
	triedJSON struct {
		States  map[rule.State]int `json:"rules"`
		Testing string             `json:"under_test,omitempty"`
		Pairs   int                `json:"pairs"`
		Forms   int                `json:"canonical_forms"`
		Private lifecycle.Private  `json:"never_asked"`
	}
	outJSON struct {
		Sequence int64        `json:"sequence"`
		At       int64        `json:"at"`
		Rules    int          `json:"rules"`
		Sample   trial.Sample `json:"sample"`
	}
	heldJSON struct {
		Share float64 `json:"share"`
		Rules int     `json:"rules"`
		Mark  string  `json:"mark"`
	}
	stateJSON struct {
		Bytes int64     `json:"bytes"`
		Saved time.Time `json:"saved,omitzero"`
		Took  float64   `json:"save_seconds"`
	}
	siteJSON struct {
		Name   string    `json:"site"`
		URLs   int       `json:"urls"`
		Likely int       `json:"likely_pairs"`
		Rules  int       `json:"rules"`
		Newest time.Time `json:"newest_pane,omitzero"`
		Shed   int       `json:"urls_shed,omitempty"`
	}
	memoryJSON struct {
		Budget int64 `json:"budget_bytes"`
		Used   int64 `json:"used_bytes"`
	}
	fileJSON struct {
		File    string  `json:"file"`
		Bytes   int64   `json:"lag_bytes"`
		Seconds float64 `json:"lag_seconds"`
	}
	tailJSON struct {
		Bytes       int64 `json:"bytes"`
		Oversized   int64 `json:"oversized_lines"`
		Skipped     int64 `json:"skipped_bytes"`
		NullRuns    int64 `json:"null_runs"`
		Rotations   int64 `json:"rotations"`
		Truncations int64 `json:"truncations"`
		Abandoned   int64 `json:"abandoned_files"`
		AbandonedBy int64 `json:"abandoned_bytes"`
		Damaged     int64 `json:"damaged_files"`
		Errors      int64 `json:"errors"`
		Following   int   `json:"following_files"`
	}
)

// MarshalJSON is the form of /api/v1/status.
func (s Status) MarshalJSON() ([]byte, error) {
	out := statusJSON{Version: s.Version, Started: s.Started.UTC(), CaughtUp: s.CaughtUp,
		Lines: counts(lines(&s.Counts)), Dropped: counts(s.dropped()), Tail: tailJSON(s.Tail), Files: files(s.Lags),
		State:  stateJSON{s.StateBytes, s.Saved.UTC(), s.SaveTook.Seconds()},
		Events: s.Events, Errors: s.Errors, Error: s.LastError, Sites: make([]siteJSON, len(s.Sites))}
	out.Trial = s.Trial.json()
	if s.MemoryBudget > 0 {
		out.Memory = &memoryJSON{s.MemoryBudget, s.MemoryUsed}
	}
	for i, site := range s.Sites {
		out.Sites[i] = siteJSON(site)
		out.Sites[i].Newest = site.Newest.UTC()
	}
	for _, p := range s.Partitions {
		out.Partitions = append(out.Partitions, partitionJSON(p))
	}
	out.Lines["all"], out.Lines["reread"] = s.Counts.Lines, s.Counts.Reread.All()
	return json.Marshal(out)
}

// files returns the lags of files, in JSON. A name is written as text.
func files(lags []tail.Lag) (all []fileJSON) {
	for _, l := range lags {
		all = append(all, fileJSON{strings.ToValidUTF8(l.File, "\uFFFD"), l.Bytes, seconds(l)})
	}
	return all
}

// seconds is how long something of a file has waited, at least.
func seconds(l tail.Lag) float64 {
	if l.Since.IsZero() {
		return 0
	}
	return max(0, time.Since(l.Since).Seconds())
}

func (t *Trial) json() trialJSON {
	out := trialJSON{On: t.On, Rules: t.rules(), Sites: map[string]triedJSON{}, Out: map[string]outJSON{}, Held: map[string]heldJSON{}, Verdicts: map[string]int{},
		Requests: t.Fetch.Requests, Bytes: t.Fetch.Bytes, Hits: t.Fetch.Hits, Refused: t.Fetch.Refused, First: t.Fetch.First, Waited: t.Fetch.Waited.Seconds()}
	for site, s := range t.Sites {
		out.Sites[site] = triedJSON(s)
	}
	for site, p := range t.Published {
		out.Out[site] = outJSON{p.Sequence, p.At, len(p.Records), p.Sample}
	}
	for site, hold := range t.Held {
		out.Held[site] = heldJSON(hold)
	}
	for v, n := range t.Verdicts {
		out.Verdicts[string(v.State)+" "+v.Reason] = n
	}
	return out
}

func counts(all []named) map[string]int {
	m := make(map[string]int, len(all)+1)
	for _, n := range all {
		m[n.name] = n.count
	}
	return m
}
