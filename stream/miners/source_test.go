package miners

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/kafka"
	"dustbuster/stream/records"
)

var (
	head   = evidence.Head{Pane: 100, Check: 7}
	limits = admit.Limits{MaxBytes: 100, MaxTokens: 50}
)

// topic is a partition in memory, with holes where records have no place.
type topic struct {
	records []kafka.Record
	end     int64
	rng     *rand.Rand
	at      int64
	lost    int64 // before the first record
}

var errRetention = errors.New("retention")

func (t *topic) Read(ctx context.Context) (*kafka.Batch, error) {
	if t.at >= t.end {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	b := &kafka.Batch{Next: min(t.end, t.at+1+t.rng.Int64N(30)), End: t.end}
	for _, r := range t.records {
		if r.Offset >= t.at && r.Offset < b.Next {
			b.Records = append(b.Records, r)
		}
	}
	t.at = b.Next
	if b.Lost, t.lost = t.lost, 0; b.Lost > 0 {
		b.Why = errRetention
	}
	return b, nil
}

func value(t *testing.T, h evidence.Head, list ...evidence.Observation) []byte {
	t.Helper()
	v, n := evidence.Append(nil, h, list)
	if n != len(list) {
		t.Fatalf("%d of %d observations in the value", n, len(list))
	}
	return v
}

// keysOf are some sites of partition 1 of 3.
func keysOf(n int) (sites []string) {
	for i := 0; len(sites) < n; i++ {
		if site := fmt.Sprintf("s%d.example", i); kafka.PartitionOf([]byte(site), 3) == 1 {
			sites = append(sites, site)
		}
	}
	return sites
}

// However a partition is cut into batches, and wherever the source begins anew, each site
// ends with the observations since the site was last dropped. The times of records alone
// decide when.
func TestSilenceIsDecidedByRecords(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		const silence = 1000
		from, sites := &topic{rng: rng}, keysOf(4)
		want, last, newest := map[string][]string{}, map[string]int64{}, int64(0)
		now := int64(1e9)
		for i := range 200 {
			from.end += 1 + rng.Int64N(3)
			now += rng.Int64N(200) - 20
			site := sites[min(rng.IntN(8), 3)]
			url := fmt.Sprint("/", i)
			from.records = append(from.records, kafka.Record{Offset: from.end - 1, Time: time.Unix(now, 0), Key: []byte(site),
				Value: value(t, head, evidence.Observation{URL: []byte(url), Time: now, Min: 1, Max: 1})})
			newest = max(newest, now)
			if was, known := last[site]; known && newest-was >= silence {
				want[site] = nil
			}
			want[site] = append(want[site], url)
			last[site] = max(last[site], now)
		}
		from.end += rng.Int64N(3)
		got := map[string][]string{}
		seen := newSites(silence)
		for position := int64(0); position < from.end; {
			from.at = position
			source := newSource(options(t), from, seen, position, from.end)
			for range 1 + rng.IntN(5) {
				if position >= from.end {
					break
				}
				b, err := source.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, site := range b.Silent {
					delete(got, site)
				}
				for _, r := range b.Records {
					got[r.Site] = append(got[r.Site], string(r.URL))
				}
				position = b.End
				b.Release()
			}
		}
		for _, site := range sites {
			if newest-last[site] < silence && !slices.Equal(got[site], want[site]) || newest-last[site] >= silence && got[site] != nil && !slices.Equal(got[site], want[site]) {
				t.Fatalf("seed %d, %s: got %v, want %v", seed, site, got[site], want[site])
			}
		}
	}
}

func options(t *testing.T) *sourceOptions {
	return &sourceOptions{Partition: 1, Partitions: 3, Head: head, Limits: limits, Ahead: time.Hour, Heard: func(*kafka.Batch) {}, Lost: func(int64, int64, error) {},
		Unlike:  func(evidence.Head, time.Time, bool, int) {},
		Refused: func(offset int64, _ int, err error) { t.Errorf("offset %d is refused: %v", offset, err) }}
}

// Records that are no observations for this partition are counted and passed over. Records
// deleted before they were read are reported.
func TestRefusedRecords(t *testing.T) {
	site := keysOf(1)[0]
	other := "s0.example"
	for i := 0; kafka.PartitionOf([]byte(other), 3) == 1; i++ {
		other = fmt.Sprintf("s%d.example", i)
	}
	at := time.Unix(1e9, 0)
	seen := evidence.Observation{URL: []byte("/a"), Time: 1e9, Min: 1, Max: 1}
	far, long := seen, seen
	far.Time, long.URL = 1e9+3600+200, []byte("/"+strings.Repeat("x", 200))
	from := &topic{rng: rand.New(rand.NewPCG(1, 1)), end: 6, lost: 17}
	for i, r := range []kafka.Record{
		{Key: []byte(site), Value: value(t, head, seen, far, long)},
		{Key: []byte(other), Value: value(t, head, seen)},
		{Key: []byte(site), Value: []byte("nonsense")},
		{Key: []byte(site)},
		{Key: []byte(site), Value: value(t, evidence.Head{Pane: 200, Check: 7}, seen, seen, seen)},
		{Key: []byte(site), Value: value(t, head, seen)},
	} {
		r.Offset, r.Time = int64(i), at
		from.records = append(from.records, r)
	}
	var refused []int64
	var why []error
	passed := 0
	o := options(t)
	o.Refused = func(offset int64, n int, err error) {
		refused, why = append(refused, offset), append(why, err)
		passed += n
	}
	lost := int64(0)
	o.Lost = func(_, offsets int64, err error) {
		if lost += offsets; !errors.Is(err, errRetention) {
			t.Errorf("lost: %v", err)
		}
	}
	source := newSource(o, from, newSites(0), 0, 6)
	var counts records.Counts
	folded, urls := int64(0), 0
	for !source.CaughtUp(folded) {
		b, err := source.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		counts.Add(&b.Counts)
		folded += b.Bytes
		urls += len(b.Records)
		b.Release()
	}
	if !slices.Equal(refused, []int64{1, 2, 3, 4}) || passed != 6 || !strings.Contains(why[3].Error(), "read.pane is 3m20s there, and read.pane is 1m40s here") || !strings.Contains(why[0].Error(), "belongs to partition") {
		t.Errorf("refused %v: %v", refused, why)
	}
	if lost != 17 {
		t.Errorf("%d offsets are told lost", lost)
	}
	sum := counts.Malformed
	for _, n := range counts.Reasons {
		sum += n
	}
	if urls != 2 || counts.Lines != 10 || sum != 10 || counts.Malformed != 7 || counts.Reasons[admit.TooLong] != 1 {
		t.Errorf("%d observations, %+v", urls, counts)
	}
}

// Clients of another key, or of another version of the rules for clients, do not count. The rest of the
// records does.
func TestForgottenClients(t *testing.T) {
	site := keysOf(1)[0]
	seen := evidence.Observation{URL: []byte("/a"), Time: 900, Min: 1, Max: 1, Clients: 1 << 5}
	for _, c := range []struct {
		name      string
		head      evidence.Head
		forgotten int64
	}{
		{"as this program", head, 0},
		{"another key", evidence.Head{Pane: head.Pane, Check: head.Check + 1, Rule: head.Rule}, 900},
		{"another version", evidence.Head{Pane: head.Pane, Check: head.Check, Rule: head.Rule + 1}, 900},
		{"another grouping", evidence.Head{Pane: head.Pane, Check: head.Check, Rule: head.Rule, Sites: 8}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			from := &topic{rng: rand.New(rand.NewPCG(1, 1)), end: 1, records: []kafka.Record{{Time: time.Unix(1e9, 0), Key: []byte(site), Value: value(t, c.head, seen)}}}
			o := options(t)
			o.Lost = func(int64, int64, error) {}
			o.Head.Sites = 9
			told := 0
			o.Unlike = func(theirs evidence.Head, sent time.Time, fresh bool, n int) {
				if told += n; theirs != c.head || !sent.Equal(time.Unix(1e9, 0)) || fresh {
					t.Errorf("told of %+v, %v, %v", theirs, sent, fresh)
				}
			}
			b, err := newSource(o, from, newSites(0), 0, 1).Read(t.Context())
			if (told == 1) != (c.head != head) {
				t.Errorf("%d observations told", told)
			}
			if err != nil || len(b.Records) != 1 {
				t.Fatalf("%+v, %v", b, err)
			}
			if got := b.Records[0].Clients; (got == 0) != (c.forgotten > 0) || b.Forgotten != c.forgotten {
				t.Errorf("clients %b, forgotten %d, want %d", got, b.Forgotten, c.forgotten)
			}
		})
	}
}

// A partition has caught up when the end seen at the start has been folded, holes
// at the end included.
func TestCatchingUp(t *testing.T) {
	from := &topic{rng: rand.New(rand.NewPCG(1, 1)), end: 500}
	for i := range 400 {
		from.records = append(from.records, kafka.Record{Offset: int64(i), Time: time.Unix(1e9, 0), Key: []byte(keysOf(1)[0]),
			Value: value(t, head, evidence.Observation{URL: fmt.Appendf(nil, "/%d", i), Time: 1e9})})
	}
	o := options(t)
	source := newSource(o, from, newSites(0), 0, 450)
	folded, end := int64(0), int64(0)
	for !source.CaughtUp(folded) {
		if end >= 450 {
			t.Fatal("not caught up")
		}
		b, err := source.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if source.CaughtUp(folded) && b.Bytes > 0 {
			t.Error("caught up before the last batch is folded")
		}
		folded, end = folded+b.Bytes, b.End
		b.Release()
	}
	if end < 450 {
		t.Errorf("caught up at %d", end)
	}
	if text, err := source.Positions(map[uint64]int64{0: end}); err != nil || text != nil {
		t.Errorf("positions %q, %v: the store keeps none", text, err)
	}
	if !newSource(o, from, newSites(0), 450, 450).CaughtUp(0) {
		t.Error("nothing to catch up with, and it has not")
	}
}
