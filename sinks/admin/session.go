package admin

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// sessionTime is for how long a browser that has logged in is let in.
const sessionTime = 12 * time.Hour

// mostSessions bounds the sessions. One more ends the session that was used longest ago.
const mostSessions = 1024

// sessions are the sessions of browsers, by the value of the cookie, which is random. Sessions
// are kept in memory, so none outlives the program.
type sessions struct {
	mu   sync.Mutex
	open *lru.LRU[string, session]
}

// session is the pass of a browser. Its pass ends with the session, and when another token
// replaces the token that the browser has shown.
type session struct {
	pass
	end context.CancelFunc
}

func newSessions() *sessions {
	open, err := lru.NewLRU(mostSessions, func(_ string, s session) { s.end() })
	if err != nil {
		panic(err) // its size is positive
	}
	return &sessions{open: open}
}

// begin begins the session of a browser that has shown a token.
func (s *sessions) begin(t *token) (value string) {
	held, end := context.WithTimeout(t.held, sessionTime)
	value = rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open.Add(value, session{pass{t.roles, held}, end})
	return value
}

// find returns the pass of a session. ok is false if there is no such session any more.
func (s *sessions) find(value string) (p pass, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.open.Get(value)
	if ok && found.held.Err() != nil {
		ok = !s.open.Remove(value)
	}
	return found.pass, ok
}

// end ends a session, and the streams of its browser.
func (s *sessions) end(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open.Remove(value)
}
