package tail

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"dustbuster/operators/read/input"
)

// followed is a path with the number of its newest generation.
type followed struct {
	path  string
	live  uint64 // 0: no file is at the path
	never bool   // no file was found since the start, nor has the path a position
}

// trouble is an error about a path.
type trouble struct {
	text string
	at   time.Time
}

// publish shares the list of followed paths. A pattern or directory without a file stands for
// itself.
func (f *follower) publish() {
	var all []followed
	for _, l := range f.logs {
		l.existed = l.existed || len(l.generations) > 0
		one := followed{path: l.path, never: !l.existed}
		if l.live != nil {
			one.live = l.live.number
		}
		all = append(all, one)
	}
	for _, path := range f.options.Paths {
		s := selectPaths([]string{path})
		if f.byPath[filepath.Clean(path)] == nil && !slices.ContainsFunc(all, func(one followed) bool { return s.has(one.path) }) {
			all = append(all, followed{path: path, never: !f.existed[path]})
		}
	}
	f.registry.follow(all)
}

// follow shares the followed paths, and forgets the errors of other paths.
func (r *registry) follow(all []followed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paths = all
	known := make(map[string]bool)
	for i := range all {
		known[all[i].path], known[filepath.Dir(all[i].path)] = true, true
	}
	maps.DeleteFunc(r.trouble, func(path string, _ trouble) bool {
		return !slices.ContainsFunc(subjects(path), func(of string) bool { return known[of] })
	})
}

// subjects returns the path of trouble and the paths of the logs of which it may be a rotated file.
// Trouble about a log is about one of these, or about the log's directory.
func subjects(path string) []string {
	all := []string{path}
	for base := range origins(filepath.Base(path)) {
		all = append(all, filepath.Join(filepath.Dir(path), base))
	}
	return all
}

// troubled notes an error about a path.
func (r *registry) troubled(path string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trouble[path] = trouble{err.Error(), time.Now()}
}

// errNever is the error of a path without a file.
var errNever = errors.New("no file was found here since the start: check the name, and whether its directory may be read")

// lossError is the error of lost text.
func lossError(kind Kind, bytes int64, err error) error {
	if err == nil {
		return fmt.Errorf("%s: %d bytes are lost", kind, bytes)
	}
	return fmt.Errorf("%s: %d bytes are lost: %w", kind, bytes, err)
}

// expect notes the generations with text present at the start.
func (r *registry) expect(waiting map[*generation]int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started = true
	for g := range waiting {
		if known := r.records[g.number]; known != nil {
			known.awaited = true
		}
	}
}

// Inputs describes the followed logs in the order of their paths, without formats and lines.
// The consumer reports its progress through Positions. Any goroutine may call Inputs.
func (r *Reader) Inputs() (all []input.State) {
	reg := r.follower.registry
	reg.mu.Lock()
	defer reg.mu.Unlock()
	all = reg.inputs()
	slices.SortFunc(all, func(a, b input.State) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// inputs describes the followed logs, each with its last error.
func (r *registry) inputs() (all []input.State) {
	numbers := make(map[string][]uint64)
	for n, known := range r.records {
		numbers[known.position.Path] = append(numbers[known.position.Path], n)
	}
	troubles := make(map[string][]trouble)
	for path, wrong := range r.trouble {
		for _, of := range subjects(path) {
			troubles[of] = append(troubles[of], wrong)
		}
	}
	for i := range r.paths {
		one := &r.paths[i]
		slices.Sort(numbers[one.path])
		s := r.input(one, numbers[one.path])
		for _, wrong := range slices.Concat(troubles[one.path], troubles[filepath.Dir(one.path)]) {
			s.Fail(wrong.text, wrong.at.Unix())
		}
		all = append(all, s)
	}
	return all
}

// input describes a log. The newest generation is the file at the path, or else the youngest
// generation.
func (r *registry) input(one *followed, numbers []uint64) input.State {
	s := input.State{Kind: input.Log, Name: one.path, CaughtUp: r.started && !one.never, LagBytes: new(int64)}
	if one.never {
		s.Fail(errNever.Error(), time.Now().Unix())
	}
	if len(numbers) == 0 {
		return s
	}
	newest := numbers[len(numbers)-1]
	if slices.Contains(numbers, one.live) {
		newest = one.live
	}
	for _, n := range numbers {
		known := r.records[n]
		p := known.position
		s.CaughtUp = s.CaughtUp && (n != one.live || known.wrong == nil)
		lag, behind := known.lag()
		*s.LagBytes += lag.Bytes
		s.LagSeconds = max(s.LagSeconds, lag.seconds())
		s.CaughtUp = s.CaughtUp && !known.awaited && (known.dealt() >= known.goal || p.Finished && !behind)
		switch g := fmt.Sprintf("%d:%d", p.Device, p.Inode); {
		case n == newest:
			s.Generation, s.File, s.Compressed, s.Offset, s.Size = g, p.File, known.packed, p.Offset, &p.Size
		case behind:
			s.Behind = append(s.Behind, input.Generation{Generation: g, File: p.File, Compressed: known.packed, Offset: p.Offset, Size: p.Size, LagBytes: lag.Bytes})
		}
	}
	return s
}
