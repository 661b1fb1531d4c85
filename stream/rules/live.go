package rules

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Live holds a list of rules that is replaced while any number of goroutines apply it.
// The zero Live has no rules and leaves every URL unchanged. So call Set with the first
// list before computing keys. A Live must not be copied.
type Live struct {
	now            atomic.Pointer[applied]
	asked, changed atomic.Int64

	mu   sync.Mutex
	list *List           // as given
	off  map[string]bool // ids of rules that are switched off
	told func(version string)
}

// Canonical is the method of canon.Sites, applied to the present rules. It counts the URL:
// see Counts. A changed URL costs a second canonization, which finds the rules.
func (l *Live) Canonical(url string) (canonical string, changed bool) {
	l.asked.Add(1)
	now := l.now.Load()
	if now == nil {
		return url, false
	}
	canonical, changed = now.sites.Canonical(url)
	if changed {
		l.changed.Add(1)
		now.count(url)
	}
	return canonical, changed
}

// Set replaces the list. After an error the previous list stays. Rules that are switched off
// stay off.
func (l *Live) Set(list *List) error { return l.set(list, "") }

// Follow reads a source, as Open does, repeatedly until ctx ends, and sets each list
// read. An unchanged file is not read again, and a daemon is asked only for a changed
// list. Of a changed list, only the sites with changed lines are parsed and compiled.
// After an error the previous list stays, and failed is called, if it is not nil. A list
// without valid rules is valid, so rules that were withdrawn are not applied any longer: to
// write a file safely, replace it by renaming. Every must be positive.
func (l *Live) Follow(ctx context.Context, source string, every time.Duration, failed func(error)) {
	if failed == nil {
		failed = func(error) {}
	}
	var last string // identifies the last version
	m := remembering()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if list, version, err := newer(ctx, source, last, &m); err != nil {
			failed(err)
		} else if list != nil {
			tag := ""
			if isAddress(source) {
				tag = version
			}
			if err := l.set(list, tag); err != nil {
				failed(err)
			}
			last = version // reading a bad list again would not help
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
