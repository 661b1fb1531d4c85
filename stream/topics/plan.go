package topics

import (
	"math"
	"slices"
	"time"

	"dustbuster/operators/evidence"
)

// Plan says which topics there should be, and what for. A topic without a name
// is not used.
type Plan struct {
	Lines        []string // of access-log lines; others may have made them for their own purposes
	Observations string
	Rules        string
	Events       string
	DeadLetters  string

	Keep       time.Duration  // how long observations are kept at least: Keep tells; Forever; 0: not judged
	Partitions int            // of the observations, at least; 0: any number
	Replicas   int            // of topics that are made; 0: three, or one on each broker if there are fewer
	Head       *evidence.Head // of the observations of agents that are configured as we are; nil: not judged
	Role       Role           // who asks: by it go the permissions that are needed
}

// Role is what a program does with the topics.
type Role int

// The roles.
const (
	Operator   Role = iota // sees to the topics
	Agent                  // reads lines, writes observations
	Miner                  // reads observations, writes rules and events
	Subscriber             // reads rules
)

// Forever is how long everything is kept.
const Forever time.Duration = -1

// Keep is how long observations must be kept for a window (0: everything counts)
// and its panes. A site is unloaded when it has been silent for two windows; what
// it said last must be there until then.
func Keep(window, pane time.Duration) time.Duration {
	if window <= 0 || window > (math.MaxInt64-pane)/2 {
		return Forever
	}
	return 2*window + pane
}

// For returns the plan of a role: the topics that it uses. Settings are for the
// operator and for miners, who cannot go on without them.
func (p Plan) For(r Role) Plan {
	p.Role, p.Partitions = r, 0
	switch r {
	case Agent:
		p.Rules, p.Events, p.Keep, p.Head = "", "", 0, nil
	case Miner:
		p.Lines, p.DeadLetters = nil, ""
	case Subscriber:
		p.Lines, p.Observations, p.Events, p.DeadLetters, p.Keep, p.Head = nil, "", "", "", 0, nil
	case Operator:
	}
	return p
}

// kind is what a topic is for.
type kind int

const (
	observed kind = iota
	rules
	events
	lines
	deadLetters
)

// owned tells whether partition p of the topic belongs to the owner of partition
// p of the observations.
func (k kind) owned() bool { return k == observed || k == rules || k == events }

// wanted is one topic of a plan.
type wanted struct {
	name string
	kind kind
}

// topics are those of the plan. Those that others are measured by come first.
func (p *Plan) topics() []wanted {
	all := []wanted{{p.Observations, observed}, {p.Rules, rules}, {p.Events, events}}
	for _, name := range p.Lines {
		all = append(all, wanted{name, lines})
	}
	all = append(all, wanted{p.DeadLetters, deadLetters})
	used := all[:0]
	for _, t := range all {
		if t.name != "" {
			used = append(used, t)
		}
	}
	return used
}

// Names are those of the plan's topics, each once.
func (p *Plan) Names() (names []string) {
	for _, w := range p.topics() {
		if !slices.Contains(names, w.name) {
			names = append(names, w.name)
		}
	}
	return names
}

// needs are the permissions that a role must have on a topic.
func needs(r Role, k kind) []Operation {
	switch {
	case r == Agent && k == lines, r == Miner && k == observed, r == Subscriber && k == rules:
		return []Operation{Read}
	case r == Miner && k == rules:
		return []Operation{Read, Write}
	case r == Agent && (k == observed || k == deadLetters), r == Miner && k == events:
		return []Operation{Write}
	}
	return nil
}
