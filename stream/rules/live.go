package rules

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"dustbuster/operators/rule/canon"
)

// Live holds a list of rules that is replaced while any number of goroutines apply it.
// The zero Live has no rules and leaves every URL unchanged. So call Set with the first
// list before computing keys. A Live must not be copied.
type Live struct {
	now            atomic.Pointer[applied]
	asked, changed atomic.Int64

	mu   sync.Mutex
	host string          // see SetHost
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

// ErrNoHost is the error of a list with rules that name no host, for a reader who names none.
var ErrNoHost = errors.New("the rules of a log without host names apply to paths alone: name their host, such as www.example.org")

// SetHost names the host of the log behind rules without a site: they then apply to URLs of this
// host, and relative URLs are of this host. Without it, rules without a site apply to relative
// URLs alone. SetHost applies to the present list and to those to come. The error is that of an
// invalid host.
func (l *Live) SetHost(host string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := new(canon.Sites).For(host); err != nil {
		return err
	}
	l.host = host
	if l.list == nil {
		return nil
	}
	return l.swap(l.list, l.Version())
}

// needsHost reports whether the list has rules without a site, and nobody has named their host.
func (l *Live) needsHost() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.host == "" && l.list != nil && l.list.Of("").Len() > 0
}

// Follow reads a source, as Open does, repeatedly until ctx ends, and sets each list
// read. An unchanged file is not read again, and a daemon is asked only for a changed
// list. Of a changed list, only the sites with changed lines are parsed and compiled.
// After an error the previous list stays, and failed is called, if it is not nil. A list
// without valid rules is valid, so rules that were withdrawn are not applied any longer: to
// write a file safely, replace it by renaming. A list with rules that name no host is set, and
// failed is called with ErrNoHost, if SetHost has named none. Every must be positive.
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
			} else if l.needsHost() {
				failed(fmt.Errorf("apply %s: %w (Live.SetHost)", nameOf(source), ErrNoHost))
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
