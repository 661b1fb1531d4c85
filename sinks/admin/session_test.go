package admin

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A session ends by itself, and when the browser logs out: its cookie is good for nothing then,
// and its streams end. The sessions of other browsers go on.
func TestSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, d := behind(t, show(fixed{published: published(1, "one")}), false)
		one, two := logIn(t, h), logIn(t, h)
		if one.Value == two.Value || strings.Contains(one.Value, theToken) || len(one.Value) < 26 {
			t.Fatalf("cookies %q and %q", one.Value, two.Value)
		}
		code := func(c *http.Cookie) int {
			return send(t, h, http.MethodGet, "/metrics", "", "Cookie", c.Name+"="+c.Value).Code
		}
		streamed := make(chan struct{})
		go func() {
			defer close(streamed)
			p, _ := d.sessions.find(one.Value)
			<-p.held.Done()
		}()
		synctest.Wait()
		send(t, h, http.MethodPost, "/logout", "", "Cookie", one.Name+"="+one.Value)
		<-streamed
		if code(one) != http.StatusUnauthorized || code(two) != http.StatusOK {
			t.Errorf("after one has logged out: %d and %d", code(one), code(two))
		}
		time.Sleep(sessionTime - time.Second)
		if code(two) != http.StatusOK {
			t.Error("ended before its time")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if code(two) != http.StatusUnauthorized || d.sessions.open.Len() != 0 {
			t.Errorf("after its time: %d, %d sessions", code(two), d.sessions.open.Len())
		}
	})
}

// Sessions are bounded: the one that was used longest ago makes room.
func TestSessionsAreBounded(t *testing.T) {
	s := newSessions()
	held, end := context.WithCancel(t.Context())
	defer end()
	all := &token{pass: pass{Read, held}}
	first, second := s.begin(all), s.begin(all)
	kept, _ := s.find(second)
	for range mostSessions - 2 {
		s.begin(all)
	}
	if _, ok := s.find(first); !ok {
		t.Error("ended too soon")
	}
	s.begin(all)
	if _, ok := s.find(first); !ok {
		t.Error("the one in use has ended")
	}
	if _, ok := s.find(second); ok || kept.held.Err() == nil || s.open.Len() != mostSessions {
		t.Errorf("%d sessions", s.open.Len())
	}
}

// Daemons on two ports of a host have cookies of different names, since browsers send both to
// each. The port is that of the browser's request.
func TestCookiesOfPorts(t *testing.T) {
	h, _ := behind(t, show(fixed{}), false)
	for _, test := range []struct{ host, want string }{{"10.0.0.1:9464", "dustbuster-9464"}, {"10.0.0.1:80", "dustbuster-80"}, {"[::1]:7", "dustbuster-7"}, {"10.0.0.1", "dustbuster-9464"}, {"localhost:99999", "dustbuster-9464"}, {"localhost:", "dustbuster-9464"}} {
		c := logIn(t, h, "Host", test.host)
		if c.Name != test.want {
			t.Errorf("%s: %s", test.host, c.Name)
		}
		if w := send(t, h, http.MethodGet, "/metrics", "", "Host", test.host, "Cookie", "dustbuster-1=other; "+c.Name+"="+c.Value); w.Code != http.StatusOK {
			t.Errorf("%s: %d", test.host, w.Code)
		}
	}
}
