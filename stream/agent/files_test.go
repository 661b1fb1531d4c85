package agent

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/window/admit"
	"dustbuster/stream/files"
	"dustbuster/stream/journal"
	"dustbuster/stream/kafka"
	"dustbuster/stream/records"
)

var must = expect.NoError

// finished writes logs: a plain one, one packed by gzip, one whose columns change in the middle, and
// the index of a crawl.
func finished(t *testing.T, rng *rand.Rand) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	add := func(name string, data []byte) {
		paths = append(paths, filepath.Join(dir, name))
		must(t, os.WriteFile(paths[len(paths)-1], data, 0o600))
	}
	combined := func(n int) []byte {
		var b bytes.Buffer
		for range n {
			fmt.Fprintf(&b, `10.0.0.%d - - [02/Jan/2024:%02d:00:00 +0000] "GET /page?id=%d HTTP/1.1" 200 %d "-" "Mozilla/5.0"`+"\n", rng.IntN(9), rng.IntN(24), rng.IntN(2000), 1+rng.IntN(9))
		}
		return b.Bytes()
	}
	add("a.log", combined(4000))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(combined(4000))
	must(t, errors.Join(err, z.Close()))
	add("b.log.gz", packed.Bytes())
	var columns bytes.Buffer
	for i := range 4000 {
		if i%1500 == 0 {
			fmt.Fprintf(&columns, "#Software: Microsoft Internet Information Services 10.0\n#Version: 1.0\n#Date: 2024-01-02 10:00:00\n#Fields: date time %s\n",
				[]string{"cs-method cs-uri-stem sc-status sc-bytes", "cs-uri-stem cs-method sc-bytes sc-status"}[i/1500%2])
		}
		stem, size := fmt.Sprintf("/doc%d", rng.IntN(2000)), 200+rng.IntN(9)
		if i/1500%2 == 0 {
			fmt.Fprintf(&columns, "2024-01-02 10:00:00 GET %s 200 %d\n", stem, size)
		} else {
			fmt.Fprintf(&columns, "2024-01-02 10:00:00 %s GET %d 200\n", stem, size)
		}
	}
	add("u_ex.log", columns.Bytes())
	var crawl bytes.Buffer
	for i := range 3000 {
		fmt.Fprintf(&crawl, `org,example)/%d 20240102100000 {"url": "http://example.org/%d", "status": "200", "mime": "text/html", "digest": "%032d", "length": "%d"}`+"\n", i, i, rng.IntN(9), 500+rng.IntN(9))
	}
	add("crawl.cdxj", crawl.Bytes())
	return paths
}

// sendFiles runs an agent on finished logs, with the state in a directory. It returns what was whole
// before, and whether all is now.
func sendFiles(t *testing.T, ctx context.Context, to Producer, dir string, id kafka.TopicID, paths ...string) (whole int, anew, all bool, err error) {
	t.Helper()
	logs, err := files.Open(paths, files.Options{BatchSize: 8 << 10, MaxLine: 1 << 10})
	must(t, err)
	j, err := journal.Open(journal.Options{Dir: dir, Pane: 7200})
	must(t, err)
	defer j.Close()
	f, anew, err := OpenFiles(logs, records.Options{Admit: admit.Defaults()}, j, "observations", id)
	must(t, err)
	defer f.Close()
	whole = f.Whole()
	o := options
	o.MaxBytes, o.Entries = 60_000, 500
	if err = newAgent(t, o, to).Run(ctx, f); err == nil && ctx.Err() == nil {
		all, err = f.Finish()
	}
	return whole, anew, all, err
}

// However often agents of finished logs end, in order or not, and are started again on the same
// state, the table built from the topic is that of all lines, and at the end nothing is left to send.
func TestFiles(t *testing.T) {
	paths := finished(t, rand.New(rand.NewPCG(1, 1)))
	var want string
	synctest.Test(t, func(t *testing.T) {
		to := newCluster(rand.New(rand.NewPCG(1, 2)))
		_, _, _, err := sendFiles(t, t.Context(), to, t.TempDir(), kafka.TopicID{}, paths...)
		must(t, err)
		want = to.fold(t)
		for _, part := range []string{"/page?id=", "/doc1", "example.org /1"} {
			if !strings.Contains(want, part) {
				t.Fatalf("no %s in %.200s", part, want)
			}
		}
	})
	resumed := 0
	for seed := range uint64(15) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			to, dir := newCluster(rand.New(rand.NewPCG(seed, 2))), t.TempDir()
			for range 1 + rng.IntN(5) {
				to.hang = rng.IntN(4) == 0
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(5000))*time.Millisecond)
				whole, _, _, err := sendFiles(t, ctx, to, dir, kafka.TopicID{1}, paths...)
				cancel()
				if err != nil && !errors.Is(err, ErrUndelivered) {
					t.Errorf("seed %d: %v", seed, err)
				}
				if whole > 0 && whole < len(paths) {
					resumed++
				}
			}
			to.hang = false
			if _, _, all, err := sendFiles(t, t.Context(), to, dir, kafka.TopicID{1}, paths...); !all || err != nil {
				t.Errorf("seed %d: all %v, %v", seed, all, err)
			}
			if got := to.fold(t); got != want {
				t.Errorf("seed %d: the topic has what the lines have not: %s; and not: %s", seed, without(got, want), without(want, got))
			}
		})
	}
	if resumed < 8 {
		t.Errorf("only %d runs began in the middle", resumed)
	}
}

// without are the lines of a text that another lacks.
func without(text, other string) []string {
	return slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.Contains(other, line) })
}

// What was sent whole is not read again, unless the file has changed, could not be read to its end,
// or the topic is another one.
func TestFilesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		paths, dir := finished(t, rand.New(rand.NewPCG(1, 1))), t.TempDir()
		bad := paths[1]
		data, err := os.ReadFile(bad)
		must(t, err)
		must(t, os.WriteFile(bad, data[:len(data)/2], 0o600))
		to := newCluster(rand.New(rand.NewPCG(1, 2)))
		for _, c := range []struct {
			change    func()
			id        byte
			whole     int
			anew, all bool
		}{
			{func() {}, 1, 0, false, false},
			{func() {}, 1, 3, false, false},
			{func() { must(t, os.Remove(bad)); paths = append(paths[:1], paths[2:]...) }, 1, 3, false, true},
			{func() { must(t, os.WriteFile(paths[0], data, 0o600)) }, 1, 2, false, true},
			{func() {}, 2, 0, true, true},
			{func() {}, 0, 3, false, true}, // an older broker gives no id
		} {
			c.change()
			whole, anew, all, err := sendFiles(t, t.Context(), to, dir, kafka.TopicID{c.id}, paths...)
			if whole != c.whole || anew != c.anew || all != c.all || err != nil {
				t.Errorf("id %d: %d files whole before, anew %v, all %v, %v; want %+v", c.id, whole, anew, all, err, c)
			}
		}
	})
}

// Once a source has ended, an agent waits for brokers for as long as it takes.
func TestEndWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source, to := newLogs(rand.New(rand.NewPCG(3, 3)), 1, 1), &late{time.Hour}
		source.files[0] = randomHits(rand.New(rand.NewPCG(3, 4)), 10)
		source.open()
		must(t, newAgent(t, options, to).Run(t.Context(), source))
		if source.committed[0] != 10 {
			t.Errorf("%d lines committed", source.committed[0])
		}
	})
}

// late answers late.
type late struct{ by time.Duration }

func (l *late) Produce(ctx context.Context, _ string, _ int, _ []kafka.Record) error {
	select {
	case <-time.After(l.by):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
