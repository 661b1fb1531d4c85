package offline

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/files"
	"dustbuster/stream/records"
)

// sharing is how the lines of logs are shared out. Each worker of a team folds the records of whole
// batches of lines into Sites of its own, and some files are read side by side. The order of the
// records does not matter (the fold law), so the merged Sites are those of one worker. What else
// depends on the order of lines is done by the Reader of their file: see records.Team.
type sharing struct {
	mu    sync.Mutex // of the Reading, while files are read side by side
	team  *records.Team
	parts []*folder // of the workers, the first that of the Reading, and of the records that they left; nil: not shared out
}

// shared returns the options for reading by several goroutines, or for one where the order of
// the records matters or bounds are too small for parts. It matters in a window that ends: the hits
// of a URL count while the URL is in the window.
func (o ReadOptions) shared() ReadOptions {
	if o.Miner.Table.Window > 0 || o.Miner.Table.MaxURLs < o.Workers {
		o.Workers = 1
	}
	if o.Workers > 1 {
		o.Files.Batches = max(o.Files.Batches, records.Ahead(o.Workers)+4)
	}
	return o
}

// share starts the workers.
func (r *Reading) share() (err error) {
	if r.o.Workers <= 1 {
		return nil
	}
	r.parts = []*folder{&r.folder}
	for _, sites := range r.Sites.Split(r.o.Workers + 1)[1:] {
		r.parts = append(r.parts, &folder{Sites: sites})
	}
	var folds []records.Fold
	for _, part := range r.parts[:r.o.Workers] {
		folds = append(folds, func(site string, o *evidence.Observation) bool {
			part.fold(site, o)
			return !part.Sites.Full()
		})
	}
	r.team, err = records.NewTeam(r.o.Records.Admit, folds)
	r.o.Records.Team = r.team
	return err
}

// foldLeft folds records that no worker has folded.
func (r *Reading) foldLeft(all []records.Record) {
	f := &r.folder
	if n := r.o.Workers; r.parts != nil && !r.team.Full() {
		f = r.parts[n]
	}
	if f == &r.folder {
		r.merge()
	}
	for i := range all {
		f.fold(all[i].Site, &all[i].Observation)
	}
	if f == &r.folder {
		r.Sites.Pruned() // no other code refers to pruned machines
		r.Sites.TakeCut()
	} else if f.Sites.Full() {
		r.merge()
	}
}

// merge ends the folding by workers, and folds in what they hold.
func (r *Reading) merge() {
	if r.parts == nil {
		return
	}
	r.team.Stop()
	var others []*miner.Sites
	for _, part := range r.parts[1:] {
		others = append(others, part.Sites)
		for i, n := range part.dropped {
			r.dropped[i] += n
		}
		r.sized += part.sized
	}
	r.Sites.Merge(others)
	r.parts = nil
}

// readAll reads all files: several side by side, unless lines are reported as they are read.
func (r *Reading) readAll(ctx context.Context, logs *files.Reader, say func(string)) error {
	if r.team != nil {
		defer r.team.Close()
	}
	if r.team == nil || len(logs.Files()) == 1 || r.o.Records.Malformed != nil || r.o.Records.Agentless != nil {
		return r.readOne(ctx, logs, say)
	}
	ended := make([]chan lane, len(logs.Files()))
	for i := range ended {
		ended[i] = make(chan lane, 1)
	}
	go func() {
		free := make(chan struct{}, r.o.Workers)
		for i := range ended {
			free <- struct{}{}
			go func() {
				var l lane
				l.err = r.readOne(ctx, logs.Part(i), func(text string) { l.said = append(l.said, text) })
				ended[i] <- l
				<-free
			}()
		}
	}()
	var err error
	for _, end := range ended {
		l := <-end
		for _, text := range l.said {
			say(text)
		}
		if err == nil || errors.Is(l.err, errInterrupted) {
			err = l.err
		}
	}
	return err
}

// lane is the reading of one of several files.
type lane struct {
	said []string // is said in the order of the files
	err  error
}

// together runs tasks side by side, as many at a time as there are cores, and waits for them. It begins them in their
// order.
func together(tasks ...func()) {
	var all sync.WaitGroup
	var begun atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(tasks)) {
		all.Go(func() {
			for n := int(begun.Add(1)); n <= len(tasks); n = int(begun.Add(1)) {
				tasks[n-1]()
			}
		})
	}
	all.Wait()
}
