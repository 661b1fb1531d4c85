package topics

import (
	"cmp"
	"fmt"
	"slices"
)

// createOr returns the remedy of what the operator's means of creation corrects.
func (p *Plan) createOr() string {
	return cmp.Or(p.Create, "create the topics of the plan") + ", or ask a user with the permission"
}

// Judge returns the deviations from the plan, topic by topic.
func Judge(p Plan, f Facts) []Finding {
	var all []Finding
	if f.AutoCreate == "true" {
		all = append(all, Finding{Severity: Doubtful, Setting: "auto.create.topics.enable", What: "auto.create.topics.enable is true on the brokers",
			Why:    "a mistyped name makes a topic of that name, with settings that are wrong here, instead of an error",
			Remedy: "set it to false on the brokers"})
	}
	if f.NoIDs {
		all = append(all, Finding{Severity: Doubtful, What: "the brokers give topics no ids",
			Why:    "a topic that is deleted and made again is noticed only while it is shorter than before, and its first records may be passed over",
			Remedy: "use Kafka 2.8 or newer, or restart the readers of such a topic"})
	}
	all = append(all, twice(&p)...)
	count := f.count(&p)
	for _, w := range p.topics() {
		t, looked := f.Topics[w.name]
		if !looked {
			continue
		}
		found := presence(&p, w, &t)
		switch {
		case p.Role == Agent && w.kind == rules:
			found = compared(&p, w, &t, count)
		case len(found) == 0:
			found = slices.Concat(permissions(&p, w, &t), partitions(&p, w, &t, count), replicas(w, &t), settings(&p, w, &t), deleted(&p, w, &t), foreign(&p, w, &t))
		}
		all = append(all, found...)
	}
	return all
}

// twice finds names used for two topics.
func twice(p *Plan) (found []Finding) {
	seen := map[string]bool{}
	for _, w := range p.topics() {
		if seen[w.name] {
			found = append(found, Finding{Severity: Wrong, Topic: w.name, What: "is configured for two uses",
				Why: "a topic holds one kind of record", Remedy: "give each topic of the configuration another name"})
		}
		seen[w.name] = true
	}
	return found
}

// presence finds a topic that is missing or invisible. Such a topic has no other
// findings.
func presence(p *Plan, w wanted, t *Topic) []Finding {
	switch {
	case t.Missing:
		return []Finding{{Severity: Wrong, Topic: w.name, What: "does not exist",
			Why:    "or the user may not see it",
			Remedy: p.createOr() + "; or correct its name (" + w.kind.key() + ")"}}
	case t.Denied:
		operations := "Describe"
		for _, o := range needs(p.Role, w.kind) {
			operations += " and " + o.String()
		}
		return []Finding{{Severity: Wrong, Topic: w.name, What: "the user may not see the topic, or it does not exist",
			Why:    "the brokers' ACLs do not allow it",
			Remedy: "allow the user " + operations + " on the topic, or correct its name (" + w.kind.key() + ")"}}
	}
	return nil
}

// compared finds a topic of rules with another number of partitions than the observations.
// An agent uses nothing else of that topic.
func compared(p *Plan, w wanted, t *Topic, c count) []Finding {
	if !t.Missing && !t.Denied {
		return partitions(p, w, t, c)
	}
	return []Finding{{Severity: Unseen, Topic: w.name, What: "does not exist, or the user may not see it",
		Why:    "if partitions were added to the topic of observations, nobody would notice, because this topic's number is compared with it",
		Remedy: "allow the user Describe on the topic, or correct its name (" + w.kind.key() + ")"}}
}

// permissions finds the permissions that the role needs and the user lacks.
func permissions(p *Plan, w wanted, t *Topic) (found []Finding) {
	for _, o := range needs(p.Role, w.kind) {
		if t.Allowed != nil && !t.Allowed[o] {
			found = append(found, Finding{Severity: Wrong, Topic: w.name, What: fmt.Sprintf("the user lacks the permission %v", o),
				Why: "the brokers' ACLs do not allow it", Remedy: fmt.Sprintf("allow the user %v on the topic", o)})
		}
	}
	return found
}

// deleted finds topics that have lost records which count for ever. Compaction moves no beginning of a
// partition.
func deleted(p *Plan, w wanted, t *Topic) []Finding {
	found := Finding{Severity: Doubtful, Topic: w.name, What: fmt.Sprintf("%s above offset 0: records were deleted", Count(t.Deleted, "partition")+begins(t.Deleted)),
		Why: "the next owner of these partitions, and each reader that starts, miss verdicts and rules"}
	switch {
	case t.Deleted == 0:
		return nil
	case w.kind == rules:
		found.Remedy = "do not let a retention, or anybody, delete its records; if rules are missing, move to new topics, and they are tested again"
	case w.kind == observed && p.Keep == Forever:
		found.Why = "with the window 0 everything counts, and the next owner of these partitions misses what was deleted"
		found.Remedy = "do not let a retention, or anybody, delete its records, and send the logs again, to new topics"
	default:
		return nil
	}
	return []Finding{found}
}

func begins(n int) string {
	if n == 1 {
		return " begins"
	}
	return " begin"
}
