package integration

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

var replay = flag.Duration("replay", 3*time.Second, "how long real logs are replayed to the daemon, at full speed")

// round is how much event time one pass over the logs takes: the window of 24
// hours moves on all the time.
const round = 6 * time.Hour

// replayed is a real log that is written again and again, and rotated.
type replayed struct {
	path    string
	lines   [][]byte // before and after the time, in turn
	written int64    // bytes
	count   int
}

func newReplayed(t *testing.T, path string, log string) *replayed {
	t.Helper()
	r := &replayed{path: log}
	for _, line := range logLines(t, path) {
		open := bytes.IndexByte(line, '[')
		end := bytes.IndexByte(line, ']')
		if open > 0 && end > open {
			r.lines = append(r.lines, line[:open+1], line[end:])
		}
	}
	return r
}

// pass writes all lines with times of a round, in pieces, and rotates: the last
// three generations stay.
func (r *replayed) pass(t *testing.T, from time.Time) {
	t.Helper()
	for i := 3; i >= 0; i-- {
		old := fmt.Sprintf("%s.%d", r.path, i)
		if i == 0 {
			old = r.path
		}
		if err := os.Rename(old, fmt.Sprintf("%s.%d", r.path, i+1)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	must(t, err)
	defer f.Close()
	var out bytes.Buffer
	flush := func() {
		r.written += int64(out.Len())
		if _, err := out.WriteTo(f); err != nil {
			t.Fatal(err)
		}
	}
	n, when := len(r.lines)/2, ""
	for i := range n {
		if i%1000 == 0 {
			when = from.Add(round * time.Duration(i) / time.Duration(n)).Format("02/Jan/2006:15:04:05 -0700")
			flush()
		}
		out.Write(r.lines[2*i])
		out.WriteString(when)
		out.Write(r.lines[2*i+1])
	}
	flush()
	r.count += n
}

// usage is what a process has: resident megabytes and open descriptors.
func usage(t *testing.T, pid int) (megabytes, descriptors int) {
	t.Helper()
	text := string(readFile(t, fmt.Sprintf("/proc/%d/statm", pid)))
	pages, err := strconv.Atoi(strings.Fields(text)[1])
	must(t, err)
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	must(t, err)
	return pages * os.Getpagesize() >> 20, len(open)
}

// Real logs in a loop, at full speed, with rotation and a window that moves: no
// line is lost, and neither memory nor descriptors grow. Then the time from a
// line written to its event, on the table as it is.
func TestReplay(t *testing.T) {
	data := dataFolder(t)
	dir := t.TempDir()
	admin := freeAddress(t)
	config := "write: {withhold: false}\nkeep: {state: " + filepath.Join(dir, "state") + "}\nadmin: {listen: \"" + admin + "\"}\nread:\n  inputs:\n"
	var logs []*replayed
	for _, c := range []struct{ name, path string }{{"bplogs", "logs/bplogs.log.gz"}, {"docs", "sites/docs/access.log.gz"}, {"gitweb", "sites/gitweb/access.log.gz"}} {
		r := newReplayed(t, filepath.Join(data, c.path), filepath.Join(dir, c.name+".log"))
		logs = append(logs, r)
		config += fmt.Sprintf("    - {paths: [%s], site: %s}\n", r.path, c.name)
	}
	writeFile(t, filepath.Join(dir, "dustbuster.yml"), []byte(config))
	d := begin(t, "the daemon", exec.Command(program, "run", filepath.Join(dir, "dustbuster.yml")))
	d.admin = admin

	begin, now, report := time.Now(), time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), time.Now()
	var written int64
	count, passes := 0, 0
	for ; time.Since(begin) < *replay || passes < 6; passes++ {
		written, count = 0, 0
		for _, r := range logs {
			r.pass(t, now)
			written, count = written+r.written, count+r.count
		}
		now = now.Add(round)
		await(t, patience, "bytes read", func() (status, bool) { s, _ := d.status(t); return s, s.Tail.Bytes >= written-64<<20 }) // so far behind it may be
		megabytes, descriptors := usage(t, d.pid())
		if time.Since(report) > *replay/20 {
			report = time.Now()
			t.Logf("after %4.0f s: %4d passes, %9d lines, %3d MB resident, %d descriptors", time.Since(begin).Seconds(), passes+1, count, megabytes, descriptors)
		}
	}
	s, _ := expect.Poll(patience, func() (status, bool) { s, _ := d.status(t); return s, s.Lines["all"] >= count })
	took := time.Since(begin)
	if s.Lines["all"] != count || s.Tail.Bytes != written || s.Tail.Abandoned != 0 || s.Errors != 0 {
		t.Errorf("%d lines of %d bytes written; status %+v\n%s", count, written, s, d)
	}
	t.Logf("%d lines in %.1f s: %.0f lines a second, of which the writer took a part", count, took.Seconds(), float64(count)/took.Seconds())
	await(t, patience, "few descriptors", func() (int, bool) { // a rotated file is held for ten seconds
		_, descriptors := usage(t, d.pid())
		return descriptors, descriptors <= 24
	})
	latencies(t, filepath.Join(dir, "bplogs.log"), filepath.Join(dir, "state", "events.jsonl"), now)
	d.end(t)
}

// latencies measures how long it takes from the line that makes a rule likely to
// the event in the file.
func latencies(t *testing.T, log, events string, now time.Time) {
	t.Helper()
	f, err := os.OpenFile(log, os.O_APPEND|os.O_WRONLY, 0o600)
	must(t, err)
	defer f.Close()
	var all []time.Duration
	for i := range 100 {
		line := func(form string, id int) string {
			return fmt.Sprintf("192.0.2.1 - - [%s] \"GET "+form+" HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", now.Format("02/Jan/2006:15:04:05 -0700"), i, id, i, 1000+100*id)
		}
		for id := range 3 {
			_, err := f.WriteString(line("/latency%dq/x?id=%dq%d", id))
			must(t, err)
			if id < 2 {
				_, err = f.WriteString(line("/latency%dq/x_%dq%d", id))
			}
			must(t, err)
		}
		time.Sleep(time.Duration(20+i%10) * time.Millisecond)
		start := time.Now()
		if _, err := f.WriteString(line("/latency%dq/x_%dq%d", 2)); err != nil {
			t.Fatal(err)
		}
		awaitTail(t, events, fmt.Sprintf("latency%dq", i))
		all = append(all, time.Since(start))
	}
	slices.Sort(all)
	t.Logf("from a line to its event: p50 %v, p99 %v", all[len(all)/2], all[len(all)*99/100])
}

// awaitTail waits for the end of a file to have a text.
func awaitTail(t *testing.T, path, want string) {
	t.Helper()
	await(t, patience, want+" in "+path, func() (any, bool) {
		f, err := os.Open(path)
		must(t, err)
		end := make([]byte, 64<<10)
		info, err := f.Stat()
		if err == nil {
			_, _ = f.ReadAt(end, max(0, info.Size()-int64(len(end))))
		}
		f.Close()
		return nil, bytes.Contains(end, []byte(want))
	})
}
