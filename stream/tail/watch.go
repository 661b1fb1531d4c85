package tail

import (
	"path/filepath"
	"sync"

	"github.com/fsnotify/fsnotify"
	"github.com/nxadm/tail/watch"
)

// watcher wakes the reader when something happens to a path it watches. It is
// a convenience: all that an event says is "look", and who is never woken looks
// by the clock.
//
// Of nxadm/tail it uses the tracker beneath its watchers, which watches the
// directory and passes on what happens under one name in it. The watchers
// themselves end the process when a file cannot be looked at, and stop at the
// first rename. The tracker's own goroutine is the library's, one for the
// process, and never ends. Its channels go by the path: of two Readers that
// follow the same path in one process, one is woken.
type watcher struct {
	wake  chan struct{}
	names map[string]bool
	group sync.WaitGroup
}

// newWatcher returns nil where inotify is not to be had. The library would end
// the process then.
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

// add watches a path, whose directory must exist.
func (w *watcher) add(path string) error {
	if w.names[path] {
		return nil
	}
	if err := watch.WatchCreate(path); err != nil {
		return err
	}
	w.names[path] = true
	events := watch.Events(path)
	if events == nil { // another Reader has just ended its watch of the same path
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
		_ = watch.RemoveWatchCreate(path) // fails where the directory is gone, and the watch with it
	}
}

// removeDir ends all watches of a directory, so that the next one added starts
// anew: the library would take a directory of the same name for the old one.
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
