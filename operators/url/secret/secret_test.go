package secret

import (
	"strings"
	"testing"
)

func TestLooks(t *testing.T) {
	const token = "9f3c2b7d81e04a6f"
	for _, c := range []struct {
		text string
		want bool
	}{
		{"", false},
		{"/story?id=12", false},
		{".html?commentlimit=0", false},
		{"/presentations/logstash-preso-1.0/", false},
		{"internationalization2015", false},
		{"a-very-long-title-of-a-page-of-2015", false},
		{"2015-03-14-10-tips-for-a-2-day-trip", false},
		{"convertUtf8StringToUtf16String", false},
		{"a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r", false},
		{"----------------------------------", false},
		{"20150314152653", false}, // a time, not a key
		{"20150314T152653Z", false},
		{"1700000000000", false},
		{"?sid=9f3c", false}, // too short for a secret
		{"?sid=" + token, true},
		{"PHPSESSID=k7vq2m0c9p4r1t8u3w5x6y", true},
		{"550e8400-e29b-41d4-a716-446655440000", true},
		{"qwzkxjvbpfhgtdlmxr", true},
		{"QWZKXJvbpfhgtdLMXR", true},

		{"me@example.org", true},
		{"?to=me%40example.org&", true},
		{"?to=me%2540example.org&", true},
		{"?to=me%25252540example.org", true},
		{"?to=me%40example%252Eorg", true},
		{"@example.org", false},
		{"name@2x.png", false}, // a picture
		{"name@example.2x", false},
		{"core@1.2.3", false},
		{"a@b", false},
		{"a@b@c@d.example", true},
		{"a@-.example", false},

		{"AKIAIOSFODNN7EXAMPLE", true},
		{"akiaiosfodnn7exampl", false}, // words in lower case
		{"AKIA", false},
		{"my-ghp_" + strings.Repeat("a1B", 12), true},
		{"ghp_" + strings.Repeat("a", 35), false},
		{"npm_install-all-of-the-modules-twice", false},
		{"xoxb-" + "123456789012-" + "abc", true},
		{"sk_live_performance", false},
		{"api-documentation-of-the-interface", false},
		{"secret_garden", false},

		{"4111111111111111", true},
		{"4111111111111112", false},
		{"4111-1111-1111-1111", true},
		{"4111+1111+1111+1111+x", true},
		{"41111-111-1111-1111", false},
		{"x4111111111111111", false},
		{"41111111111111110000000", false},
		{"378282246310005", true},
		{"3782-822463-10005", true},
		{"9111111111111111", false},
		{"411111111111", false},

		{"GB82WEST12345698765432", true},
		{"gb82west12345698765432", true},
		{"GB82+WEST+1234+5698+7654+32", true},
		{"GB83WEST12345698765432", false},
		{"GB82WEST1234569876543", false},
		{"GB82 WEST12 345698765432", false},
		{"ZZ82WEST12345698765432", false},

		{"/call/+4915112345678", true},
		{"?q=%2B49%20151%201234567", true},
		{"?phone=0151-1234567", true},
		{"?user[mobile]=0151123456", true},
		{"?customerPhone=0151123456", true},
		{"?hotel=01511234567", false},
		{"?id=01511234567", false},
		{"?q=+20150314", false},
		{"?q=c+++2015", false},
		{"?phone=yes", false},
		{"?phone", false},
		{"+0151123456789", false},
		{"+49151123456789012", false},

		{"?password=hunter2", true},
		{"?db_pwd=hunter2", true},
		{"?%70assword=hunter2", true},
		{"?password%3Dhunter2", true},
		{"?password=", false},
		{"?passwords=hunter2", false},
		{"/password/hunter2", false},
		{"?k=-----BEGIN%20PRIVATE+KEY", true},
		{"?k=BEGINNING", false},
	} {
		if got := hidden(c.text); got != c.want {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
		if masked := (Veil{}).Mask(c.text); masked != c.text != c.want {
			t.Errorf("%q is masked as %q", c.text, masked)
		}
	}
}

// A secret is found anywhere in a URL, and under any number of escapes.
func TestPlanted(t *testing.T) {
	w := newWorld(1)
	for range 5 {
		for what, all := range w.planted() {
			for _, s := range all {
				for _, url := range within(s) {
					if !InURL(url) || !hidden(url) {
						t.Errorf("%s %q is not found in %s", what, s, url)
					}
					if masked := (Veil{}).Mask(url); hidden(masked) || strings.Contains(masked, escaped(s, 1)) {
						t.Errorf("%s %q is masked as %s", what, s, masked)
					}
				}
			}
		}
	}
}

func TestMask(t *testing.T) {
	const sha1 = "4963b66fc955214e5b1099078afcd21f244a191a"
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"/story?id=12&x", "/story?id=12&x"},
		{"/reset/9f3c2b7d81e04a6f/", "/reset/***/"},
		{"/a?sid=9f3c2b7d81e04a6f;to=me%40x.org", "/a?sid=***;to=***"},
		{"/550e8400-e29b-41d4-a716-446655440000", "/***"},
		{`fetch "/x?9f3c2b7d81e04a6f" of site "a.example": action`, `fetch "/x?***" of site "a.example": action`},
		{"//x//", "//x//"},
		{"/x?password=hunter2&y=2", "/x?password=***&y=2"},
		{"/x?back=%2Fy%3Fpassword%3Dhunter2&y=2", "/x?back=***&y=2"},
		{"GET /x?a=1\t/9f3c2b7d81e04a6f\tq", "GET /x?a=1\t/***\tq"},
		{"write …?password=hunter2… as …9f3c2b7d81e04a6f…", "write …?password=***… as …***…"}, // a rule in words
		{"/?p=mux.git;h=" + sha1 + ";s=me@x.org", "/?p=mux.git;h=" + sha1 + ";s=***"},
		{"/reset/" + sha1, "/reset/***"},
	} {
		if got := (Veil{}).Mask(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
		if got := (Veil{Lifted: true}).Mask(c.text); got != c.text {
			t.Errorf("%q: a lifted veil leaves %q", c.text, got)
		}
		if (Veil{Lifted: true}).Hides(c.text) {
			t.Errorf("%q is hidden by a lifted veil", c.text)
		}
	}
}

// Names of git objects are not secrets if the URL names a repository. All other secrets are
// secrets there as well.
func TestInURL(t *testing.T) {
	const sha1, sha256 = "4963b66fc955214e5b1099078afcd21f244a191a", "4963b66fc955214e5b1099078afcd21f244a191a4963b66fc955214e5b109907"
	for _, c := range []struct {
		url  string
		want bool
	}{
		{"/gitweb/?p=mux.git;a=blob;h=" + sha1 + ";hb=" + sha256, false},
		{"/cgit/mux.git/commit/?id=" + sha1, false},
		{"/cgit/mux.git/plain/x?id=" + sha1 + ":a", false},
		{"/gitweb/?p=mux.git;h=" + sha1 + "&sid=9f3c2b7d81e04a6f", true},
		{"/gitweb/?p=mux.git;a=search;s=me@example.org;h=" + sha1, true},
		{"/gitweb/?p=mux.git;h=" + strings.ToUpper(sha1), true},
		{"/gitweb/?p=mux.git;h=" + sha1 + "0", true},
		{"/gitweb/?p=mux.git;h=a" + sha1, true},
		{"/reset/" + sha1, true},
		{"/mux.gitx/" + sha1, true},
		{"/reset?token=" + sha1 + "&mail=x.git.example", true},
		{"/story?id=12", false},
		{"/x.git?a=" + sha1[:39], true},
		{"/x.git/550e8400-e29b-41d4-a716-446655440000", true},
	} {
		if got := InURL(c.url); got != c.want {
			t.Errorf("%s: %v, want %v", c.url, got, c.want)
		}
	}
}

// found returns the share of texts that look like secrets.
func found(make func() string) float64 {
	const many = 20000
	n := 0
	for range many {
		if hidden(make()) {
			n++
		}
	}
	return float64(n) / many
}

// Random text is distinguished from words, in synthetic texts.
func TestTokens(t *testing.T) {
	w := newWorld(2)
	for _, c := range []struct {
		what        string
		least, most float64
		make        func() string
	}{
		{"hexadecimal digits, 16", .97, 1, func() string { return w.text(hexes, 16) }},
		{"hexadecimal digits, 32", .999, 1, func() string { return w.text(hexes, 32) }},
		{"letters and digits, 16", .97, 1, func() string { return w.text(base62, 16) }},
		{"letters and digits, 20", .98, 1, func() string { return w.text(base62, 20) }},
		{"letters and digits, 32", .998, 1, func() string { return w.text(base62, 32) }},
		{"lower case and digits, 16", .99, 1, func() string { return w.text(base36, 16) }},
		{"upper case and digits, 20", .98, 1, func() string { return w.text(uppers, 20) }},
		{"base64 for URLs, 43", .98, 1, func() string { return w.text(base64, 43) }},
		{"hexadecimal digits, 10", .82, 1, func() string { return w.text(hexes, 10) }},
		{"letters and digits, 8", .65, 1, func() string { return w.text(base62, 8) }},
		{"letters and digits, 12", .84, 1, func() string { return w.text(base62, 12) }},
		{"lower case and digits, 8", .3, 1, func() string { return w.text(base36, 8) }},
		{"lower case and digits, 12", .6, 1, func() string { return w.text(base36, 12) }},
		{"letters, 16", .82, 1, func() string { return w.text(lowers, 16) }},
		{"letters, 20", .85, 1, func() string { return w.text(lowers, 20) }},
		{"letters, 32", .92, 1, func() string { return w.text(lowers, 32) }},

		{"words", 0, 0, w.word},
		{"words joined", 0, .0005, func() string { return w.joined(16, 0) }},
		{"words joined, some with numbers", 0, .005, func() string { return w.joined(16, .3) }},
		{"words joined, most with numbers", 0, .02, func() string { return w.joined(16, .7) }},
		{"words of 8 to 15, most with numbers", 0, .02, func() string { return w.joined(8, .7) }},
		{"titles", 0, 0, w.slug},
		{"times", 0, 0, w.stamp},
		{"numbers, 6", 0, 0, func() string { return w.text(digits, 6) }},
		{"numbers, 10", 0, 0, func() string { return w.text(digits, 10) }},
		{"times in milliseconds", 0, 0, func() string { return "1" + w.text(digits, 12) }},
		{"numbers, 16", 0, .05, func() string { return w.text(digits, 16) }}, // some are cards by chance
	} {
		got := found(c.make)
		t.Logf("%-32s %.4f", c.what, got)
		if got < c.least || got > c.most {
			t.Errorf("%s: %.4f, want %.4f to %.4f", c.what, got, c.least, c.most)
		}
	}
}
