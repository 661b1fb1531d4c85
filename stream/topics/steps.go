package topics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dustbuster/stream/kafka"
)

// Step is a possible correction.
type Step struct {
	Do         Act               `json:"do"`
	Topic      string            `json:"topic"`
	Partitions int               `json:"partitions,omitempty"` // number of partitions after the step
	Replicas   int               `json:"replicas,omitempty"`
	Settings   map[string]string `json:"settings,omitempty"`
}

// Act is the action of a step.
type Act string

// The actions. No other action changes a topic.
const (
	Make  Act = "make"  // a missing topic
	Grow  Act = "grow"  // an empty topic with too few partitions
	Alter Act = "alter" // settings
)

// String describes the step.
func (s Step) String() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(s.Settings)) {
		list = append(list, name+"="+s.Settings[name])
	}
	settings := strings.Join(list, " ")
	switch s.Do {
	case Make:
		return fmt.Sprintf("make topic %q with %s, %s, %s", s.Topic, Count(s.Partitions, "partition"), Count(s.Replicas, "replica"), settings)
	case Grow:
		return fmt.Sprintf("give topic %q %s", s.Topic, Count(s.Partitions, "partition"))
	case Alter:
	}
	return fmt.Sprintf("set for topic %q %s", s.Topic, settings)
}

// Steps returns the possible corrections of [Judge]'s findings. Each step corrects
// something, and no step removes anything.
func Steps(p Plan, f Facts) (steps []Step) {
	c := f.count(&p)
	seen := map[string]bool{}
	for _, w := range p.topics() {
		t, looked := f.Topics[w.name]
		if seen[w.name] || !looked || t.Denied {
			continue
		}
		seen[w.name] = true
		if t.Missing {
			steps = append(steps, newTopic(&p, &f, w, c))
			continue
		}
		if w.kind.owned() && !t.Used && t.Partitions < c.want {
			steps = append(steps, Step{Do: Grow, Topic: w.name, Partitions: c.want})
		}
		set := map[string]string{}
		for _, found := range settings(&p, w, &t) {
			if found.Set != nil {
				set[found.Setting] = *found.Set
			}
		}
		if len(set) > 0 {
			steps = append(steps, Step{Do: Alter, Topic: w.name, Settings: set})
		}
	}
	return steps
}

func newTopic(p *Plan, f *Facts, w wanted, c count) Step {
	s := Step{Do: Make, Topic: w.name, Partitions: c.want, Replicas: p.Replicas, Settings: map[string]string{}}
	if s.Replicas == 0 {
		s.Replicas = max(1, min(3, f.Brokers))
	}
	for _, d := range demands(p, w.kind, s.Replicas) {
		s.Settings[d.setting] = d.set
	}
	return s
}

// After returns the facts after the steps.
func After(f Facts, steps []Step) Facts {
	f.Topics = maps.Clone(f.Topics)
	for _, s := range steps {
		t := f.Topics[s.Topic]
		switch s.Do {
		case Make:
			t = Topic{Topic: kafka.Topic{Name: s.Topic, Partitions: s.Partitions, Replicas: s.Replicas, Config: s.Settings}}
		case Grow:
			t.Partitions = s.Partitions
		case Alter:
			t.Config = maps.Clone(t.Config)
			maps.Copy(t.Config, s.Settings)
		}
		f.Topics[s.Topic] = t
	}
	return f
}

// Do makes one correction.
func Do(ctx context.Context, c *kafka.Cluster, s Step) (err error) {
	permission := ""
	switch s.Do {
	case Make:
		permission = "Create on the topic or on the cluster"
		err = c.Create(ctx, kafka.Topic{Name: s.Topic, Partitions: s.Partitions, Replicas: s.Replicas, Config: s.Settings})
	case Grow:
		permission = "Alter on the topic"
		err = c.Grow(ctx, s.Topic, s.Partitions)
	case Alter:
		permission = "AlterConfigs on the topic"
		err = c.Alter(ctx, s.Topic, s.Settings)
	}
	switch {
	case errors.Is(err, kafka.ErrNotAuthorized):
		return fmt.Errorf("%w\nallow the user %s, or run the command as a user with the permission", err, permission)
	case errors.Is(err, kafka.ErrUnknownRequest):
		return fmt.Errorf("%w\nupgrade the brokers, or do it with Kafka's own tools: %v", err, s)
	}
	return err
}
