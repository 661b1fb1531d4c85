package browser

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// read behaves like a page that is open in a browser, until ctx ends: it loads the page whenever
// the stream says that the state has changed. loads counts the answers, those that say that the page is the same too.
func (d *daemon) read(ctx context.Context, from string) (loads int, err error) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}} // streams are limited by address
	client := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext}}
	get := func(path, tag string) (*http.Response, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+path, nil)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Accept", "text/html")
		r.Header.Set("If-None-Match", tag)
		return client.Do(r)
	}
	stream, err := get("api/v1/changes?rules=no", "")
	if err != nil {
		return 0, err
	}
	defer stream.Body.Close()
	if stream.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("stream: %s", stream.Status)
	}
	tag := ""
	for in := bufio.NewScanner(stream.Body); in.Scan(); {
		if !strings.HasPrefix(in.Text(), "data:") {
			continue
		}
		time.Sleep(1100 * time.Millisecond)
		page, err := get("", tag)
		if err != nil {
			return loads, err
		}
		if _, err = io.Copy(io.Discard, page.Body); err != nil {
			return loads, err
		}
		page.Body.Close()
		loads++
		tag = page.Header.Get("ETag")
	}
	return loads, ctx.Err()
}

// cpu returns the processor time that the daemon has taken.
func (d *daemon) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", d.cmd.Process.Pid))
	if err != nil {
		d.t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')'):]))
	ticks := 0
	for _, f := range fields[12:14] { // utime and stime
		n, err := strconv.Atoi(f)
		if err != nil {
			d.t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// BenchmarkReaders measures a daemon of 10,000 sites while overviews are open: the time for a
// line of a log that grows by 600,000 lines at once, and the daemon's processor time while the
// log grows by 1,000 lines a second.
func BenchmarkReaders(b *testing.B) {
	lines := vhosts(10_000, 0)
	few := strings.Join(strings.SplitAfterN(lines, "\n", 101)[:100], "")
	for _, readers := range []int{0, 64} {
		b.Run(fmt.Sprint(readers), func(b *testing.B) {
			d := start(b, lines, "--format", vhostFormat, "--max-sites", "20000", "--no-withhold", "--checkpoint-interval", "1s", "--refine-interval", "10s")
			d.await("sites", func(s *status) bool { return s.CaughtUp && len(s.Sites) == 10_000 })
			ctx, stop := context.WithCancel(b.Context())
			var open sync.WaitGroup
			var loads sync.Map
			for i := range readers {
				open.Go(func() {
					n, err := d.read(ctx, fmt.Sprintf("127.0.0.%d", 2+i%32))
					if ctx.Err() == nil {
						b.Error(err)
					}
					loads.Store(i, n)
				})
			}
			time.Sleep(3 * time.Second)
			all := 30_000
			for b.Loop() {
				d.write(strings.Repeat(lines, 20))
				all += 600_000
				d.await("lines", func(s *status) bool { return s.Lines.All >= all })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/600_000, "ns/line")
			const span = 15 * time.Second
			before := d.cpu()
			for begun := time.Now(); time.Since(begun) < span; time.Sleep(100 * time.Millisecond) {
				d.write(few)
			}
			b.ReportMetric(float64((d.cpu()-before).Milliseconds())/span.Seconds(), "cpu-ms/s")
			stop()
			open.Wait()
			sum := 0
			loads.Range(func(_, n any) bool { sum += n.(int); return true })
			b.ReportMetric(float64(sum), "answers")
		})
	}
}
