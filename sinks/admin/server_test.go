package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// serve opens a server on a free port. At its end, Serve and Shutdown have returned nil.
func serve(t *testing.T, o Options, s State) (server *Server, url string) {
	t.Helper()
	o.Listen = "127.0.0.1:0"
	server, err := Open(o, s)
	must(t, err)
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	t.Cleanup(func() {
		if err := errors.Join(server.server.Close(), <-served); err != nil {
			t.Error(err)
		}
	})
	return server, "http://" + server.Addr().String()
}

// request sends a request over the network. The caller closes the body.
func request(t *testing.T, url string, header ...string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	must(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	must(t, err)
	return answer
}

// ask is request, whose error may be what is expected.
func ask(t *testing.T, url string) (int, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(body), err
}

func TestServe(t *testing.T) {
	server, url := serve(t, Options{}, show(full()))
	if code, body, err := ask(t, url+"/healthz"); err != nil || code != http.StatusOK || body != "ok\n" {
		t.Errorf("%v, %d, %q", err, code, body)
	}
	if err := server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if _, _, err := ask(t, url+"/healthz"); err == nil {
		t.Error("answered after Shutdown")
	}
}

// A listener is also closed if Serve was never called.
func TestShutdownBeforeServe(t *testing.T) {
	var again *Server
	for tries := 0; again == nil; tries++ {
		server, err := Open(Options{Listen: "localhost:0"}, show(fixed{}))
		must(t, err)
		if err := server.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := server.Serve(); err != nil {
			t.Error(err)
		}
		again, err = Open(Options{Listen: server.Addr().String()}, show(fixed{}))
		if err != nil && tries == 5 { // once or twice another process may have been quicker
			t.Fatal(err)
		}
	}
	if err := again.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0"} {
		if _, err := Open(Options{Listen: address}, show(fixed{})); !errors.Is(err, ErrNoToken) || !strings.Contains(err.Error(), fmt.Sprintf("%q", address)) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"", "127.0.0.1", "127.0.0.1:port", "no.such.host.invalid:0"} {
		if s, err := Open(Options{Listen: address}, show(fixed{})); err == nil {
			t.Errorf("%q: listens on %v", address, s.Addr())
		}
	}
	s, err := Open(Options{Listen: "0.0.0.0:0", Tokens: Tokens{Report: tokenFile(t, theToken, 0o600)}}, show(fixed{}))
	must(t, err)
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestOpenTaken(t *testing.T) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	if _, err := Open(Options{Listen: l.Addr().String()}, show(fixed{})); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("error %v", err)
	}
}

// slow is a state with slow methods.
type slow struct {
	*shown
	asked   chan struct{}
	proceed chan struct{}
}

func (s *slow) Healthy() error {
	close(s.asked)
	<-s.proceed
	return nil
}

// Shutdown waits for requests at hand, but not beyond its context.
func TestShutdownWaits(t *testing.T) {
	for _, patient := range []bool{true, false} {
		s := &slow{show(fixed{}), make(chan struct{}), make(chan struct{})}
		server, url := serve(t, Options{}, s)
		answered := make(chan error, 1)
		go func() {
			_, body, err := ask(t, url+"/healthz")
			if err == nil && body != "ok\n" {
				err = fmt.Errorf("got %q", body)
			}
			answered <- err
		}()
		<-s.asked
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if patient {
			close(s.proceed)
		} else {
			cancel()
		}
		err := server.Shutdown(ctx)
		cancel()
		if got := <-answered; (err == nil) != patient || (got == nil) != patient || !patient && !errors.Is(err, context.Canceled) {
			t.Errorf("patient %v: shutdown %v, answer %v", patient, err, got)
		}
		if !patient {
			close(s.proceed)
		}
	}
}

// A profile of ten minutes does not hold up the end.
func TestShutdownEndsProfiles(t *testing.T) {
	server, url := serve(t, Options{}, show(fixed{}))
	answered := make(chan int, 1)
	go func() {
		code, _, err := ask(t, url+"/debug/pprof/profile?seconds=600")
		if err != nil {
			t.Error(err)
		}
		answered <- code
	}()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		_, body, err := ask(t, url+"/debug/pprof/goroutine?debug=1")
		if strings.Contains(body, "pprof.Profile") {
			break
		}
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("no profile is being made: %v", err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if code := <-answered; code != http.StatusOK {
		t.Errorf("profile: %d", code)
	}
}

func TestHeaderIsBounded(t *testing.T) {
	_, url := serve(t, Options{}, show(fixed{}))
	code, _, err := ask(t, url+"/healthz?"+strings.Repeat("x", 4*maxHeader))
	if err == nil && code != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("answered %d", code)
	}
}

// All data may be read while the state is swapped.
func TestConcurrently(t *testing.T) {
	s := show(full())
	_, url := serve(t, Options{}, s)
	stop := make(chan struct{})
	var swapping, asking sync.WaitGroup
	swapping.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
				next := full()
				next.rules = next.rules[:n%4]
				s.at.Store(&next)
				time.Sleep(time.Millisecond)
			}
		}
	})
	for _, path := range []string{"/metrics", "/api/v1/rules", "/api/v1/rules?site=a.example", "/api/v1/status", "/readyz", "/healthz"} {
		asking.Go(func() {
			for range 30 {
				if code, _, err := ask(t, url+path); err != nil || code != http.StatusOK {
					t.Errorf("%s: %d, %v", path, code, err)
				}
			}
		})
	}
	asking.Wait()
	close(stop)
	swapping.Wait()
}
