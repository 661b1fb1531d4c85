package daemon

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/stream/topics"
)

// topicsReport prints the topics, the changes and the problems.
type topicsReport struct {
	to     io.Writer
	json   bool
	counts map[topics.Severity]int
	err    error // the first of writing
}

// The objects of JSON output, distinguished by their type.
type (
	topicRecord struct {
		Type       string `json:"type"`
		Topic      string `json:"topic"`
		State      string `json:"state"`
		Partitions int    `json:"partitions,omitempty"`
		Replicas   int    `json:"replicas,omitempty"`
		Used       bool   `json:"used,omitempty"`
	}
	stepRecord struct {
		Type string `json:"type"`
		topics.Step
		Done bool `json:"done"`
	}
	findingRecord struct {
		Type string `json:"type"`
		topics.Finding
	}
)

func (r *topicsReport) step(s topics.Step, done bool) {
	text := s.String() + ": done"
	if !done {
		text = "would " + s.String()
	}
	r.print(stepRecord{"step", s, done}, text)
}

// all prints each topic, and then the problems.
func (r *topicsReport) all(p topics.Plan, f topics.Facts) {
	for _, name := range p.Names() {
		t := f.Topics[name]
		switch {
		case t.Missing:
			r.print(topicRecord{Type: "topic", Topic: name, State: "missing"}, fmt.Sprintf("topic %q: missing", name))
		case t.Denied:
			r.print(topicRecord{Type: "topic", Topic: name, State: "denied"}, fmt.Sprintf("topic %q: denied", name))
		default:
			text := fmt.Sprintf("topic %q: %s, %s", name, topics.Count(t.Partitions, "partition"), topics.Count(t.Replicas, "replica"))
			if !t.Used {
				text += ", empty"
			}
			r.print(topicRecord{"topic", name, "exists", t.Partitions, t.Replicas, t.Used}, text)
		}
	}
	found := topics.Judge(p, f)
	r.counts = map[topics.Severity]int{}
	for _, one := range found {
		r.counts[one.Severity]++
	}
	if !r.json {
		found = topics.Together(found)
	}
	for _, one := range found {
		r.print(findingRecord{"finding", one}, string(one.Severity)+": "+one.Says()+"\n  why: "+one.Why+"\n  do:  "+one.Remedy)
	}
}

func (r *topicsReport) print(object any, text string) {
	if r.err != nil {
		return
	}
	if r.json {
		r.err = cli.WriteJSON(r.to, object)
		return
	}
	_, r.err = fmt.Fprintln(r.to, text)
}

// result is the command's: warnings alone are no failure.
func (r *topicsReport) result() error {
	if r.err != nil || r.counts[topics.Wrong]+r.counts[topics.Unseen] == 0 {
		return r.err
	}
	var counts []string
	for _, s := range []topics.Severity{topics.Wrong, topics.Unseen, topics.Doubtful} {
		if n := r.counts[s]; n > 0 {
			counts = append(counts, fmt.Sprintf("%s: %d", s, n))
		}
	}
	slices.Sort(counts)
	return fmt.Errorf("%w: %s", errTopics, strings.Join(counts, ", "))
}
