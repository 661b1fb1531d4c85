package offline

import (
	"runtime"
	"runtime/metrics"
	"time"

	"dustbuster/operators/learn/papers/compare"
)

// measure calls a function, and returns the time and the growth of the heap: the most bytes
// of objects, live or not yet collected, that were seen every few milliseconds, less the
// bytes before.
func measure(run func()) compare.Cost {
	runtime.GC()
	before := heapBytes()
	most, stop := make(chan int64), make(chan struct{})
	go func() {
		seen := before
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				seen = max(seen, heapBytes())
			case <-stop:
				most <- max(seen, heapBytes())
				return
			}
		}
	}()
	start := time.Now()
	run()
	seconds := time.Since(start).Seconds()
	close(stop)
	return compare.Cost{Seconds: seconds, Bytes: <-most - before}
}

func heapBytes() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
