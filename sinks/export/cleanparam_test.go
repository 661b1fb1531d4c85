package export

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// cleanLine is a Clean-param line as Yandex documents it: parameters with & between them,
// and a prefix of paths, in which * would be any text. Without a prefix, the line applies
// to all paths.
type cleanLine struct {
	params []string
	prefix string
}

func cleanLines(t *testing.T, robots string) (lines []cleanLine) {
	t.Helper()
	for line := range strings.Lines(robots) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if line == "" {
			continue
		}
		value, ok := strings.CutPrefix(line, "Clean-param:")
		fields := strings.Fields(value)
		if !ok || len(fields) < 1 || len(fields) > 2 || len(line) > 500 {
			t.Fatalf("not a line of Clean-param: %q", line)
		}
		l := cleanLine{params: strings.Split(fields[0], "&")}
		if len(fields) == 2 {
			l.prefix = fields[1]
			if strings.Trim(l.prefix, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-/_") != "" {
				t.Fatalf("a path of other bytes: %q", line)
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// clean returns a URL without the parameters in lines: Yandex merges all addresses of a
// page into this URL.
func clean(lines []cleanLine, url string) string {
	path, query, _ := strings.Cut(url, "?")
	var kept []string
	for _, piece := range strings.Split(query, "&") {
		name, _, _ := strings.Cut(piece, "=")
		matters := true
		for _, l := range lines {
			for _, p := range l.params {
				matters = matters && (p != name || !strings.HasPrefix(path, l.prefix))
			}
		}
		if matters && piece != "" {
			kept = append(kept, piece)
		}
	}
	if len(kept) == 0 {
		return path
	}
	return path + "?" + strings.Join(kept, "&")
}

func TestClean(t *testing.T) {
	lines := cleanLines(t, "# a comment\nClean-param: ref /some_dir/get_book.pl\nClean-param: s&sid\n")
	for url, want := range map[string]string{
		"/some_dir/get_book.pl?ref=site_1&book_id=123": "/some_dir/get_book.pl?book_id=123",
		"/get_book.pl?ref=site_1&book_id=123":          "/get_book.pl?ref=site_1&book_id=123",
		"/forum/?s=68&t=8243&sid":                      "/forum/?t=8243",
		"/?S=1&sids=2":                                 "/?S=1&sids=2", // case counts
		"/?sid=1":                                      "/",
	} {
		if got := clean(lines, url); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// Yandex takes each URL to its canonical form. (The documentation does not mention queries
// with empty pieces, so the test has none.)
func TestCleanParamRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	cases, changed, said := 0, 0, 0
	for range 60 {
		s, urls := paramSite(r, "", "/a/", "/a", "/x.y/a_-", "/~me/")
		robots, c := told(t, "clean-param", s)
		lines := cleanLines(t, robots)
		said += c.Len()
		for _, u := range urls {
			want := form(c, u)
			if got := clean(lines, u); got != want {
				t.Errorf("%s of %s: %s, want %s", robots, u, got, want)
			}
			if cases++; want != u {
				changed++
			}
		}
	}
	if t.Logf("%d URLs, %d change, %d rules", cases, changed, said); cases < 500 || changed < 300 {
		t.Error("too few to tell")
	}
}
