package tail

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/fsnotify/fsnotify"
)

// watcher notes what happens in the directories of logs, and wakes the reader. An event only
// triggers a look. Without events the reader looks by the clock, so no result depends on them.
type watcher struct {
	notify *fsnotify.Watcher
	wake   chan struct{}
	dirs   map[string]identity // watched
	group  sync.WaitGroup

	mu     sync.Mutex
	events events
}

// events are what happened since the last look.
type events struct {
	moved map[string]bool // by path: the file was made, renamed or removed; false: only written
	lost  bool            // the kernel dropped events
}

func newWatcher() (*watcher, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &watcher{notify: notify, wake: make(chan struct{}, 1), dirs: make(map[string]identity)}
	w.group.Go(w.collect)
	return w, nil
}

// collect notes events until the watcher is closed.
func (w *watcher) collect() {
	for {
		select {
		case e, open := <-w.notify.Events:
			if !open {
				return
			}
			w.add(e.Name, e.Op&(fsnotify.Create|fsnotify.Rename|fsnotify.Remove) != 0, false)
		case _, open := <-w.notify.Errors:
			if !open {
				return
			}
			w.add("", true, true)
		}
	}
}

func (w *watcher) add(path string, moved, lost bool) {
	w.mu.Lock()
	if w.events.moved == nil {
		w.events.moved = make(map[string]bool)
	}
	path = filepath.Clean(path)
	w.events.moved[path] = w.events.moved[path] || moved
	w.events.lost = w.events.lost || lost
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// take returns the events since the last call.
func (w *watcher) take() events {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.events
	w.events = events{}
	return all
}

// watch watches a directory with the present identity, and no other of its name. A directory
// that was replaced or has returned is watched anew.
func (w *watcher) watch(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		w.unwatch(dir)
		return err
	}
	id, _ := identify(info)
	if known, ok := w.dirs[dir]; ok && known == id {
		return nil
	}
	w.unwatch(dir)
	if err := w.notify.Add(dir); err != nil {
		return err
	}
	w.dirs[dir] = id
	return nil
}

func (w *watcher) unwatch(dir string) {
	if _, ok := w.dirs[dir]; ok {
		delete(w.dirs, dir)
		_ = w.notify.Remove(dir) // fails if the directory is gone, and then the watch is gone, too
	}
}

// close ends all watches and waits for the goroutine.
func (w *watcher) close() {
	_ = w.notify.Close() // nothing was written
	w.group.Wait()
}

// watch ensures that the directories of all logs, and of the targets of links, are watched.
func (f *follower) watch() {
	if f.watcher == nil {
		return
	}
	f.watched = true
	for dir := range f.bases {
		err := f.watcher.watch(dir)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		f.watched = false
		if f.trouble[dir] != err.Error() {
			f.trouble[dir] = err.Error()
			f.options.Audit(Audit{Kind: Unwatched, Path: dir, Err: err})
		}
	}
	for dir := range f.watcher.dirs {
		if f.bases[dir] == nil {
			f.watcher.unwatch(dir)
		}
	}
}
