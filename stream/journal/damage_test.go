package journal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// life returns a directory after a compaction and many later checkpoints, some of
// several frames.
func life(t *testing.T) *process {
	p := &process{t: t, fs: newMemFS(1), small: true}
	must(t, p.start())
	rnd := rand.New(rand.NewPCG(3, 3))
	for i := range 140 {
		must(t, p.save(1+rnd.IntN(30)))
		if i == 50 {
			must(t, p.compact())
		}
	}
	must(t, p.j.Close())
	return p
}

// outcomes counts the results of opening damaged directories.
type outcomes struct{ refused, whole, prefix int }

// revive opens a directory of the given files. Unless the directory is refused, revive
// also runs the process on in a sample of the cases. Acked is the position that must
// not be lost.
func (c *outcomes) revive(t *testing.T, p *process, journal, mark []byte, acked int) {
	t.Helper()
	q := &process{t: t, fs: newMemFS(2), acked: acked, tried: p.tried, small: true}
	q.fs.put(dir+"/"+journalName, journal)
	if mark != nil {
		q.fs.put(dir+"/"+ackName, mark)
	}
	if err := q.start(); err != nil {
		var state *StateError
		if !errors.As(err, &state) || state.Remedy == "" || !strings.Contains(err.Error(), dir+"/"+journalName) {
			t.Fatalf("no clear error: %v", err)
		}
		c.refused++
		return
	}
	if q.now.position == p.acked {
		c.whole++
	} else {
		c.prefix++
	}
	if (c.whole+c.prefix)%4 != 0 {
		return // only a sample is run on, because running takes most of the time
	}
	must(t, errors.Join(q.save(25), q.j.Close()))
	q.j = nil
	if err := q.start(); err != nil || q.j.Found().Torn != 0 {
		t.Fatalf("after mending: %v, %+v", err, q.j.Found())
	}
}

// TestDamage cuts the file at every 4 KiB boundary and at random bytes, and flips single
// bits, with and without journal.ack, which a power cut may lose.
func TestDamage(t *testing.T) {
	p := life(t)
	journal, mark := p.fs.names[dir+"/"+journalName].disk, p.fs.names[dir+"/"+ackName].disk
	rnd, n := rand.New(rand.NewPCG(4, 4)), rounds(1000)
	cuts := []int{}
	for at := 0; at < len(journal); at += 4 << 10 {
		cuts = append(cuts, at)
	}
	for range n {
		cuts = append(cuts, rnd.IntN(len(journal)))
	}
	var cutAcked, cutAlone, flipAcked, flipAlone, flipMark outcomes
	for _, at := range cuts {
		cutAcked.revive(t, p, journal[:at], mark, p.acked)
		cutAlone.revive(t, p, journal[:at], nil, 0)
	}
	for range n {
		flipped := slices.Clone(journal)
		flipped[rnd.IntN(len(journal))] ^= 1 << rnd.IntN(8)
		flipAcked.revive(t, p, flipped, mark, p.acked)
		flipAlone.revive(t, p, flipped, nil, 0)
	}
	for bit := range 8 * len(mark) {
		flipped := slices.Clone(mark)
		flipped[bit/8] ^= 1 << (bit % 8)
		flipMark.revive(t, p, journal, flipped, p.acked)
	}
	t.Logf("journal of %d bytes; %d cuts: %+v, without ack %+v; flips: %+v, without ack %+v; in ack %+v",
		len(journal), len(cuts), cutAcked, cutAlone, flipAcked, flipAlone, flipMark)
	if cutAcked != (outcomes{refused: len(cuts)}) || flipAcked != (outcomes{refused: n}) {
		t.Error("damage to acknowledged bytes must be refused")
	}
	if flipMark.refused > 0 || flipMark.prefix > 0 {
		t.Error("a damaged journal.ack must do no harm")
	}
	if flipAlone.refused < n*9/10 || cutAlone.prefix == 0 {
		t.Error("frames must vouch for those before them")
	}
}

// A journal fresh from a compaction is protected by the field whole in its header.
func TestDamageAfterCompaction(t *testing.T) {
	p := life(t)
	p.j = nil
	must(t, errors.Join(p.start(), p.compact()))
	journal := p.fs.names[dir+"/"+journalName].disk
	rnd, n := rand.New(rand.NewPCG(5, 5)), rounds(500)
	var cut, flip outcomes
	for range n {
		cut.revive(t, p, journal[:rnd.IntN(len(journal))], nil, p.acked)
		flipped := slices.Clone(journal)
		flipped[rnd.IntN(len(journal))] ^= 1 << rnd.IntN(8)
		flip.revive(t, p, flipped, nil, p.acked)
	}
	if want := (outcomes{refused: n}); cut != want || flip != want {
		t.Errorf("cut %+v, flipped %+v", cut, flip)
	}
}

// The command in the error's remedy repairs the files.
func TestRemedy(t *testing.T) {
	p := life(t)
	journal, mark := p.fs.names[dir+"/"+journalName].disk, p.fs.names[dir+"/"+ackName].disk
	state := filepath.Join(t.TempDir(), "a state")
	o := Options{Dir: state, Pane: 60}
	write := func(at int) {
		flipped := slices.Clone(journal)
		flipped[at] ^= 1
		if err := errors.Join(os.MkdirAll(state, 0o700), os.WriteFile(filepath.Join(state, journalName), flipped, 0o600),
			os.WriteFile(filepath.Join(state, ackName), mark, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write(len(journal) * 9 / 10)
	_, err := Open(o)
	var e *StateError
	if !errors.As(err, &e) || !errors.Is(err, ErrDamaged) || !strings.Contains(e.Remedy, "truncate -s ") {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(e.Remedy, "with: ")
	if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v %s", command, err, out)
	}
	j, err := Open(o)
	must(t, err)
	s := newState()
	must(t, load(j, s.fold))
	j.Close()
	if s.sum() != sums(s.position) || s.position < p.acked/2 {
		t.Errorf("position %d of %d", s.position, p.acked)
	}
	write(100) // within the part written by a compaction, where cutting would leave nothing
	if _, err := Open(o); !errors.As(err, &e) || strings.Contains(e.Remedy, "truncate") || !strings.Contains(e.Remedy, dropped) {
		t.Error(err)
	}
}

// Where no checkpoint is left before the damage, the remedy says that it drops the state and
// what follows, and so it does. One checkpoint is one frame, or several.
func TestRemedyDropsState(t *testing.T) {
	for _, frames := range []int{1, 3} {
		o := Options{Dir: filepath.Join(t.TempDir(), "a state"), Pane: 60}
		j := open(t, o)
		var entries []Entry
		for i := range frames {
			entries = append(entries, Entry{Kind: 1, Name: fmt.Sprint(i), Value: make([]byte, frameTarget)})
		}
		must(t, errors.Join(j.Save(slices.Values(entries)), j.Close()))
		path := filepath.Join(o.Dir, journalName)
		text, err := os.ReadFile(path)
		must(t, err)
		text[len(text)-10] ^= 1 // of the last frame
		must(t, os.WriteFile(path, text, 0o600))
		_, err = Open(o)
		var e *StateError
		if !errors.As(err, &e) || !errors.Is(err, ErrDamaged) || strings.Contains(e.Remedy, "truncate") || !strings.Contains(e.Remedy, "drops the whole state") || !strings.Contains(e.Remedy, dropped) {
			t.Fatalf("%d frames: %v", frames, err)
		}
		must(t, errors.Join(os.Rename(path, path+".away"), os.Rename(filepath.Join(o.Dir, ackName), path+".ack.away")))
		for e, err := range open(t, o).Load() {
			t.Errorf("%d frames: after the remedy the state holds %v, %v", frames, e, err)
		}
	}
}
