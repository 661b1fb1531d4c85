package release

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// site is a small site. Each story has a page of its own, whose text does not depend on the
// parameter ref.
type site struct {
	*httptest.Server
	mu     sync.Mutex
	agents map[string]int // requests, by user agent
}

func newSite(t *testing.T) *site {
	s := &site{agents: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.agents[r.UserAgent()]++
		s.mu.Unlock()
		if r.URL.Path != "/story" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, page(r.URL.Query().Get("id")))
	}))
	t.Cleanup(s.Close)
	return s
}

func page(id string) string {
	seed := fnv.New64a()
	seed.Write([]byte(id)) //nolint:errcheck // never fails
	random := rand.New(rand.NewPCG(seed.Sum64(), 0))
	var b strings.Builder
	for range 300 + random.IntN(300) {
		fmt.Fprintf(&b, "%s%x ", "w", random.IntN(1<<20))
	}
	return "<html><body><p>" + b.String() + "</p></body></html>"
}

// accessLog returns lines of the site: 200 stories, 60 of which are asked for with ref as well.
func accessLog() string {
	var b strings.Builder
	now := time.Now().UTC().Format("02/Jan/2006:15:04:05 -0700")
	for id := range 200 {
		urls := []string{fmt.Sprintf("/story?id=%d", id)}
		if id < 60 {
			urls = append(urls, fmt.Sprintf("/story?id=%d&ref=%d", id, id%3))
		}
		for i, url := range urls {
			fmt.Fprintf(&b, "192.0.2.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", id%200+i, now, url, len(page(fmt.Sprint(id))))
		}
	}
	return b.String()
}
