package prober

import (
	"math"
	"slices"
	"sync"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/recent"
)

// Evidence keeps the pairs of trials as people look at them: of each site under trial the last pairs, and of each
// verdict its pairs. A site without trials takes nothing. Beyond a bound the pairs written least recently go; a
// verdict then has its URLs only. Any goroutine may use Evidence.
type Evidence struct {
	mu    sync.Mutex
	kept  *recent.Map[ofRule, []book.Opened]
	looks int // that operators asked for, under way
}

// ofRule is whose pairs are kept: those of a rule's verdict, or with id "" the last pairs of the site's trials.
type ofRule struct{ site, id string }

// Bounds of the evidence. Verdicts come after a few dozen pairs; a verdict with differing words takes about 8 KiB.
const (
	mostEvidence = 16 << 20 // bytes
	mostLast     = 24       // pairs of a site's trials
)

// NewEvidence returns an empty Evidence.
func NewEvidence() *Evidence {
	return &Evidence{kept: recent.New(math.MaxInt, mostEvidence, func(_ ofRule, pairs []book.Opened) int64 { return bytesOfPairs(pairs) })}
}

func bytesOfPairs(pairs []book.Opened) (n int64) {
	for i := range pairs {
		n += int64(pairs[i].Bytes())
	}
	return n
}

// put keeps pairs in the place of those kept before. Pairs are never changed in place.
func (e *Evidence) put(of ofRule, pairs []book.Opened) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.replace(of, pairs)
}

// replace is put for a caller that holds mu.
func (e *Evidence) replace(of ofRule, pairs []book.Opened) {
	if len(pairs) == 0 {
		e.kept.Remove(of)
		return
	}
	e.kept.Add(of, pairs)
}

// look keeps a pair of a trial under way. Of too many pairs the oldest that speaks for its rule goes, else the oldest.
func (e *Evidence) look(site string, pair *book.Opened) {
	e.mu.Lock()
	defer e.mu.Unlock()
	of := ofRule{site, ""}
	pairs, _ := e.kept.Peek(of)
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(o book.Opened) bool { return o.U.URL == pair.U.URL && o.V.URL == pair.V.URL })
	if len(pairs) >= mostLast {
		at := slices.IndexFunc(pairs, func(o book.Opened) bool { return o.Outcome == trial.Similar.String() })
		pairs = slices.Delete(pairs, max(0, at), max(0, at)+1)
	}
	e.replace(of, append(pairs, *pair))
}

// settle moves the pairs of a verdict to its rule. The examples have passed the veil. It returns what is to be saved; nil:
// nothing new.
func (e *Evidence) settle(site string, v *book.Entry) []checkpoint.Evidence {
	e.mu.Lock()
	defer e.mu.Unlock()
	last, _ := e.kept.Peek(ofRule{site, ""})
	of := ofRule{site, v.ID}
	before, _ := e.kept.Peek(of)
	pairs := slices.DeleteFunc(book.Open(v.Verdict.Examples, slices.Concat(last, before)), func(o book.Opened) bool { return o.At == 0 })
	if slices.EqualFunc(pairs, before, func(a, b book.Opened) bool { return a.At == b.At && a.U.URL == b.U.URL && a.V.URL == b.V.URL }) {
		return nil
	}
	e.replace(of, pairs)
	return []checkpoint.Evidence{{Site: site, Rule: v.ID, Pairs: pairs}}
}

// of returns the pairs of a verdict whose examples have passed the veil.
func (e *Evidence) of(site string, v *book.Entry) []book.Opened {
	e.mu.Lock()
	defer e.mu.Unlock()
	kept, _ := e.kept.Peek(ofRule{site, v.ID})
	return book.Open(v.Verdict.Examples, kept)
}

// begin begins a look that an operator asked for. False: too many are under way.
func (e *Evidence) begin() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.looks == mostLooks {
		return false
	}
	e.looks++
	return true
}

func (e *Evidence) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.looks--
}

// all returns the evidence of verdicts of some sites, that written least recently first.
func (e *Evidence) all(of func(site string) bool) (all []checkpoint.Evidence) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, key := range e.kept.Keys() {
		if key.id != "" && of(key.site) {
			pairs, _ := e.kept.Peek(key)
			all = append(all, checkpoint.Evidence{Site: key.site, Rule: key.id, Pairs: pairs})
		}
	}
	return all
}

// Bounds of the looks that operators ask for. A look takes as long as the delays of the site want.
const (
	mostLooks = 2                // under way, in the process
	longLook  = 2 * time.Minute  // then it ends without an answer
	waitLook  = 15 * time.Second // the caller waits
)
