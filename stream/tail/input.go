package tail

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"dustbuster/operators/read/input"
)

// followed is a path with its newest generation.
type followed struct {
	path  string
	live  *shared // nil: no file is at the path
	never bool    // no file was found since the start, nor has the path a position
}

// trouble is an error about a path.
type trouble struct {
	path, text string
	at         time.Time
}

// publish shows the followed paths, the generations that are still known, and the errors of
// followed paths. A pattern or directory without a file stands for itself.
func (f *follower) publish() {
	var all []followed
	for _, l := range f.logs {
		l.existed = l.existed || len(l.generations) > 0
		one := followed{path: l.path, never: !l.existed}
		if l.live != nil {
			one.live = l.live.shared
		}
		all = append(all, one)
	}
	for _, path := range f.options.Paths {
		s := selectPaths([]string{path})
		if f.byPath[filepath.Clean(path)] == nil && !slices.ContainsFunc(all, func(one followed) bool { return s.has(one.path) }) {
			all = append(all, followed{path: path, never: !f.existed[path]})
		}
	}
	f.show(func(s *snapshot) { s.follow(all) })
}

// follow takes in the followed paths, and drops what is no longer known.
func (s *snapshot) follow(all []followed) {
	s.paths = all
	s.generations = slices.DeleteFunc(slices.Clone(s.generations), (*shared).forgotten)
	about := make(map[string]bool)
	for i := range all {
		about[all[i].path], about[filepath.Dir(all[i].path)] = true, true
	}
	told := make(map[string]bool)
	var kept []trouble
	for _, t := range slices.Backward(s.trouble) { // the last error of each path
		if !told[t.path] && slices.ContainsFunc(subjects(t.path), func(of string) bool { return about[of] }) {
			kept = append(kept, t)
		}
		told[t.path] = true
	}
	slices.Reverse(kept)
	s.trouble = kept
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

// troubled shows an error about a path. Between two scans, a file that fails at each read adds one
// error a second.
func (f *follower) troubled(path string, err error) {
	now := trouble{path, err.Error(), time.Now()}
	f.show(func(s *snapshot) {
		if n := len(s.trouble); n == 0 || s.trouble[n-1].path != path || s.trouble[n-1].text != now.text || now.at.Sub(s.trouble[n-1].at) >= time.Second {
			s.trouble = append(s.trouble, now)
		}
	})
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

// Inputs describes the followed logs in the order of their paths, without formats and lines.
// The consumer reports its progress through Positions. Any goroutine may call Inputs.
func (r *Reader) Inputs() (all []input.State) {
	all = r.shown().inputs()
	slices.SortFunc(all, func(a, b input.State) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// inputs describes the followed logs, each with its last error.
func (s *snapshot) inputs() (all []input.State) {
	generations := make(map[string][]known)
	for _, g := range s.known() {
		generations[g.position.Path] = append(generations[g.position.Path], g)
	}
	troubles := make(map[string][]trouble)
	for _, wrong := range s.trouble {
		for _, of := range subjects(wrong.path) {
			troubles[of] = append(troubles[of], wrong)
		}
	}
	for i := range s.paths {
		one := &s.paths[i]
		state := s.input(one, generations[one.path])
		for _, wrong := range slices.Concat(troubles[one.path], troubles[filepath.Dir(one.path)]) {
			state.Fail(wrong.text, wrong.at.Unix())
		}
		all = append(all, state)
	}
	return all
}

// input describes a log. The newest generation is the file at the path, or else the youngest
// generation.
func (s *snapshot) input(one *followed, generations []known) input.State {
	state := input.State{Kind: input.Log, Name: one.path, CaughtUp: s.started && !one.never, LagBytes: new(int64)}
	if one.never {
		state.Fail(errNever.Error(), time.Now().Unix())
	}
	newest := slices.IndexFunc(generations, func(g known) bool { return g.shared == one.live })
	if newest < 0 {
		newest = len(generations) - 1
	}
	for i := range generations {
		g := &generations[i]
		p := &g.position
		lag, behind := g.lag()
		*state.LagBytes += lag.Bytes
		state.LagSeconds = max(state.LagSeconds, lag.seconds())
		state.CaughtUp = state.CaughtUp && !g.awaited && (g.dealt >= g.goal || p.Finished && !behind) && (g.shared != one.live || g.wrong == nil)
		switch id := fmt.Sprintf("%d:%d", p.Device, p.Inode); {
		case i == newest:
			state.Generation, state.File, state.Compressed, state.Offset, state.Size = id, p.File, g.packed, p.Offset, &p.Size
		case behind:
			state.Behind = append(state.Behind, input.Generation{Generation: id, File: p.File, Compressed: g.packed, Offset: p.Offset, Size: p.Size, LagBytes: lag.Bytes})
		}
	}
	return state
}
