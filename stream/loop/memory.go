package loop

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"dustbuster/operators/miner"
	"dustbuster/operators/table"
	"dustbuster/stream/journal"
)

// Memory is the budget that the loops of a process share. A loop may use what the
// others leave, and at least an equal part. Any goroutine may ask.
type Memory struct {
	mu    sync.Mutex
	total int64
	used  map[*Loop]int64
}

// NewMemory returns a budget of so many bytes.
func NewMemory(bytes int64) *Memory { return &Memory{total: bytes, used: map[*Loop]int64{}} }

// room notes what a loop uses, and returns what it may use.
func (m *Memory) room(l *Loop, used int64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used[l] = used
	room := m.total
	for other, used := range m.used {
		if other != l {
			room -= used
		}
	}
	return max(room, m.total/int64(len(m.used)))
}

// leave takes a loop out that is used no more.
func (m *Memory) leave(l *Loop) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.used, l)
}

// Close gives back the loop's part of the memory. It must not be used any more.
func (l *Loop) Close() {
	if l.o.Memory != nil {
		l.o.Memory.leave(l)
	}
}

// budget tells the machines what they may use now.
func (l *Loop) budget() {
	if l.o.Memory != nil {
		l.sites.SetBudget(l.o.Memory.room(l, l.sites.Used()))
	}
}

// sharePrefix begins the key of an act by which a site's window was cut; the site
// follows.
const sharePrefix = "share:"

// share is the value of such an act: all cuts of the site that hold.
type share struct {
	Version int         `json:"v"`
	Cuts    []table.Cut `json:"cuts"`
}

const shareVersion = 1

// noteCuts notes the machines whose windows have been cut.
func (l *Loop) noteCuts() {
	for _, m := range l.sites.TakeCut() {
		l.cut[m], l.touched[m] = true, true
	}
}

// shares are the acts by which windows were cut: those not yet saved, or all.
func (l *Loop) shares(all bool) (acts []journal.Act) {
	for m := range l.sites.Held() {
		if cuts := m.Cuts(); l.cut[m] || all && len(cuts) > 0 {
			value, err := json.Marshal(share{shareVersion, cuts})
			if err != nil {
				panic(err) // numbers have a form
			}
			acts = append(acts, journal.Act{Key: sharePrefix + m.Site(), Value: value})
		}
	}
	return acts
}

// restoreShare cuts a window as an act says; false if the act is another. One that
// cannot be read is told and passed over: without it the window is cut anew.
func (l *Loop) restoreShare(a journal.Act) bool {
	site, is := strings.CutPrefix(a.Key, sharePrefix)
	if !is {
		return false
	}
	var s share
	err := json.Unmarshal(a.Value, &s)
	if err == nil && s.Version != shareVersion {
		err = fmt.Errorf("version %d, want %d", s.Version, shareVersion)
	}
	if err != nil {
		l.fail("read the share of site "+strconv.Quote(site), err)
		return true
	}
	l.sites.Restore(site, s.Cuts)
	return true
}

// Shed is what was left out for want of memory, since the start.
type Shed struct {
	URLs         int   // that went from the windows, as the sites took more than their shares of the memory
	Sites        int   // whose windows were so cut
	Hits         int   // on URLs that had been left out, at least
	Beyond       int   // hits on sites beyond MaxSites
	Used, Budget int64 // bytes
}

// shedEvery is how often what was shed is told, if it has become more.
const shedEvery = time.Hour

// tellShed tells what was shed, if it has become more and was not told lately.
func (l *Loop) tellShed() {
	s := Shed{Hits: l.status.Shed, Beyond: l.sites.Beyond(), Used: l.sites.Used()}
	if l.o.Memory != nil {
		s.Budget = l.o.Memory.total
	}
	for m := range l.sites.Held() {
		if n := m.CutURLs(); n > 0 {
			s.URLs, s.Sites = s.URLs+n, s.Sites+1
		}
	}
	more := s.URLs > l.shed.URLs || s.Hits > l.shed.Hits || s.Beyond > l.shed.Beyond
	if l.o.Shed == nil || !more || !l.shedTold.IsZero() && time.Since(l.shedTold) < shedEvery {
		return
	}
	l.shed, l.shedTold = s, time.Now()
	l.o.Shed(s)
}

// drop forgets a machine that has gone.
func (l *Loop) drop(m *miner.Machine) {
	delete(l.touched, m)
	delete(l.cut, m)
	delete(l.lists, m)
	delete(l.told, m.Site())
}
