package files

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each case lists the logs of a directory in the expected order.
var orders = map[string][]string{
	"numbers": {
		"access.log.10.gz", "access.log.9.gz", "access.log.2.gz", "access.log.1", "access.log",
	},
	"numbers from nought": {"access.log.1.bz2", "access.log.0.bz2"},
	"numbers before the ending": {
		"access.10.log", "access.2.log.zst", "access.1.log", "access.log",
	},
	"dates behind": {
		"access.log-20231231.gz", "access.log-20240102", "access.log-20240103", "access.log",
	},
	"dates before the ending": {
		"access-2024-01-02.log", "access-2024-01-10.log.gz", "access-2024-02-01.log", "access.log",
	},
	"dates with hours and parts": {
		"access.log-2024010200.gz", "access.log-2024010203.gz", "access.log-2024010310", "access.log",
	},
	"dates with parts that count up": {
		"access-2024-01-02-1.log.gz", "access-2024-01-02-2.log.gz", "access-2024-01-02-10.log.gz", "access-2024-01-03-1.log",
	},
	"times to the millisecond": {
		"access-2024-01-02T15-04-05.123.log.gz", "access-2024-01-02T15-04-05.200.log", "access-2024-01-02T15-10-00.001.log", "access.log",
	},
	"seconds since 1970": {"access.log-1704153600.gz", "access.log-1704240000", "access.log-1720240101", "access.log"},
	"dated and numbered": {
		"access-20240101.log.2.gz", "access-20240101.log.1", "access-20240101.log", "access-20240102.log.1", "access-20240102.log",
	},
	"dates, then numbers after a change of rotation": {
		"access.log-20240101", "access.log.2", "access.log.1", "access.log",
	},
	"tomcat": {
		"localhost_access_log.2024-01-02.txt", "localhost_access_log.2024-01-03.txt", "localhost_access_log.txt",
	},
	"plesk": {
		"access_log.processed.1.gz", "access_log.processed", "access_log",
		"access_ssl_log.processed.2.gz", "access_ssl_log.processed.1.gz", "access_ssl_log.processed", "access_ssl_log",
		"proxy_access_ssl_log.processed", "proxy_access_ssl_log",
	},
	"iis": {"u_ex240102.log", "u_ex240103.log"},
	"families": {
		"access.log.2.gz", "access.log.1", "access.log",
		"access_log.1", "access_log",
		"example.org-access.log.1", "example.org-access.log",
		"other_vhosts_access.log.1.gz", "other_vhosts_access.log",
		"ssl-access.json",
	},
}

func TestExpandOrder(t *testing.T) {
	for name, want := range orders {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			shuffled := slices.Clone(want)
			rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			touch(t, dir, shuffled...)
			expectNames(t, dir, want)
		})
	}
}

func TestExpandLeavesOut(t *testing.T) {
	dir := t.TempDir()
	touch(t, dir, "access.log",
		"error.log", "error.log.1.gz", "error_log", "error_log-20240102", "ssl_error_log", "site.err.log", "nginx-errors.log",
		".access.log", "catalog", "blog", "README.md", "access.conf", "accessible.txt", "core", "access.log.swp", "access.log~")
	must(t, os.Mkdir(filepath.Join(dir, "old.log"), 0o755))
	expectNames(t, dir, []string{"access.log"})
}

func TestExpandKeeps(t *testing.T) {
	dir := t.TempDir()
	names := []string{"error-pages-access.log", "terror.org.log", "x.log.xz"}
	touch(t, dir, names...)
	expectNames(t, dir, names)
}

func TestExpandReadsALinkedLogOnce(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	touch(t, dir, "access-20240102.log", "data")
	touch(t, elsewhere, "real", "access-20240102.log")
	for _, c := range []struct{ link, target string }{
		{"access.log", "access-20240102.log"},
		{"other.log", filepath.Join(elsewhere, "real")},
		{"beside.log", "data"},
		{"same.log", filepath.Join(elsewhere, "access-20240102.log")},
		{"dangling.log", "gone"},
		{"chain.log", "access.log"},
		{"loop.log", "loop.log"},
		{"folder.log", elsewhere},
	} {
		must(t, os.Symlink(c.target, filepath.Join(dir, c.link)))
	}
	expectNames(t, dir, []string{"access-20240102.log", "beside.log", "other.log", "same.log"})
}

func TestExpandPaths(t *testing.T) {
	dir := t.TempDir()
	touch(t, dir, "b", "a", "access.log", "access.log.1")
	b, a := filepath.Join(dir, "b"), filepath.Join(dir, "a")
	log := filepath.Join(dir, "access.log")
	got, err := Expand([]string{b, Stdin, log, a, dir + "/./b", dir, Stdin})
	must(t, err)
	if want := []string{b, Stdin, log, a, log + ".1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExpandErrors(t *testing.T) {
	dir := t.TempDir()
	touch(t, dir, "notes")
	missing := filepath.Join(dir, "gone.log")
	for _, c := range []struct{ path, want string }{
		{missing, "find log \"" + missing + "\": no such file or directory\ngive a log file, a directory of logs, or - for standard input"},
		{dir, "find logs in \"" + dir + "\": no file there has the name of an access log, such as access.log or access.log.1.gz, or of a web archive, and none is an HTML page\nname the files themselves"},
		{filepath.Join(dir, "notes/x"), "not a directory"},
	} {
		_, err := Expand([]string{c.path})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.path, err, c.want)
		}
	}
}

// The result must not depend on the sequence of comparisons.
func TestCompareIsAnOrder(t *testing.T) {
	var logs []log
	for _, names := range orders {
		for _, name := range names {
			l, ok := parseName(name)
			if !ok {
				t.Fatalf("%s is not taken for a log", name)
			}
			logs = append(logs, l)
		}
	}
	for _, a := range logs {
		for _, b := range logs {
			if compare(a, b) != -compare(b, a) {
				t.Fatalf("%s and %s have no order", a.name, b.name)
			}
			for _, c := range logs {
				if compare(a, b) <= 0 && compare(b, c) <= 0 && compare(a, c) > 0 {
					t.Fatalf("%s, %s and %s go round", a.name, b.name, c.name)
				}
			}
		}
	}
}

func touch(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
}

func expectNames(t *testing.T, dir string, want []string) {
	t.Helper()
	got, err := Expand([]string{dir})
	must(t, err)
	for i := range got {
		got[i] = filepath.Base(got[i])
	}
	if !slices.Equal(got, want) {
		t.Errorf("\ngot  %q\nwant %q", got, want)
	}
}

// A file is read once, under the first path that leads to it.
func TestExpandOneFileUnderSeveralPaths(t *testing.T) {
	dir := t.TempDir()
	path, soft, hard := filepath.Join(dir, "access.log"), filepath.Join(dir, "soft"), filepath.Join(dir, "hard")
	touch(t, dir, "access.log")
	must(t, errors.Join(os.Symlink(path, soft), os.Link(path, hard)))
	if got, err := Expand([]string{Stdin, soft, path, dir, hard, Stdin, os.DevNull, os.DevNull}); err != nil || !slices.Equal(got, []string{Stdin, soft, os.DevNull}) {
		t.Errorf("%q, %v", got, err)
	}
}

// A directory stands for its logs, its archives or itself, in the order of the caller.
func TestExpandCrawl(t *testing.T) {
	for _, c := range []struct{ names, log, crawl string }{
		{"access.log b.warc.gz a.WARC a.html .x.warc c.warc.txt", "access.log", "a.WARC b.warc.gz"},
		{"a.html wget.log", "wget.log", "."},
		{"a.html b.warc.zst", "b.warc.zst", "b.warc.zst"},
		{"part-0.c000.gz.parquet a.html .x.parquet", "part-0.c000.gz.parquet", "part-0.c000.gz.parquet"},
		{"a.html style.css", ".", "."},
		{"access.log style.css", "access.log", "access.log"},
	} {
		dir := t.TempDir()
		touch(t, dir, strings.Fields(c.names)...)
		for _, test := range []struct {
			want   string
			expand func([]string) ([]string, error)
		}{{"log " + c.log, Expand}, {"crawl " + c.crawl, ExpandCrawl}} {
			found, err := test.expand([]string{dir, dir})
			must(t, err)
			var all []string
			for _, f := range found {
				name, err := filepath.Rel(dir, f)
				must(t, err)
				all = append(all, name)
			}
			if _, list, _ := strings.Cut(test.want, " "); strings.Join(all, " ") != list {
				t.Errorf("%s: %q, want %q", c.names, all, test.want)
			}
		}
	}
}
