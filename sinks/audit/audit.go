// Package audit keeps a file of every request made by the program, every compared pair of URLs, and
// every verdict on a rule. An outcome that is judged anew for a verdict is written again. Each
// record is one JSON object on a line, with the schema docs/schema/audit.schema.json. Only its
// owner can read the file, since URLs may hold private data.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/file"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
)

// File is the audit file. Any goroutine may use a File. A nil *File discards all records.
type File struct {
	lines  *file.Lines
	path   string
	veil   secret.Veil // masks URLs
	report func(error) // called for each lost line
	failed atomic.Int64
}

// Open opens the file at a path for appending, or makes it. If it cannot be written, that is an
// error. For the path "", Open returns nil. veil masks URLs. report is called for each line lost
// later.
func Open(path string, veil secret.Veil, report func(error)) (*File, error) {
	if path == "" {
		return nil, nil
	}
	lines, err := file.OpenLines(path)
	if err != nil {
		return nil, fmt.Errorf("open audit file: %w", err)
	}
	return &File{lines: lines, path: path, veil: veil, report: report}, nil
}

// head holds the members of all records.
type head struct {
	Schema int       `json:"schema"`
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind"`
	Site   string    `json:"site"`
}

const schema = 1

type request struct {
	head
	URL       string  `json:"url"`
	Purpose   string  `json:"purpose"`
	Status    int     `json:"status,omitempty"`
	Bytes     int64   `json:"bytes"`
	Seconds   float64 `json:"duration"`
	Redirects int     `json:"redirects"`
	Location  string  `json:"location,omitempty"`
	Failed    string  `json:"failed,omitempty"`
}

type pair struct {
	head
	Purpose     string   `json:"purpose"`
	Rule        string   `json:"rule,omitempty"`
	Second      bool     `json:"second,omitempty"`
	Again       bool     `json:"again,omitempty"`
	U           visited  `json:"u"`
	V           visited  `json:"v"`
	Resemblance *float64 `json:"resemblance,omitempty"`
	Outcome     string   `json:"outcome"`
	Reason      string   `json:"reason"`
}

type visited struct {
	URL    string `json:"url"`
	Status int    `json:"status,omitempty"`
	Length int64  `json:"length"`
	Failed string `json:"failed,omitempty"`
}

type verdict struct {
	head
	ID        string     `json:"id"`
	Rule      *rule.Rule `json:"rule"`
	State     rule.State `json:"state"`
	Positives int        `json:"positives"`
	Negatives int        `json:"negatives"`
	Skipped   int        `json:"skipped"`
	Bound     float64    `json:"bound"`
	Threshold float64    `json:"threshold"`
	Reason    string     `json:"reason"`
	Step      rule.Step  `json:"step,omitempty"`
}

// Fetched writes a record for each request among the events of fetching.
func (f *File) Fetched(e fetch.Event) {
	if f == nil || e.Kind != fetch.Requested {
		return
	}
	f.write(&request{
		head: headOf("request", e.Site, e.At), URL: f.veil.Mask(e.URL), Purpose: e.Purpose, Status: e.Status, Bytes: e.Bytes,
		Seconds: e.Took.Seconds(), Redirects: e.Redirects, Location: f.veil.Mask(e.Location), Failed: string(e.Reason),
	})
}

// Reported writes a record for each pair and each verdict among the reports on a site.
func (f *File) Reported(r prober.Report) {
	switch {
	case f == nil:
	case r.Judged != nil:
		f.write(f.pair(r.Site, r.Judged))
	case r.Rejudged != nil:
		f.write(f.again(r.Site, r.Rejudged))
	case r.Verdict != nil:
		v := &r.Verdict.Verdict
		f.write(&verdict{
			head: headOf("verdict", r.Site, time.Now()), ID: r.Verdict.ID, Rule: &r.Verdict.Rule, State: r.Verdict.State,
			Positives: v.Positives, Negatives: v.Negatives, Skipped: v.Skipped, Bound: v.Bound, Threshold: v.Threshold, Reason: v.Reason, Step: v.Step,
		})
	}
}

func (f *File) pair(site string, t *prober.Judged) *pair {
	p := &pair{
		head: headOf("pair", site, time.Now()), Purpose: t.Pair.Purpose.String(), Rule: t.Pair.Rule, Second: t.Pair.Second,
		U: visitedOf(f.veil.Mask(t.Pair.Asked()), &t.U), V: visitedOf(f.veil.Mask(t.Pair.V), &t.V), Outcome: t.Outcome, Reason: t.Reason,
	}
	if t.Compared {
		p.Resemblance = &t.Resemblance
	}
	return p
}

// again returns the record of an outcome that was judged anew, without a request.
func (f *File) again(site string, r *lifecycle.Rejudged) *pair {
	p := &pair{
		head: headOf("pair", site, time.Now()), Purpose: r.Purpose.String(), Rule: r.Rule, Again: true,
		U: visited{URL: f.veil.Mask(r.U)}, V: visited{URL: f.veil.Mask(r.V)}, Outcome: r.Outcome.String(), Reason: r.Reason.String(),
	}
	if c := r.Compared; c != nil {
		p.Resemblance, p.U.Length, p.V.Length = &c.Alike, c.U.Length, c.V.Length
	}
	return p
}

func visitedOf(url string, v *prober.Visited) visited {
	return visited{url, v.Status, v.Length, string(v.Failed)}
}

func headOf(kind, site string, at time.Time) head {
	return head{schema, at.UTC().Truncate(time.Millisecond), kind, site}
}

func (f *File) write(record any) {
	var line bytes.Buffer
	out := json.NewEncoder(&line)
	out.SetEscapeHTML(false)
	err := out.Encode(record)
	if err == nil {
		err = f.lines.Append(line.Bytes())
	}
	if err != nil {
		f.failed.Add(1)
		f.report(fmt.Errorf("write audit file %s: %w", f.path, err))
	}
}

// Reopen opens the path anew, after the file was renamed.
func (f *File) Reopen() error {
	if f == nil {
		return nil
	}
	return f.lines.Reopen()
}

// Close closes the file. The error includes the number of lost lines.
func (f *File) Close() error {
	if f == nil {
		return nil
	}
	err := f.lines.Close()
	if n := f.failed.Load(); n > 0 {
		err = errors.Join(err, fmt.Errorf("audit file %s: %d lines could not be written", f.path, n))
	}
	return err
}
