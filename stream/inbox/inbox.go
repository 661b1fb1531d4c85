// Package inbox gives a thing that many goroutines use one owner at a time.
//
//	Do ────> waits ──> owns: a long piece of work, on the goroutine of the caller ──┐
//	Ask ───> waits ──> answered by the owner, or withdrawn at the deadline           ├──> leave: what others see
//	Post ──> goes on; the owner reads it when it comes to it ─────────────────────────┘
//
// Whoever owns the thing may read and change it. What comes meanwhile waits in the inbox, in order. An owner that
// is done reads the letters that wait, until one comes whose writer wants to own the thing on its own goroutine.
// So a caller of Post or Ask never does long work of others, and no caller polls.
//
// When the last letter is read, leave is called, still by the owner: it shows others what they may see without
// asking.
package inbox

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Room is the number of questions that may wait. Others are withdrawn at once.
const Room = 64

// Inbox is the inbox of one thing. Any goroutine may use an Inbox, but no owner may use its own: it has what it
// wants already. The zero Inbox has no owner.
type Inbox struct {
	Leave func() // called by each owner at last; may be nil

	mu      sync.Mutex
	owned   bool
	letters []*letter
}

// letter is something that waits for the owner.
type letter struct {
	kind string        // of a Post: of two that wait only the later is read; "": all are
	read func()        // nil: the writer wants to own the thing
	done chan struct{} // closed when the letter was read, or its writer owns the thing; nil: the writer does not wait
	asks bool          // it may be withdrawn
	full bool          // too many wait: it does not
}

// Do owns the thing while do runs. It waits for its turn.
func (b *Inbox) Do(do func()) {
	l := &letter{done: make(chan struct{})}
	if !b.enter(l) {
		<-l.done
	}
	do()
	b.leave()
}

// Post has do called by the owner, at once if there is none. Post does not wait. Of two letters of a kind that
// wait only the later one is read, in the place of the first.
func (b *Inbox) Post(kind string, do func()) {
	if b.own() || b.enter(&letter{kind: kind, read: do}) {
		do()
		b.leave()
	}
}

// Ask has do called by the owner, or at once if there is none, and returns true when do has ended. If do has not begun
// when ctx or the time ends, or Room questions wait, the question is withdrawn: do was not called, and will not be.
func (b *Inbox) Ask(ctx context.Context, most time.Duration, do func()) (answered bool) {
	l := &letter{read: do, done: make(chan struct{}), asks: true}
	switch owns := b.enter(l); {
	case owns:
		do()
		b.leave()
		return true
	case l.full:
		return false
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-l.done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	if b.withdraw(l) {
		return false
	}
	<-l.done // it is being read
	return true
}

// own reports whether the caller owns the thing now, since nobody did.
func (b *Inbox) own() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	free := !b.owned
	b.owned = true
	return free
}

// enter reports whether the caller owns the thing now. Else the letter waits, unless it is full.
func (b *Inbox) enter(l *letter) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.owned {
		b.owned = true
		return true
	}
	if at := slices.IndexFunc(b.letters, func(w *letter) bool { return l.kind != "" && w.kind == l.kind }); at >= 0 {
		b.letters[at] = l
		return false
	}
	if l.full = l.asks && b.questions() >= Room; !l.full {
		b.letters = append(b.letters, l)
	}
	return false
}

// questions counts the questions that wait. The caller holds mu.
func (b *Inbox) questions() (n int) {
	for _, l := range b.letters {
		if l.asks {
			n++
		}
	}
	return n
}

// withdraw reports whether a letter waited. It waits no more.
func (b *Inbox) withdraw(l *letter) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.Index(b.letters, l)
	if at >= 0 {
		b.letters = slices.Delete(b.letters, at, at+1)
	}
	return at >= 0
}

// leave reads what waits, and gives the thing to the next owner, or to none.
func (b *Inbox) leave() {
	for shown := false; ; {
		l := b.next(shown)
		switch {
		case l == nil && shown:
			return
		case l == nil, l.read == nil && !shown:
			if b.Leave != nil {
				b.Leave()
			}
			shown = true
		case l.read == nil:
			close(l.done)
			return
		default:
			l.read()
			if l.done != nil {
				close(l.done)
			}
			shown = false
		}
	}
}

// next returns the first letter, nil if there is none. It is taken out, unless its writer wants to own the thing and
// nothing was shown yet. Once all is shown and nothing waits, the thing has no owner.
func (b *Inbox) next(shown bool) *letter {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.letters) == 0 {
		b.owned = !shown
		return nil
	}
	l := b.letters[0]
	if l.read != nil || shown {
		b.letters = slices.Delete(b.letters, 0, 1)
	}
	return l
}
