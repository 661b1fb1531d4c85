package topics

import (
	"context"
	"sync"
	"time"

	"dustbuster/stream/kafka"
)

const (
	lookEvery  = 15 * time.Second
	confirm    = 5 * time.Second // until a new finding is looked at again: a broker that has just started denies topics
	lookWithin = 10 * time.Second
	tellEvery  = time.Minute // a finding is not told again before, however often partitions move
)

// Watch looks at the topics of a running program every 15 seconds, since topics may be changed
// while it runs. A finding counts once two looks in a row have it. Any goroutine may call Again
// and Err.
type Watch struct {
	look  func(context.Context, Plan) (Facts, error)
	plan  Plan
	tell  func(Finding)
	again chan struct{}

	before map[string]kafka.TopicID // ids as of the last look, by topic
	seen   map[string]bool          // findings of the last look
	told   map[string]time.Time

	mu    sync.Mutex
	wrong []Finding
}

// NewWatch returns a watch of the topics of a plan. facts are those of the start, whose findings have
// been told. tell is called with each finding that is new, and again after Again.
func NewWatch(c *kafka.Cluster, p Plan, facts Facts, tell func(Finding)) *Watch {
	p.Head = nil // agents with other settings are told by miners, from what they read
	w := &Watch{plan: p, tell: tell, again: make(chan struct{}, 1), before: map[string]kafka.TopicID{}, seen: map[string]bool{}, told: map[string]time.Time{},
		look: func(ctx context.Context, p Plan) (Facts, error) {
			ctx, cancel := context.WithTimeout(ctx, lookWithin)
			defer cancel()
			return Look(ctx, c, p)
		}}
	for name, t := range facts.Topics {
		w.before[name] = t.ID
	}
	for _, f := range Judge(p, facts) {
		w.seen[f.String()], w.told[f.String()] = true, time.Now()
	}
	return w
}

// Run looks until ctx ends. What cannot be looked at is told by those who read and write.
func (w *Watch) Run(ctx context.Context) {
	for pause := lookEvery; ; {
		takeover := false
		select {
		case <-time.After(pause):
		case <-w.again:
			takeover = true
		case <-ctx.Done():
			return
		}
		pause = lookEvery
		facts, err := w.look(ctx, w.plan)
		if err == nil && w.take(facts, takeover, time.Now()) {
			pause = confirm
		}
	}
}

// Again has the watch look at once, and tell all findings: partitions have moved to this program.
func (w *Watch) Again() {
	select {
	case w.again <- struct{}{}:
	default:
	}
}

// Err returns the findings that would keep the program from starting now; nil if there are none.
func (w *Watch) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.wrong) == 0 {
		return nil
	}
	return &Error{w.wrong}
}

// take takes in a look. It reports whether a finding waits for the next look to agree.
func (w *Watch) take(facts Facts, takeover bool, now time.Time) (waits bool) {
	for _, f := range w.anew(&facts) {
		w.tell(f)
	}
	seen, told := map[string]bool{}, map[string]time.Time{}
	var wrong []Finding
	for _, f := range Judge(w.plan, facts) {
		text := f.String()
		seen[text] = true
		if !w.seen[text] {
			waits = true
			continue
		}
		if f.Severity == Wrong {
			wrong = append(wrong, f)
		}
		told[text] = w.told[text]
		if at, before := w.told[text]; !before || takeover && now.Sub(at) >= tellEvery {
			told[text] = now
			w.tell(f)
		}
	}
	w.seen, w.told = seen, told
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrong = wrong
	return waits
}

// anew returns the topics that were deleted and made again since the last look.
func (w *Watch) anew(facts *Facts) (found []Finding) {
	for _, t := range w.plan.topics() {
		id := facts.Topics[t.name].ID
		if w.before[t.name].Another(id) {
			found = append(found, Finding{Severity: Wrong, Topic: t.name, What: "was deleted and made again", Why: t.kind.lost(),
				Remedy: `see "Outages" in docs/kafka.md, and let nobody delete topics in use`})
		}
	}
	for name, t := range facts.Topics {
		if t.ID != (kafka.TopicID{}) {
			w.before[name] = t.ID
		}
	}
	return found
}

// lost is what is lost with a topic.
func (k kind) lost() string {
	return [...]string{"its observations are lost, and the window fills as lines come", "its verdicts are lost, and rules are tested and published again",
		"its events are lost", "its unread lines are lost", "its lines are lost", "its reports are lost"}[k]
}
