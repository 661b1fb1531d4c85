package tail

import (
	"path/filepath"
	"sync"

	"github.com/fsnotify/fsnotify"
	"github.com/nxadm/tail/watch"
)

// watcher wakes the reader when something happens to a watched path. An event only
// triggers a poll, and without events the reader polls by the clock.
//
// It uses the tracker of nxadm/tail, which watches a directory and passes on the events of
// one name there. The library's watchers are not used: they end the process if a file
// cannot be examined, and stop at the first rename. The tracker has one goroutine per
// process, which never ends. Its channels are keyed by path: if two Readers in one process
// follow the same path, only one is woken.
type watcher struct {
	wake  chan struct{}
	names map[string]bool
	group sync.WaitGroup
}

// newWatcher returns nil if inotify is not available, because the library would end the
// process.
func newWatcher() (*watcher, error) {
	probe, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	if err := probe.Close(); err != nil {
		return nil, err
	}
	return &watcher{wake: make(chan struct{}, 1), names: make(map[string]bool)}, nil
}

// add watches a path. The directory of the path must exist.
func (w *watcher) add(path string) error {
	if w.names[path] {
		return nil
	}
	if err := watch.WatchCreate(path); err != nil {
		return err
	}
	w.names[path] = true
	events := watch.Events(path)
	if events == nil { // another Reader has just ended its watch of the path
		return nil
	}
	w.group.Go(func() {
		for range events {
			select {
			case w.wake <- struct{}{}:
			default:
			}
		}
	})
	return nil
}

func (w *watcher) remove(path string) {
	if w.names[path] {
		delete(w.names, path)
		_ = watch.RemoveWatchCreate(path) // fails if the directory is gone, and then the watch is gone, too
	}
}

// removeDir ends all watches of a directory, so that the next watch starts anew. The
// library would mistake a new directory of the same name for the old one.
func (w *watcher) removeDir(dir string) {
	for path := range w.names {
		if filepath.Dir(path) == dir {
			w.remove(path)
		}
	}
}

// close ends all watches and waits for their goroutines.
func (w *watcher) close() {
	for path := range w.names {
		w.remove(path)
	}
	w.group.Wait()
}
