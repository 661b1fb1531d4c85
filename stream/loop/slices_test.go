package loop_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/internal/worlds"
	"dustbuster/stream/records"
)

// The learners of a site in which nothing changes give back their memory. The next rule is told as if they had not.
func TestQuietSiteRests(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store, out := open(t, dir), make(told, 10)
		defer store.Close()
		o := testOptions()
		o.Miner.Table.MaxURLs, o.Refine = 100_000, 10*time.Second
		l := start(t, o, store, out)
		batches := site(20_000)
		source, ended := &feed{make(chan *records.Batch), int64(len(batches))}, make(chan error)
		go func() { ended <- l.Run(t.Context(), source) }()
		for _, b := range batches {
			source.batches <- b
		}
		batches = nil
		time.Sleep(time.Minute)
		before := worlds.Heap()
		time.Sleep(10 * time.Minute) // twice the least time
		if taken := worlds.Heap() - before; taken > -20_000*100 {
			t.Errorf("rest has taken %d bytes", taken)
		}
		for n := range 3 {
			source.batches <- newRule(n)
			for want := fmt.Sprintf("/latency%dq/", n); !strings.HasPrefix(<-out, want); {
			}
		}
		close(source.batches)
		must(t, <-ended)
	})
}
