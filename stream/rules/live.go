package rules

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"dustbuster/operators/canon"
)

// Live is what a crawler holds: rules that are swapped while any number of
// goroutines apply them. The zero Live has none, and leaves every URL as it is; so
// Set the first list before anything is given a key.
type Live struct{ sites atomic.Pointer[canon.Sites] }

// Canonical is that of canon.Sites, by the rules of this moment.
func (l *Live) Canonical(url string) (canonical string, changed bool) {
	s := l.sites.Load()
	if s == nil {
		return url, false
	}
	return s.Canonical(url)
}

// Set puts a list in the place of the last; after an error that one stays.
func (l *Live) Set(list *List) error {
	sites, err := list.Compile()
	if err == nil {
		l.sites.Store(sites)
	}
	return err
}

// Follow reads a source, as Open does, again and again until ctx ends, and sets
// what it finds. A file that has not changed is not read, and a daemon is asked
// whether its list has. Errors are told and the last list stays; also if rules are
// only likely, as a daemon writes that does not try them. An empty list is one: who
// writes a file puts another in its place. failed may be nil; every is more than 0.
// It returns when ctx ends.
func (l *Live) Follow(ctx context.Context, source string, every time.Duration, failed func(error)) {
	if failed == nil {
		failed = func(error) {}
	}
	var last string // what tells the last version from another
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if list, version, err := newer(ctx, source, last); err != nil {
			failed(err)
		} else if list != nil {
			if err := l.Set(list); err != nil {
				failed(err)
			}
			last = version // a bad list does not get better by being read again
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// newer reads a source if it is another than the last version; else nil.
func newer(ctx context.Context, source, last string) (list *List, version string, err error) {
	if isAddress(source) {
		return ask(ctx, source, last)
	}
	info, err := os.Stat(source)
	if err != nil {
		return nil, "", err
	}
	// The daemon replaces its file: another has another time, or another size.
	if version = fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size()); version == last {
		return nil, last, nil
	}
	list, err = Open(ctx, source, nil)
	return list, version, err
}

func isAddress(source string) bool {
	scheme, _, ok := strings.Cut(source, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}
