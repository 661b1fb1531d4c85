package logshapes

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"dustbuster/stream/kafka"
)

var (
	number = flag.Int("logs", 200, "how many random logs")
	seed   = flag.Uint64("seed", 1, "of the random logs")
)

func open200(t *testing.T) (*broker, *kafka.Cluster) {
	t.Helper()
	r := rand.New(rand.NewPCG(*seed, 2))
	var logs []*log
	for range *number {
		logs = append(logs, random(r))
	}
	b := serve(t, logs)
	c, err := kafka.Open(t.Context(), kafka.Options{Brokers: b.ListenAddrs()})
	must(t, err)
	t.Cleanup(c.Close)
	return b, c
}

// Whatever the cleaner leaves of a log, it is read as it is in truth and as
// another client reads it, to its end, whatever the sizes of requests.
func TestRandomLogs(t *testing.T) {
	for _, o := range []kafka.ReaderOptions{{PartitionBytes: 1}, {PartitionBytes: 300, MaxBytes: 5000}, {}} {
		o.Compacted = true
		for _, torn := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d bytes, torn %v", o.PartitionBytes, torn), func(t *testing.T) {
				b, c := open200(t)
				b.torn, b.most = torn, o.MaxBytes
				ours := readAll(t, c, b, o)
				theirs := franz(t, b)
				records := 0
				for _, name := range b.topics {
					want := b.logs[name].visible
					records += len(want)
					if !slices.Equal(ours[name], want) {
						t.Errorf("%s: we read %d records %.300v, want %d %.300v", name, len(ours[name]), ours[name], len(want), want)
					}
					if !slices.Equal(theirs[name], want) {
						t.Errorf("%s: franz-go reads %d records %.300v, want %d %.300v", name, len(theirs[name]), theirs[name], len(want), want)
					}
				}
				if records < 10**number {
					t.Errorf("%d records in %d logs prove little", records, *number)
				}
				t.Logf("%d logs, %d records", len(b.topics), records)
			})
		}
	}
}

// readAll reads all logs at once, each to the end that it is told.
func readAll(t *testing.T, c *kafka.Cluster, b *broker, o kafka.ReaderOptions) map[string][]seen {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	r := kafka.NewReader(c, o)
	defer r.Close()
	var mutex sync.Mutex
	var done sync.WaitGroup
	all := map[string][]seen{}
	for _, name := range b.topics {
		l := b.logs[name]
		p := r.Add(name, 0, l.first)
		done.Go(func() {
			var got []seen
			for next := l.first; ; {
				batch, err := p.Read(ctx)
				if err != nil {
					t.Errorf("%s at %d of %d: %v", name, next, l.stable, err)
					return
				}
				for _, r := range batch.Records {
					got = append(got, seen{r.Offset, text(r.Key), text(r.Value)})
				}
				if batch.Lost > 0 || batch.Next < next || batch.End != l.stable || len(batch.Records) > 0 && batch.Records[len(batch.Records)-1].Offset >= batch.Next {
					t.Errorf("%s: after %d came %+v; the end is %d", name, next, *batch, l.stable)
				}
				if next = batch.Next; next >= l.stable {
					break
				}
			}
			mutex.Lock()
			all[name] = got
			mutex.Unlock()
		})
	}
	done.Wait()
	return all
}

// franz reads all logs with another client, until it has as many records as
// there are, and a little longer.
func franz(t *testing.T, b *broker) map[string][]seen {
	t.Helper()
	start, want := map[string]map[int32]kgo.Offset{}, 0
	for _, name := range b.topics {
		start[name] = map[int32]kgo.Offset{0: kgo.NewOffset().At(b.logs[name].first)}
		want += len(b.logs[name].visible)
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(b.ListenAddrs()...), kgo.ConsumePartitions(start), kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.FetchMaxWait(50*time.Millisecond))
	must(t, err)
	defer client.Close()
	all := map[string][]seen{}
	for got, limit := 0, 3*time.Minute; limit > 0; {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		fetches := client.PollFetches(ctx)
		ended := ctx.Err() != nil
		cancel()
		if ended {
			break
		}
		fetches.EachError(func(topic string, _ int32, err error) { t.Errorf("franz-go, %s: %v", topic, err) })
		fetches.EachRecord(func(r *kgo.Record) {
			all[r.Topic] = append(all[r.Topic], seen{r.Offset, text(r.Key), text(r.Value)})
			got++
		})
		if got >= want {
			limit = 300 * time.Millisecond // for what should not come
		}
	}
	return all
}
