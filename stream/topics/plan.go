package topics

import (
	"math"
	"slices"
	"time"

	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
)

// Plan lists the wanted topics and their uses. A topic without a name is not used.
type Plan struct {
	Lines        []string // of access-log lines; other programs may own these topics
	Observations string
	Rules        string
	Events       string
	DeadLetters  string
	Reports      string // of crawlers

	Keep       time.Duration  // how long observations must be kept at least, see Keep; Forever; 0: not checked
	Partitions int            // of the observations, at least; 0: any number
	Replicas   int            // of new topics; 0: three, or one on each broker if there are fewer brokers
	Head       *evidence.Head // head of the observations of agents with this configuration; nil: not checked
	Changed    bool           // an agent may begin though the newest observations were written with other settings
	Role       Role           // the role of the user, which determines the necessary permissions
	Create     string         // how the operator makes missing topics and corrects settings, for remedies: an imperative
}

// Role is the use that a program makes of the topics.
type Role int

// The roles.
const (
	Operator   Role = iota // manages the topics
	Agent                  // reads lines, writes observations
	Miner                  // reads observations, writes rules and events
	Subscriber             // reads rules
)

// Forever means that everything is kept.
const Forever time.Duration = -1

// Keep returns how long observations must be kept for a window (0: everything counts)
// and its panes. A site is unloaded after a silence of two windows, and its last
// observations must be kept until then.
func Keep(window, pane time.Duration) time.Duration {
	if window <= 0 || window > (math.MaxInt64-pane)/2 {
		return Forever
	}
	return 2*window + pane
}

// For returns the plan of a role, with the topics that it uses. Agents compare the partitions
// of the topic of rules, and the newest observations. Settings are checked only for the operator and for miners, who depend
// on them.
func (p Plan) For(r Role) Plan {
	p.Role, p.Partitions = r, 0
	switch r {
	case Agent:
		p.Events, p.Reports, p.Keep = "", "", 0
	case Miner:
		p.Lines, p.DeadLetters = nil, ""
	case Subscriber:
		p.Lines, p.Observations, p.Events, p.DeadLetters, p.Reports, p.Keep, p.Head = nil, "", "", "", "", 0, nil
	case Operator:
	}
	return p
}

// kind is the use of a topic.
type kind int

const (
	observed kind = iota
	rules
	events
	lines
	deadLetters
	reports
)

// owned reports whether partition p of the topic belongs to the owner of partition p of
// the observations.
func (k kind) owned() bool { return k == observed || k == rules || k == events || k == reports }

// wanted is one topic of a plan.
type wanted struct {
	name string
	kind kind
}

// topics returns the topics of the plan. Topics that determine the number of partitions
// come first.
func (p *Plan) topics() []wanted {
	all := []wanted{{p.Observations, observed}, {p.Rules, rules}, {p.Events, events}, {p.Reports, reports}}
	for _, name := range p.Lines {
		all = append(all, wanted{name, lines})
	}
	all = append(all, wanted{p.DeadLetters, deadLetters})
	return slices.DeleteFunc(all, func(w wanted) bool { return w.name == "" })
}

// Names returns the names of the plan's topics, each once.
func (p *Plan) Names() (names []string) {
	for _, w := range p.topics() {
		if !slices.Contains(names, w.name) {
			names = append(names, w.name)
		}
	}
	return names
}

// needs returns the permissions that a role must have on a topic.
func needs(r Role, k kind) []kafka.Operation {
	switch {
	case r == Agent && k == lines, r == Miner && (k == observed || k == reports), r == Subscriber && k == rules:
		return []kafka.Operation{kafka.Read}
	case r == Miner && k == rules:
		return []kafka.Operation{kafka.Read, kafka.Write}
	case r == Agent && (k == observed || k == deadLetters), r == Miner && k == events:
		return []kafka.Operation{kafka.Write}
	}
	return nil
}
