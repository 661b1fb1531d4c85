package records

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/window/admit"
	"dustbuster/stream/files"
	"dustbuster/stream/lines"
)

// numberedLine returns line n of a layout.
func numberedLine(layout string, n int) string {
	return map[string]string{
		"combined": fmt.Sprintf(combinedLine, n),
		"vhost":    "www.example.org:80 " + fmt.Sprintf(combinedLine, n),
		"json":     fmt.Sprintf(`{"time":"1970-01-01T00:00:07+00:00","remote_addr":"192.0.2.1","request":"GET /a?b=%d HTTP/1.1","status":"200","body_bytes_sent":5}`, n) + "\n",
		"syslog":   syslogged("nginx", strings.TrimSuffix(fmt.Sprintf(combinedLine, n), "\n")),
		"foreign":  syslogged("sshd[7]", fmt.Sprintf("Accepted key %d", n)),
		"syslogjs": syslogged("nginx", fmt.Sprintf(`{"request":"GET /a?b=%d HTTP/1.1","status":"200","body_bytes_sent":5}`, n)),
		"own":      fmt.Sprintf("%d|/a?b=%d|200|5\n", n, n),
	}[layout]
}

// ownFormat is the format of the layout own, which cannot be detected.
const ownFormat = `$skip|$request_uri|$status|$body_bytes_sent`

// follow reads a growing file in batches of size lines. It returns the output of the
// Reader, the ends of the batches, and the Reader.
func follow(t *testing.T, o Options, size int, text string) (all told, ends []int64, r *Reader) {
	t.Helper()
	var batches []*lines.Batch
	end := int64(0)
	for first := true; len(text) > 0; first = false {
		n := 0
		for i := 0; i < size && n < len(text); i++ {
			n += strings.IndexByte(text[n:], '\n') + 1 // each line has a newline
		}
		end += int64(n)
		batches = append(batches, &lines.Batch{Path: "access.log", First: first, Data: []byte(text[:n]), End: end})
		text = text[n:]
	}
	o.Live = true
	r = grow(t, o, batches...)
	all.errors = each(t, r, func(b *Batch) {
		all.add(b)
		ends = append(ends, b.End)
	})
	return all, ends, r
}

// urls returns the numbers in the records' URLs, in order.
func (all *told) urls() (numbers []int) {
	for _, r := range all.records {
		n := -1
		_, _ = fmt.Sscanf(r[strings.Index(r, "/a?b="):], "/a?b=%d", &n)
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers
}

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// A file may change its layout or have two layouts. Every line is read once, at once or
// when its format is detected, in files that grow by a line and in finished files.
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		name, first, second string
		change              int // first line of the second layout
		mixed               int // from change on, one of so many lines is of the second layout; 0: all are
		told                string
	}{
		{"two by turns", "combined", "vhost", 0, 2, ""},
		{"a few of another", "combined", "json", 0, 10, ""},
		{"a change", "combined", "vhost", 700, 0, "vhost_combined"},
		{"a change to JSON", "vhost", "json", 700, 0, "nginx_json"},
		{"a second one later", "combined", "json", 600, 3, "nginx_json"},
		{"a few of a second one later", "vhost", "combined", 600, 10, "combined"},
		{"a change to a wrapper", "combined", "syslog", 700, 0, "syslog/combined"},
		{"a change from a wrapper", "syslog", "json", 700, 0, "nginx_json"},
		{"a change in a wrapper", "syslog", "syslogjs", 700, 0, "syslog/nginx_json"},
	} {
		var text strings.Builder
		const n = 1000
		for i := range n {
			layout := c.first
			if i >= c.change && (c.mixed == 0 || i%c.mixed == 0) {
				layout = c.second
			}
			text.WriteString(numberedLine(layout, i))
		}
		for _, size := range []int{1, 500, 0} {
			var told []string
			o := Options{Detected: func(path, format string) { told = append(told, format) }}
			all := readLayouts(t, o, size, text.String())
			if got := all.urls(); !slices.Equal(got, upTo(n)) {
				t.Errorf("%s, %d lines at once: %d of %d lines read\n%+v", c.name, size, len(got), n, all.counts)
			}
			if size != 1 { // otherwise the second format may be detected early enough to replace the first
				if got := strings.Join(told, " "); got != c.told {
					t.Errorf("%s, %d lines at once: reported %q, want %q", c.name, size, got, c.told)
				}
			}
			want := Counts{Lines: n}
			want.Reasons[admit.Admitted] = n
			if final := all.counts.Final(); final != want || len(all.errors) > 0 || all.counts.Reread.All() > 200 {
				t.Errorf("%s, %d lines at once: counts %+v, errors %v", c.name, size, all.counts, all.errors)
			}
		}
	}
}

// readLayouts reads a text in batches of size lines, or, with 0, as a finished file.
func readLayouts(t *testing.T, o Options, size int, text string) told {
	t.Helper()
	if size == 0 {
		return readLogs(t, o, files.Options{BatchSize: 20_000, MaxLine: 1000}, write(t, "log", text))
	}
	all, _, _ := follow(t, o, size, text)
	return all
}

// Random sequences mix lines of two layouts and lines of no layout. Each line of the
// two layouts is read once.
func TestRandomLayouts(t *testing.T) {
	layouts := []string{"combined", "vhost", "json"}
	for seed := range uint64(30) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		rnd.Shuffle(len(layouts), func(i, j int) { layouts[i], layouts[j] = layouts[j], layouts[i] })
		var text strings.Builder
		n, odd := 0, 0
		for range 200 + rnd.IntN(1500) {
			if rnd.IntN(40) == 0 {
				fmt.Fprintf(&text, "odd %d\n", odd)
				odd++
				continue
			}
			second := rnd.IntN(2) * min(1, max(0, n-int(seed)*10)) // the second layout begins at some line
			text.WriteString(numberedLine(layouts[second], n))
			n++
		}
		all := readLayouts(t, Options{}, []int{0, 1, 50}[seed%3], text.String())
		if got := all.urls(); !slices.Equal(got, upTo(n)) {
			t.Errorf("seed %d: %d of %d lines read", seed, len(got), n)
		}
		if final := all.counts.Final(); final.Malformed+final.Unknown != odd || final.Lines != n+odd {
			t.Errorf("seed %d: %+v, want %d odd lines of %d", seed, final, odd, n+odd)
		}
	}
}

// A file of no known format is read from its start as soon as its format is detected.
func TestToldLate(t *testing.T) {
	text := "odd\nodd\nodd\n"
	for i := range 40 {
		text += numberedLine("combined", i)
	}
	for _, size := range []int{1, 5} {
		var told []string
		all, _, _ := follow(t, Options{Detected: func(_, format string) { told = append(told, format) }}, size, text)
		if got := all.urls(); !slices.Equal(got, upTo(40)) || len(told) > 1 {
			t.Errorf("%d lines at once: read %v, reported %q", size, got, told)
		}
		if final := all.counts.Final(); final.Unknown+final.Malformed != 3 || final.Lines != 43 {
			t.Errorf("%d lines at once: %+v", size, all.counts)
		}
	}
}

// Unreadable lines hold the position back: the position stays before them until later
// lines can be read, unless the unreadable lines are kept as dead letters.
func TestUnreadableLinesDoNotMoveThePosition(t *testing.T) {
	good := numberedLine("combined", 1)
	at := func(n int) int64 { return int64(n) }
	ends := func(o Options, text string) []int64 {
		t.Helper()
		_, ends, _ := follow(t, o, 1, text)
		return ends
	}
	g, odd := len(good), len("odd\n")
	for _, c := range []struct {
		name string
		o    Options
		text string
		want []int64
	}{
		{"all unknown", Options{}, "odd\nodd\nodd\n", []int64{0, 0, 0}},
		{"none of the format named", Options{Format: ownFormat}, good + good, []int64{0, 0}},
		{"odd ones between", Options{}, good + "odd\n" + good + "odd\n", []int64{at(g), 0, at(2*g + odd), 0}},
		{"blank ones after", Options{}, good + "\n" + "odd\n\n", []int64{at(g), at(g + 1), 0, 0}},
		{"dead letters", Options{DeadLetters: true}, "odd\n" + good + "odd\n", []int64{at(odd), at(g + odd), at(g + 2*odd)}},
		{"other programs' lines", Options{}, numberedLine("syslog", 1) + numberedLine("foreign", 1),
			[]int64{at(len(numberedLine("syslog", 1))), at(len(numberedLine("syslog", 1) + numberedLine("foreign", 1)))}},
	} {
		if got := ends(c.o, c.text); !slices.Equal(got[:min(len(got), len(c.want))], c.want) || len(got) != strings.Count(c.text, "\n") && len(got) != len(c.want) {
			t.Errorf("%s: ends %v, want %v", c.name, got, c.want)
		}
	}
}

// The reader reports that most of the last lines cannot be read, and that they can be
// read again.
func TestUnreadable(t *testing.T) {
	of := func(layout string, n int) string { return strings.Repeat(numberedLine(layout, 1), n) }
	for _, c := range []struct {
		name, text string
		o          Options
		want       string // the expected reports
		left       int    // number of files reported in the end
	}{
		{"well", of("combined", 100), Options{}, "", 0},
		{"a few odd ones", strings.Repeat(of("combined", 20)+"odd\n", 50), Options{}, "", 0},
		{"a format of one's own", of("own", 100), Options{}, "bad", 1},
		{"too few to say", of("own", enough-1), Options{}, "", 0},
		{"a change to a format of one's own", of("combined", 300) + of("own", 100), Options{}, "bad", 1},
		{"and back", of("combined", 300) + of("own", 100) + of("combined", 500), Options{}, "bad well", 0},
		{"a change that is told", of("combined", 300) + of("json", 300), Options{}, "", 0},
		{"another than was named", of("combined", 100), Options{Format: ownFormat}, "bad", 1},
		{"the one named", of("own", 100), Options{Format: ownFormat}, "", 0},
		{"other programs", of("syslog", 100) + of("foreign", 900), Options{}, "", 0},
	} {
		for _, size := range []int{1, 30} {
			var told []string
			c.o.Unreadable = func(path string, err *UnreadableError) {
				if err == nil {
					told = append(told, "well")
					return
				}
				told = append(told, "bad")
				if text := err.Error(); !strings.Contains(text, path) || err.Named != (c.o.Format != "") {
					t.Errorf("%s: %s", c.name, text)
				}
			}
			if _, _, r := follow(t, c.o, size, c.text); len(r.Unreadable()) != c.left || strings.Join(told, " ") != c.want {
				t.Errorf("%s: reported %q, left %v; want %q and %d", c.name, told, r.Unreadable(), c.want, c.left)
			}
		}
	}
}

// A file of another kind beside logs, found by a pattern, is not reported as
// unreadable. The only file is, and so is a file that could be read before.
func TestUnreadableBesideLogs(t *testing.T) {
	r := grow(t, Options{})
	bad := errors.New("bad")
	set := func(path string, was bool, why error) { r.ward.files[path] = health{was: was, bad: why} }
	count := func(want int) {
		t.Helper()
		if got := r.Unreadable(); len(got) != want {
			t.Errorf("%v are unreadable, want %d", got, want)
		}
	}
	set("error.log", false, bad)
	count(1)
	set("access.log", true, nil)
	count(0)
	set("shop.log", true, bad)
	count(1)
	set("access.log", true, bad)
	count(3)
}

// The unreadable lines kept are bounded in number, and so are the attempts, for lines in a row
// and for scattered ones.
func TestSampleIsBounded(t *testing.T) {
	line := []byte(strings.Repeat("x", 3000))
	for _, every := range []int{1, 2, 9, 70} { // number of unreadable lines in a row
		s := failedSample
		looks := 0
		for i := range 100_000 {
			if s.add(line[:i%len(line)], i%every > 0) > 0 {
				looks++
				s.later()
			}
			if s.bytes > sampleBytes || len(s.lines) > sampleLines {
				t.Fatalf("%d bytes in %d lines", s.bytes, len(s.lines))
			}
		}
		if looks > 30 {
			t.Errorf("%d looks at 100,000 lines, %d in a row", looks, every)
		}
		if s.add(make([]byte, sampleLine+1), false); slices.ContainsFunc(s.lines, func(l []byte) bool { return len(l) > sampleLine }) {
			t.Error("a long line is kept")
		}
	}
	s := sample{due: 1000, long: 1000}
	for i := range 3*sampleLines + 5 {
		s.add(fmt.Append(nil, i), true)
	}
	for i, line := range s.inOrder() {
		if want := fmt.Sprint(2*sampleLines + 5 + i); string(line) != want {
			t.Fatalf("line %d is %s, want %s", i, line, want)
		}
	}
	if last := s.newest(2); len(last) != 2 || string(last[1]) != fmt.Sprint(3*sampleLines+4) {
		t.Errorf("the last two are %q", last)
	}
}

// However long a log has contained odd lines, a change of its format is detected soon,
// and no line is lost.
func TestChangeAfterALongTime(t *testing.T) {
	var text strings.Builder
	n := 0
	for i := range 40_000 {
		if i%20 == 0 {
			text.WriteString("odd\n")
			continue
		}
		text.WriteString(numberedLine("combined", n))
		n++
	}
	for range 100 {
		text.WriteString(numberedLine("vhost", n))
		n++
	}
	all, _, _ := follow(t, Options{}, 10, text.String())
	if got := all.urls(); !slices.Equal(got, upTo(n)) {
		t.Errorf("%d of %d lines read", len(got), n)
	}
}
