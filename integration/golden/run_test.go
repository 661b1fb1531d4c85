package golden_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/config"
	"dustbuster/internal/expect"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule/event"
	"dustbuster/stream/checkpoint"
	"dustbuster/stream/fetch"
	"dustbuster/stream/files"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"
	"dustbuster/stream/records"
)

// streams are what a process does, each stream in its own order.
type streams struct {
	mu   sync.Mutex
	from time.Time
	all  map[string][]string
}

// names of the streams.
const (
	requests = "requests"
	acts     = "acts"
	events   = "events"
	lists    = "lists"
)

// add adds a line. An act is saved with the next checkpoint, so its line has no time of its own. The others begin
// with the seconds since the start of the process.
func (s *streams) add(stream, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stream != acts {
		line = fmt.Sprintf("%d %s", int(time.Since(s.from).Seconds()), line)
	}
	s.all[stream] = append(s.all[stream], line)
}

func (s *streams) Emit(_ context.Context, all []event.Event) error {
	for i := range all {
		line, err := event.Append(nil, &all[i])
		if err != nil {
			return err
		}
		s.add(events, strings.TrimSpace(string(line)))
	}
	return nil
}

func (s *streams) Publish(_ context.Context, rules jsonl.List) error {
	var b strings.Builder
	for one := range rules.All() {
		line, err := json.Marshal(one)
		if err != nil {
			return err
		}
		b.Write(append(line, ' '))
	}
	s.add(lists, b.String())
	return nil
}

// The state is kept nowhere, but its acts are a stream.
func (s *streams) Load() iter.Seq2[checkpoint.Change, error] {
	return func(func(checkpoint.Change, error) bool) {}
}
func (s *streams) Bloated() bool                { return false }
func (s *streams) Size() (now, compacted int64) { return 0, 0 }

func (s *streams) Compact(all iter.Seq[checkpoint.Change]) error { return s.Save(all) }

func (s *streams) Save(changes iter.Seq[checkpoint.Change]) error {
	for change := range changes {
		if act, is := change.(checkpoint.Act); is {
			s.add(acts, string(act.Encode()))
		}
	}
	return nil
}

// How long a process runs, and when the log has its later lines.
const (
	runs    = 5 * time.Hour
	laterAt = 2 * time.Hour

	betweenTicks = 1234 * time.Millisecond // what comes from outside comes at no tick of the process
)

// live runs the process of a site in the bubble of the test, and returns what it does.
func live(t *testing.T, m *made) *streams {
	t.Helper()
	s := &streams{from: time.Now(), all: map[string][]string{}}
	c := config.Defaults()
	c.Site.Host, c.Validate.Budget, c.Validate.Origin = siteName, 150, "http://192.0.2.80"
	c.Validate.Private = []string{"192.0.2.0/24"}
	c.Validate.PublishInterval, c.Validate.LevelInterval, c.Validate.RecheckInterval = 10*time.Minute, 20*time.Minute, time.Hour
	c.Pace.RefineInterval, c.Pace.CheckpointInterval = 30*time.Second, 10*time.Second
	key := [2]uint64{1, 2}
	worker := newWorker(t, &c, key, m, s)
	l := loop.New(loop.Options{Validate: worker, Miner: c.Miner(key), MaxSites: 10, MaxClockSkew: time.Hour,
		Pace: loop.Pace{Refine: c.Pace.RefineInterval, Learn: c.Pace.LearnInterval, Checkpoint: c.Pace.CheckpointInterval, FlushTimeout: time.Minute}}, s, s, s)
	_, err := l.Restore()
	expect.NoError(t, err)
	source := openLog(t, &c, key, m)
	defer source.Close() //nolint:errcheck // standard input
	ctx, stop := context.WithTimeout(t.Context(), runs)
	defer stop()
	for _, d := range m.people {
		time.AfterFunc(d.at+betweenTicks, func() {
			if err := d.do(worker); err != nil {
				t.Errorf("after %v: %v", d.at, err)
			}
		})
	}
	expect.NoError(t, l.Run(ctx, source))
	worker.Close()
	expect.NoError(t, l.Save(source))
	l.Close()
	return s
}

// newWorker returns a worker whose requests the site's server answers.
func newWorker(t *testing.T, c *config.Config, key [2]uint64, m *made, s *streams) *prober.Worker {
	t.Helper()
	o := c.Fetch()
	o.Version, o.Digest = "0", prober.Digest
	o.Trace = func(e fetch.Event) {
		s.add(requests, fmt.Sprintf("%v %s %d %s %s", e.Kind, e.URL, e.Status, e.Purpose, e.Reason))
	}
	o.Dial = func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go m.answer(far)
		return near, nil
	}
	f, err := fetch.New(o)
	expect.NoError(t, err)
	named, err := c.Ours(false)
	expect.NoError(t, err)
	return prober.New(prober.Options{Lifecycle: c.Lifecycle(key), Fetcher: f, Reserve: c.Validate.Budget / 4,
		Turns:    prober.NewTurns(f, prober.TurnsOptions{Views: 64 << 20, Rate: o.Rate, OriginDelay: o.Delay}),
		Evidence: prober.NewEvidence(), Ours: named, Under: f.Under})
}

// answer serves the one request of a connection.
func (m *made) answer(conn net.Conn) {
	defer conn.Close()
	q, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	w := httptest.NewRecorder()
	switch {
	case q.URL.Path == "/robots.txt" && m.robots == "":
		w.WriteHeader(http.StatusNotFound)
	case q.URL.Path == "/robots.txt":
		_, _ = io.WriteString(w, m.robots)
	case q.URL.Path == "/login":
		_, _ = io.WriteString(w, textOf("login"))
	default:
		m.serve(w, q)
	}
	time.Sleep(20 * time.Millisecond)
	answer := w.Result()
	answer.ContentLength, answer.Close = int64(w.Body.Len()), true
	_ = answer.Write(conn)
}

// log is the log of a site as a source of a loop: its lines, the later lines at their time, and no end.
type log struct {
	c     *config.Config
	key   [2]uint64
	m     *made
	begun time.Time
	parts int // opened
	now   *records.Reader
}

func openLog(t *testing.T, c *config.Config, key [2]uint64, m *made) *log {
	t.Helper()
	l := &log{c: c, key: key, m: m, begun: time.Now()}
	expect.NoError(t, l.open(lines(m, m.public, m.private)))
	return l
}

// open begins a part of the log.
func (l *log) open(text []byte) error {
	l.parts++
	opened, err := files.Open([]string{"-"}, files.Options{Stdin: bytes.NewReader(text)})
	if err != nil {
		return err
	}
	o := l.c.Records(config.Input{}, l.key)
	o.Format = "combined"
	l.now, err = records.New(opened, o)
	return err
}

func (l *log) Read(ctx context.Context) (*records.Batch, error) {
	for {
		b, err := l.now.Read(ctx)
		if !errors.Is(err, io.EOF) {
			return b, err
		}
		wait := laterAt + betweenTicks - time.Since(l.begun)
		if l.parts > 1 || len(l.m.later) == 0 {
			wait = runs * 2
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if err := errors.Join(l.now.Close(), l.open(lines(l.m, l.m.later, nil))); err != nil {
			return nil, err
		}
	}
}

func (l *log) CaughtUp(int64) bool                        { return true }
func (l *log) Positions(map[uint64]int64) ([]byte, error) { return nil, nil }
func (l *log) Close() error                               { return l.now.Close() }

// lines are the lines of targets: each public one by three clients, each private one by one.
func lines(m *made, public, private []string) []byte {
	var b strings.Builder
	line := func(i int, client, target string) {
		at := time.Now().Add(time.Duration(i) * time.Millisecond)
		fmt.Fprintf(&b, "%s - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", client, at.Format("02/Jan/2006:15:04:05 -0700"), target, m.sizeOf(target))
	}
	for i, target := range public {
		for client := range 3 {
			line(i, fmt.Sprintf("198.51.%d.%d", 1+client*50+i%40, 7), target)
		}
	}
	for i, target := range private {
		line(i, fmt.Sprintf("203.0.%d.%d", 1+i, 9), target)
	}
	return []byte(b.String())
}
