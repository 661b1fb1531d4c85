package fetch

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestRobots(t *testing.T) {
	for _, c := range []struct{ text, allowed, forbidden string }{
		{"", "/ /x", ""},
		{"User-agent: *\nDisallow: /", "", "/ /x"},
		{"User-agent: *\nDisallow:", "/ /x", ""},
		{"user-agent:*\r\ndisallow:/a\r\n", "/ /b", "/a /ab"},
		{"User-agent: *\rDisallow: /a\rAllow: /ab", "/ /ab", "/a"},
		{"\ufeffUser-agent: *\nDisallow: /a", "/", "/a"},
		// Groups: the program's own group wins, as a whole and wherever it stands. All
		// such groups count as one.
		{"User-agent: *\nDisallow: /\n\nUser-agent: dustbuster\nDisallow: /a", "/b", "/a"},
		{"User-agent: DustBuster/2.0 (x)\nDisallow: /a\nUser-agent: *\nDisallow: /", "/b", "/a"},
		{"User-agent: dustbuster\nDisallow: /a\nUser-agent: x\nDisallow: /c\nUser-agent: dustbuster\nDisallow: /b", "/c", "/a /b"},
		{"User-agent: x\nUser-agent: dustbuster\n\nUser-agent: y\nDisallow: /a", "/b", "/a"},
		{"User-agent: dust\nDisallow: /\nUser-agent: d\nDisallow: /\nUser-agent: dustbuster2\nDisallow: /", "/", ""},
		{"User-agent: dustbuster\nDisallow:\nUser-agent: *\nDisallow: /", "/", ""},
		{"User-agent: *\nCrawl-delay: 1\nUser-agent: bad\nDisallow: /", "/", ""},
		{"User-agent: x\nSitemap: http://a/\nUser-agent: dustbuster\nDisallow: /", "", "/"},
		// Lines that make no sense are left out, and no other lines.
		{"Disallow: /a\nUser-agent: *\nDisallow: /b", "/a", "/b"},
		{"User-agent: *\nDisallow: /a # comment\nDisallow: /b#c\nnonsense\n: /c\nDisallow /d", "/c", "/a /b /d"},
		{"User-agent: *\nDisallow: private", "/", "/private"},
		{"User-agent: *\nCrawl-delay: x\nDisallow: /a\x00\nDisallow: /b\xff", "/", "/b%FF /b%ff /a%00"},
		// The longest match decides. Among equals, the one that allows decides.
		{"User-agent: *\nAllow: /p\nDisallow: /", "/page", "/x"},
		{"User-agent: *\nDisallow: /folder\nAllow: /folder", "/folder/page", ""},
		{"User-agent: *\nAllow: /page\nDisallow: /*.htm", "/page", "/page.htm"},
		{"User-agent: *\nAllow: /$\nDisallow: /", "/", "/page.htm"},
		{"User-agent: *\nDisallow: /\nAllow: /public*x", "/public-x", "/secret/public-x"},
		// Stars and the end.
		{"User-agent: *\nDisallow: /fish*", "/Fish.asp /catfish", "/fish /fish.html /fishheads/yummy.html /fish.php?id=x"},
		{"User-agent: *\nDisallow: /*.php$", "/filename.php?parameters /windows.PHP /", "/filename.php /folder/a.php.php"},
		{"User-agent: *\nDisallow: /fish*.php", "/Fish.PHP /fis.php", "/fish.php /fishheads/catfish.php?x"},
		{"User-agent: *\nDisallow: /*?", "/a", "/a? /a?b"},
		{"User-agent: *\nDisallow: /a$b", "/a /ab", "/a$b /a%24bc"},
		{"User-agent: *\nDisallow: /x*y*y$", "/xy /xyyz", "/xyy /x-y-y /xyyy"},
		{"User-agent: *\nDisallow: *", "", "/ /a"},
		// Encoding (RFC 9309, section 2.2.2).
		{"User-agent: *\nDisallow: /~joe", "/", "/~joe /%7Ejoe /%7ejoe"},
		{"User-agent: *\nDisallow: /foo/bar/ツ", "/", "/foo/bar/%E3%83%84 /foo/bar/%e3%83%84"},
		{"User-agent: *\nDisallow: /foo/bar/%62%61%7A", "/", "/foo/bar/baz"},
		{"User-agent: *\nDisallow: /a%2fb", "/a/b", "/a%2Fb"},
		{"User-agent: *\nDisallow: /*%", "/a", "/a%20b /%"},
		{"User-agent: *\nDisallow: /star-%2A", "/star-x", "/star-* /star-%2a"},
	} {
		r := parseRobots([]byte(c.text))
		for _, path := range strings.Fields(c.allowed) {
			if !r.allowed(path) {
				t.Errorf("%q forbids %s", c.text, path)
			}
		}
		for _, path := range strings.Fields(c.forbidden) {
			if r.allowed(path) {
				t.Errorf("%q allows %s", c.text, path)
			}
		}
	}
}

func TestRobotsDelay(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
	}{
		{"User-agent: *\nCrawl-delay: 5", 5 * time.Second},
		{"User-agent: *\nCrawl-delay: 0.25", 250 * time.Millisecond},
		{"User-agent: *\nCrawl-delay: -1", 0},
		{"User-agent: *\nCrawl-delay: NaN", 0},
		{"User-agent: *\nCrawl-delay: +Inf", forever},
		{"User-agent: dustbuster\nDisallow: /a\nUser-agent: *\nCrawl-delay: 5", 0},
		{"Crawl-delay: 5\nUser-agent: *\nDisallow: /a", 0},
		{"User-agent: *\nCrawl-delay: 1\nUser-agent: dustbuster\nCrawl-delay: 2 # s", 2 * time.Second},
	} {
		if got := parseRobots([]byte(c.text)).delay; got != c.want {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}

// plainMatch is matches by definition: a regular expression.
func plainMatch(pattern, path string) bool {
	body, anchored := strings.CutSuffix(pattern, "$")
	pieces := strings.Split(body, "*")
	for i := range pieces {
		pieces[i] = regexp.QuoteMeta(pieces[i])
	}
	expr := "(?s)^" + strings.Join(pieces, ".*")
	if anchored {
		expr += "$"
	}
	return regexp.MustCompile(expr).MatchString(path)
}

// All patterns and paths of a small world.
func TestMatchesExhaustively(t *testing.T) {
	for _, body := range allStrings("ab*", 4) {
		for _, end := range []string{"", "$"} {
			for _, path := range allStrings("ab", 6) {
				if got, want := matches("/"+body+end, "/"+path), plainMatch("/"+body+end, "/"+path); got != want {
					t.Fatalf("pattern /%s%s, path /%s: %v, want %v", body, end, path, got, want)
				}
			}
		}
	}
}

func allStrings(alphabet string, length int) []string {
	all, last := []string{""}, []string{""}
	for range length {
		var next []string
		for _, s := range last {
			for _, c := range alphabet {
				next = append(next, s+string(c))
			}
		}
		all, last = append(all, next...), next
	}
	return all
}

var escapes = regexp.MustCompile("%[0-9A-Fa-f]{2}")

// The normal form is stable, except for a % that encodes nothing: before %41a such a %
// is left unchanged, and so are patterns like /*%.
func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nAllow: /ab\nCrawl-delay: 3", "/a/b?c")
	f.Add("User-agent: dustbuster\nDisallow: /%7e%zz*$$", "/~%ZZ$")
	f.Add("", "%%41a")
	f.Fuzz(func(t *testing.T, text, path string) {
		r := parseRobots([]byte(text))
		if r.delay < 0 || r.size > 64*len(text)+64 {
			t.Fatalf("delay %v, size %d", r.delay, r.size)
		}
		allow, length := true, 0
		for _, l := range r.lines {
			if !plainMatch(l.pattern, normal(path, "*$")) || len(l.pattern) < length {
				continue
			}
			allow, length = l.allow || len(l.pattern) == length && allow, len(l.pattern)
		}
		if got := r.allowed(path); got != allow {
			t.Fatalf("allowed %v, want %v", got, allow)
		}
		if n := normal(path, ""); normal(n, "") != n && !strings.Contains(escapes.ReplaceAllString(path, ""), "%") {
			t.Fatalf("normal form %q of %q is not its own", n, path)
		}
	})
}

// Measures the cost of a hostile robots.txt of full length: of reading it, and of
// matching a URL.
func BenchmarkHostileRobots(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"lines", "User-agent: *\n" + strings.Repeat("Allow:*a$\n", maxRobots/10)},
		{"stars", "User-agent: *\nDisallow: /" + strings.Repeat("*a", maxRobots/2)},
		{"pieces", "User-agent: *\n" + strings.Repeat("Allow:*aaaaaaaaaaaaaaaaaaab\n", maxRobots/28)},
		{"agents", strings.Repeat("User-agent: a\n", maxRobots/28) + strings.Repeat("Disallow: /x\n", maxRobots/26)},
	} {
		b.Run(c.name+"/parse", func(b *testing.B) {
			for b.Loop() {
				parseRobots([]byte(c.text))
			}
		})
		r, path := parseRobots([]byte(c.text)), "/"+strings.Repeat("a", maxTarget-1)
		b.Run(c.name+"/allowed", func(b *testing.B) {
			for b.Loop() {
				r.allowed(path)
			}
		})
	}
}
