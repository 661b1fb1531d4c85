package rulelog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/internal/kafkatest"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/publish/ledger"
	"dustbuster/operators/publish/owner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/event"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/stream/checkpoint"
	stream "dustbuster/stream/kafka"
	"dustbuster/stream/loop"
)

// must ends a test at an error.
var must = expect.NoError

var (
	_ checkpoint.Store = (*Store)(nil)
	_ loop.Emitter     = (*Store)(nil)
)

// memory is a Log in memory, of one partition.
type memory struct{ *kafkatest.Memory }

func newMemory() memory { return memory{kafkatest.NewMemory(1, rules, events)} }

func (m memory) Add(topic string, partition int, from int64) Partition {
	return m.Memory.Add(topic, partition, from)
}

// records returns the records of a topic.
func (m memory) records(topic string) []stream.Record {
	m.Lock()
	defer m.Unlock()
	return slices.Clone(m.Topics[topic][0].Records)
}

const rules, events = "dust.rules", "dust.events"

// owning is a Store with its reports.
type owning struct {
	*Store
	holds atomic.Bool
	mu    sync.Mutex
	told  []string
	acts  []string // returned by Load
}

func own(t *testing.T, m memory, generation int64) *owning {
	t.Helper()
	o := &owning{}
	o.holds.Store(true)
	o.Store = New(Options{Log: m, Rules: rules, Events: events,
		Holds: o.holds.Load, Pause: 5 * time.Millisecond, Timeout: time.Minute, Failed: func(doing string, err error) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.told = append(o.told, doing+": "+err.Error())
		}})
	t.Cleanup(o.Close)
	if still, err := o.Claim(t.Context(), fmt.Sprint("member ", generation), generation); err != nil || still {
		t.Fatal(still, err)
	}
	o.load(t)
	return o
}

func (o *owning) load(t *testing.T) {
	o.acts = nil
	for change, err := range o.Load() {
		must(t, err)
		switch c := change.(type) {
		case checkpoint.Act:
			o.acts = append(o.acts, ":"+c.Site+" "+string(c.Encode()))
		case checkpoint.Cuts:
			o.acts = append(o.acts, "share:"+c.Site+" "+string(table.EncodeCuts(c.Cuts)))
		case checkpoint.Politeness:
			value, err := json.Marshal(c)
			must(t, err)
			o.acts = append(o.acts, "fetch "+string(value))
		default:
			t.Fatalf("restores a %T", change)
		}
	}
}

func drop(param string) rule.Rule { return rule.Rule{Edit: rule.Drop{Param: param}} }

func published(site string, sequence int64, names ...string) book.Act {
	p := book.Publication{Sequence: sequence, At: 100 + sequence}
	for i, name := range names {
		r := drop(name)
		p.Records = append(p.Records, rule.Record{Schema: 2, Site: site, ID: rule.ID(site, &r), Wire: *rule.NewWire(&r),
			Rank: i + 1, State: rule.Valid, Verdict: rule.Verdict{Samples: 3, Examples: []rule.Example{{U: "/secret?a=1", V: "/secret"}}}, Separators: new(urlnorm.Separators)})
	}
	return book.Act{Publication: &p}
}

func refuted(site, param string) book.Act {
	r := drop(param)
	return book.Act{Rule: &book.Entry{ID: rule.ID(site, &r), Rule: r, State: rule.Refuted,
		Verdict: rule.Verdict{Examples: []rule.Example{{U: "/secret?a=1", V: "/secret"}}}, Sent: []rule.Example{{U: "/secret"}}}}
}

// changes yields acts as the loop does.
func changes(site string, acts ...book.Act) iter.Seq[checkpoint.Change] {
	return changed(site, pointers(acts)...)
}

// changed is changes with the acts' pointers, by which a Store knows acts that come again.
func changed(site string, acts ...*book.Act) iter.Seq[checkpoint.Change] {
	since := time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)
	return func(yield func(checkpoint.Change) bool) {
		list := []checkpoint.Change{checkpoint.Observations{Site: site, List: []evidence.Observation{{URL: []byte("/secret")}}}}
		for _, a := range acts {
			list = append(list, checkpoint.Act{Site: site, Act: a})
		}
		list = append(list, checkpoint.Politeness{{Site: "a.example", Next: since.Add(4*time.Minute + 5*time.Second), Delay: 1, Since: since, Used: 3}}, checkpoint.Positions("{}"))
		slices.Values(list)(yield)
	}
}

func pointers(acts []book.Act) (all []*book.Act) {
	for i := range acts {
		all = append(all, &acts[i])
	}
	return all
}

// sets returns the sets held by a new reader of the log.
func sets(t *testing.T, m memory) string {
	t.Helper()
	var s ledger.Sets
	for _, record := range m.records(rules) {
		r, err := Record(&record)
		if err == nil {
			_, _, err = s.Apply(r)
		}
		must(t, err)
	}
	var b strings.Builder
	for set := range s.All {
		fmt.Fprintf(&b, "%s %d:", set.Site, set.Sequence)
		for _, r := range set.Records {
			b.WriteString(" " + r.Params[0])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// last returns the last record of each key, if the record has a value.
func (m memory) last() map[string]string {
	all := map[string]string{}
	for _, r := range m.records(rules) {
		if all[string(r.Key)] = string(r.Value); r.Value == nil {
			delete(all, string(r.Key))
		}
	}
	return all
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatal(what)
}

// The next owner restores the acts saved by an owner. The log holds no URLs. The first
// owner learns of the loss of its ownership.
func TestOwnersFollowOneAnother(t *testing.T) {
	m := newMemory()
	a := own(t, m, 3)
	if len(a.acts) > 0 {
		t.Errorf("restores %q from nothing", a.acts)
	}
	must(t, a.Save(changes("www.example.org", refuted("www.example.org", "q"), published("www.example.org", 1, "sid", "ref"))))
	must(t, a.Save(changes("", book.Act{Approved: "mark"})))
	cuts := checkpoint.Cuts{Site: "www.example.org", Cuts: []table.Cut{{Pane: 7, Key: 9}}}
	must(t, a.Save(slices.Values([]checkpoint.Change{cuts})))
	must(t, a.Save(changes("b.example", book.Act{Separators: urlnorm.Ampersand}, book.Act{Separators: urlnorm.Ampersand | urlnorm.Semicolon})))
	b := own(t, m, 2) // the group has begun anew
	text := strings.Join(b.acts, "\n")
	for _, want := range []string{`: {"v":4,"approved":"mark"}`, `:b.example {"v":4,"separators":"\u0026;"}`, `:www.example.org {"v":4,"rule":{`, `"publication":{"sequence":1`, `fetch [{"site":"a.example","next":"2026-01-02T03:04:05Z","delay":1,"since":"2026-01-02T03:00:00Z","used":6}]`,
		`share:www.example.org {"v":2,"cuts":[{"pane":7,"key":"9","url":"0"}]}`} {
		if !strings.Contains(text, want) {
			t.Errorf("restores %s: no %s", text, want)
		}
	}
	if all := fmt.Sprint(m.last()); strings.Contains(all, "secret") {
		t.Errorf("URLs are in the log: %s", all)
	}
	select {
	case <-a.Lost():
	case <-time.After(time.Minute):
		t.Fatal("the first owner does not learn of the second")
	}
	n := len(m.last())
	err := a.Save(changes("", book.Act{Approved: "other"}))
	if emitted := a.Emit(t.Context(), []event.Event{{Kind: event.Snapshot}}); !errors.Is(err, ErrNotOwner) || !errors.Is(emitted, ErrNotOwner) || len(m.last()) != n {
		t.Errorf("who has lost writes: %v, %v", err, emitted)
	}
	if err := b.Save(changes("www.example.org", published("www.example.org", 2, "ref"))); err != nil {
		t.Error(err)
	}
	if got, want := sets(t, m), "www.example.org 2: ref\n"; got != want {
		t.Errorf("readers hold %q, want %q", got, want)
	}
}

// An owner continues in another generation, unless another owner has come in between. Then
// the first may claim again.
func TestClaimAgain(t *testing.T) {
	m := newMemory()
	a := own(t, m, 1)
	must(t, a.Save(changes("s", published("s", 1, "a"))))
	if still, err := a.Claim(t.Context(), "member 1", 2); err != nil || !still {
		t.Fatal(still, err)
	}
	must(t, a.Save(changes("s", published("s", 2, "b"))))
	b := own(t, m, 3)
	must(t, b.Save(changes("s", published("s", 3, "c"))))
	if still, err := a.Claim(t.Context(), "member 1", 4); err != nil || still {
		t.Fatal(still, err)
	}
	if a.load(t); !strings.Contains(strings.Join(a.acts, ""), `"publication":{"sequence":3`) {
		t.Errorf("restores %q", a.acts)
	}
	select {
	case <-a.Lost():
		t.Error("it is the owner, and has lost")
	default:
	}
	<-b.Lost()
	if err := a.Save(changes("s", published("s", 4, "d"))); err != nil || sets(t, m) != "s 4: d\n" {
		t.Errorf("%v, readers hold %q", err, sets(t, m))
	}
}

// Nothing is written without the lease.
func TestLease(t *testing.T) {
	m := newMemory()
	a := own(t, m, 1)
	before := len(m.records(rules))
	a.holds.Store(false)
	stranger := New(Options{Log: m, Rules: rules, Holds: a.holds.Load})
	defer stranger.Close()
	_, again := a.Claim(t.Context(), "member 1", 2)
	_, first := stranger.Claim(t.Context(), "m", 1)
	for _, err := range []error{again, first, a.Save(changes("s", published("s", 1, "a"))), a.Compact(changes("s", published("s", 1, "a")))} {
		if !errors.Is(err, ErrNotOwner) {
			t.Error(err)
		}
	}
	if len(m.records(rules)) != before {
		t.Error("something was written")
	}
	a.holds.Store(true)
	if still, err := a.Claim(t.Context(), "member 1", 2); err != nil || !still {
		t.Error(still, err)
	}
	if err := a.Save(changes("s", published("s", 1, "a"))); err != nil || sets(t, m) != "s 1: a\n" {
		t.Errorf("%v, readers hold %q", err, sets(t, m))
	}
}

// Late writes of an older owner are covered again, including keys written only by the older
// owner.
func TestZombie(t *testing.T) {
	m := newMemory()
	a := own(t, m, 1)
	must(t, a.Save(changes("s", published("s", 1, "a", "b"))))
	old := m.records(rules)
	b := own(t, m, 2)
	must(t, b.Save(changes("s", published("s", 2, "b", "c"))))
	want := m.last()
	var late []stream.Record
	for _, r := range old[1:] {
		late = append(late, stream.Record{Key: r.Key, Value: r.Value, Headers: r.Headers})
	}
	r := drop("z")
	stray := written([]byte("s/rule/"+rule.ID("s", &r)), []byte("{}"), ledger.Tuple{Epoch: 0, Generation: 1, Sequence: 99})
	verdict := written([]byte("s/verdict/"+rule.ID("s", &r)), []byte("{}"), ledger.Tuple{Epoch: 0, Generation: 1, Sequence: 100})
	must(t, m.Produce(t.Context(), rules, 0, append(late, stray, verdict)))
	eventually(t, "what was covered is not written again", func() bool {
		now := m.last()
		same := len(now) == len(want)
		for key, value := range want {
			same = same && (now[key] == value || strings.HasSuffix(key, "/set")) // names other tuples
		}
		return same && sets(t, m) == "s 2: b c\n"
	})
	eventually(t, "it does not stop", func() bool { return !b.ask((*owner.Owner).Covered) })
	if s := b.Stats(); s.Mended == 0 || s.Bad > 0 {
		t.Errorf("%+v", s)
	}
}

// The next checkpoint writes the acts of a failed checkpoint, whether or not the log has
// them. Pairs already counted are not counted twice.
func TestFailures(t *testing.T) {
	for _, gets := range []bool{false, true} {
		m := newMemory()
		a := own(t, m, 1)
		r := drop("a")
		id := rule.ID("s", &r)
		valid := book.Act{Rule: &book.Entry{ID: id, Rule: r, State: rule.Valid, Rank: 1}}
		must(t, a.Save(changes("s", valid)))
		acts := pointers([]book.Act{published("s", 1, "a"), {Pair: &book.PairAct{Rule: id, Changed: true}}, {Round: &book.Round{At: 7}}})
		m.Change(func() {
			m.Fail = func([]stream.Record) (bool, error) { return gets, errors.New("the network is down") }
		})
		if err := a.Save(changed("s", acts...)); err == nil {
			t.Fatal("it was written")
		}
		m.Change(func() { m.Fail = nil })
		more := append(slices.Clone(acts), &book.Act{Approved: "x"})
		must(t, a.Save(changed("s", more...)))
		if got := sets(t, m); got != "s 1: a\n" {
			t.Errorf("readers hold %q", got)
		}
		var act book.Act
		if err := json.Unmarshal([]byte(m.last()["s/verdict/"+id]), &act); err != nil || act.Rule.Change.Again != 1 || act.Rule.Change.Changed != 1 {
			t.Errorf("%v, %+v", err, act.Rule)
		}
	}
}

// A batch that is too large is cut, the marker last. A record that is too large is
// reported, and delays no other record.
func TestTooLarge(t *testing.T) {
	m := newMemory()
	a := own(t, m, 1)
	m.Limit = 900
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprint("p", i))
	}
	must(t, a.Save(changes("s", published("s", 1, names...), book.Act{Approved: strings.Repeat("x", 2000)})))
	a.mu.Lock()
	told := strings.Join(a.told, "\n")
	a.mu.Unlock()
	if !strings.Contains(told, "s/state/approved") || !strings.Contains(told, "s/state/publication") || !strings.Contains(told, "s/set") {
		t.Errorf("told %q", told)
	}
	m.Limit = 3000
	must(t, a.Save(changes("t", published("t", 1, names...))))
	if got := sets(t, m); !strings.HasPrefix(got, "t 1: p0 p1 ") {
		t.Errorf("readers hold %q", got)
	}
	if b := own(t, m, 2); !strings.Contains(strings.Join(b.acts, ""), `"publication":{"sequence":1`) { // of marker and rules
		t.Errorf("restores %q", b.acts)
	}
}

// Verdicts forgotten by the machines are retracted.
func TestCompact(t *testing.T) {
	m := newMemory()
	a := own(t, m, 1)
	must(t, a.Save(changes("s", refuted("s", "a"), refuted("s", "b"), published("s", 1, "c"))))
	before := len(m.last())
	must(t, a.Compact(changes("s", refuted("s", "b"), published("s", 1, "c"))))
	if n := len(m.last()); n != before-1 {
		t.Errorf("%d keys have a value, want %d", n, before-1)
	}
	if now, compacted := a.Size(); now != compacted || now == 0 || a.Bloated() {
		t.Errorf("%d bytes, %d after compaction", now, compacted)
	}
}

// Unreadable records are counted, and the first of them reported.
func TestBadRecords(t *testing.T) {
	m := newMemory()
	good := ledger.Tuple{Epoch: 0, Generation: 1, Sequence: 1}
	bad := []stream.Record{{Key: []byte("s/set"), Value: []byte("{}")}, written([]byte("nonsense"), nil, good),
		written([]byte("s/state/round"), []byte("{"), good), written([]byte("fetch"), []byte("{"), good)}
	must(t, m.Produce(t.Context(), rules, 0, bad))
	a := own(t, m, 1)
	if s := a.Stats(); s.Bad != 4 || len(a.told) != 4 || len(a.acts) > 0 {
		t.Errorf("%+v, told %q, restores %q", s, a.told, a.acts)
	}
}

// An event is a line without its end, under its site's key and the owner's tuple.
func TestEvents(t *testing.T) {
	m := newMemory()
	a := own(t, m, 7)
	likely := rule.Likely{Site: "s", Rule: rule.Rule{Edit: rule.Drop{Param: "sid"}}, Support: 5, Comparable: 5}
	told := []event.Event{{Kind: event.Likely, Site: "s", Pane: 7200, Rule: likely}, {Kind: event.Snapshot}}
	must(t, a.Emit(t.Context(), told))
	m.Limit = 250
	must(t, a.Emit(t.Context(), told))
	var previous ledger.Tuple
	for i, r := range m.records(events) {
		line, _ := event.Append(nil, &told[i%2])
		at, err := Record(&r)
		if err != nil || string(r.Value)+"\n" != string(line) || string(r.Key) != told[i%2].Site || r.Key == nil ||
			at.Tuple.Generation != 7 || at.Tuple.Compare(previous) <= 0 {
			t.Errorf("%q %s, %v %v", r.Key, r.Value, at.Tuple, err)
		}
		previous = at.Tuple
	}
	if got := fmt.Sprint(m.Topics[events][0].Batches); got != "[2 1 1]" {
		t.Errorf("batches of %s", got)
	}
}

// A rule's value is the line of the list of valid rules.
func TestRulesAreAsListed(t *testing.T) {
	m := newMemory()
	a := own(t, m, 1)
	act := published("s<&>", 1, "a", "b")
	must(t, a.Save(changes("s<&>", act)))
	var want bytes.Buffer
	must(t, jsonl.Valid(act.Publication).Write(&want))
	for line := range bytes.Lines(want.Bytes()) {
		var r rule.Record
		must(t, json.Unmarshal(line, &r))
		if got := m.last()["s<&>/rule/"+r.ID]; got+"\n" != string(line) {
			t.Errorf("%s\nwant\n%s", got, line)
		}
	}
}

// An owner whose own records come back late writes no record twice.
func TestQuiet(t *testing.T) {
	m := newMemory()
	a := own(t, m, 1)
	n := 1 // the claim
	for i := range int64(200) {
		must(t, a.Save(changes("s", published("s", i+1, fmt.Sprint("p", i%2), "q"))))
	}
	for _, size := range m.Topics[rules][0].Batches[1:] {
		n += size
	}
	must(t, a.await(t.Context(), func() bool { return a.next >= int64(n) }))
	if s := a.Stats(); s.Mended > 0 || len(m.records(rules)) != n {
		t.Errorf("%+v, %d records and not %d", s, len(m.records(rules)), n)
	}
}
