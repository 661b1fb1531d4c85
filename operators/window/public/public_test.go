package public

import (
	"strings"
	"testing"
)

func TestKind(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"/", "/"},
		{"/story/12", "/story/#"},
		{"/story/12/", "/story/#"},
		{"/story/12a", "/story/12a"},
		{"/commit/9f3c2b7d", "/commit/#"},
		{"/commit/9F3C2B7", "/commit/9F3C2B7"},
		{"/a-title-of-a_page.html", "/~"},
		{"/two-hyphens-here", "/two-hyphens-here"},
		{"/a.segment.of.25.letters.x", "/~"},
		{"/x?b=1&a=2;b=3", "/x?a?b"},
		{"/x?a&=7&&b", "/x?a=?b="},
		{"/x;a=12345;b/y?c=by-name", "/x/y?a?b=?c=by-name"},
		{"/x?do=17&%64o=draft%64el", "/x?do=17?do=draftdel"},
		{"/x?form[Action]=1234567", "/x?form[Action]=1234567"},
		{"/x?do=a%3Fb", "/x?do=a%3Fb"},
		{"/x?do=a&b", "/x?b=?do=a"},
		{"/x.css?q9x2k", "/x.css?%3F"},
		{"/x.css?v=q9x2k", "/x.css?v=q9x2k"},
		{"/x.css?v=q9x234k", "/x.css?v"},
		{"/x?", "/x"},
		{"/x/?page=2", "/x?page"},
		{"//x", "//x"},
		{"shop-a-b-c.example.org/item/7?colour=", "shop-a-b-c.example.org/item/#?colour="},
		{"www.example.org/", "www.example.org/"},
	} {
		if got := Kind(c.url); got != c.want {
			t.Errorf("%s is of the kind %q, want %q", c.url, got, c.want)
		}
	}
}

func TestBare(t *testing.T) {
	for _, c := range []struct {
		url  string
		want bool
	}{{"/", true}, {"/a.html", true}, {"/d/b.JPG", true}, {"h.example/", true}, {"h.example/x.css", true},
		{"/?", false}, {"/a", false}, {"/a/", false}, {"/a.php", false}, {"/html", false}, {"/a.html?x", false}, {"/x?f=a.html", false}, {"/a.", false}, {"/.d/x", false}, {"", false}} {
		if got := Bare(c.url); got != c.want {
			t.Errorf("%s is bare: %v", c.url, got)
		}
	}
}

func TestFollows(t *testing.T) {
	for _, c := range []struct {
		pair string
		want bool
	}{
		{"/x?id=5 /x?id=5&sid=9", true},
		{"/x /x?id=5&sid=9", true},
		{"/x?sid=9 /x?id=5;sid=9", true},
		{"/x?id=6 /x?id=5&sid=9", false},
		{"/x?id=5&id=5 /x?id=5", false},
		{"/x?sid=9&id=5 /x?id=5&sid=9", false}, // in another order: of one kind
		{"/x?new=1 /x", false},
		{"/a/x //a///x/", true},
		{"/a /A/index.html", true},
		{"/a/index.php /a/default.asp?x=1", true},
		{"/a/b /a/b;jsessionid=0A1B", true},
		{"/a;v=1/b /a;v=1;w=2/b?x=3", true},
		{"/a;v=2/b /a;v=1/b", false},
		{"/~u/%2F /%7eu/%2f", true},
		{"/a?q=A /a?q=a", false},
		{"/a/b /a", false},
		{"/b /a", false},
		{"h.example/a h.example/a/?x", true},
		{"h.example/a www.h.example/a", false},
		{"/reboot /reboot?when=now", true},
		{"/story/12 /story/12/index.html?q=", true},
	} {
		if v, u, _ := strings.Cut(c.pair, " "); Follows(v, u) != c.want {
			t.Errorf("%s follows from %s: %v", v, u, !c.want)
		}
	}
}

// Follows is reflexive, and no URL follows from one that lacks its parameters.
func FuzzFollows(f *testing.F) {
	f.Add("/a;x=1/b?c=1&d", "e")
	f.Fuzz(func(t *testing.T, url, name string) {
		if !Follows(url, url) {
			t.Errorf("%q does not follow from itself", url)
		}
		more := url + "&" + name + "=1"
		if !strings.Contains(url, "?") || strings.Trim(name, "&;=%?") != name || name == "" {
			return
		}
		if !Follows(url, more) || Follows(more, url) {
			t.Errorf("%q and %q", url, more)
		}
	})
}
