package public

import (
	"strings"
	"testing"
)

func TestKind(t *testing.T) {
	for url, want := range map[string]string{
		"/":                                     "/",
		"/story/12":                             "/story/#",
		"/story/12/":                            "/story/#",
		"/story/12a":                            "/story/12a",
		"/commit/9f3c2b7d":                      "/commit/#",
		"/commit/9F3C2B7":                       "/commit/9F3C2B7",
		"/a-title-of-a_page.html":               "/~",
		"/two-hyphens-here":                     "/two-hyphens-here",
		"/a.segment.of.25.letters.x":            "/~",
		"/x?b=1&a=2;b=3":                        "/x?a?b",
		"/x?a&=7&&b":                            "/x?a?b",
		"/x?":                                   "/x",
		"/x/?page=2":                            "/x?page",
		"//x":                                   "//x",
		"shop-a-b-c.example.org/item/7?colour=": "shop-a-b-c.example.org/item/#?colour",
		"www.example.org/":                      "www.example.org/",
	} {
		if got := Kind(url); got != want {
			t.Errorf("%s is of the kind %q, want %q", url, got, want)
		}
	}
}

func TestBare(t *testing.T) {
	for url, want := range map[string]bool{"/": true, "/a.html": true, "/d/b.JPG": true, "h.example/": true, "h.example/x.css": true,
		"/?": false, "/a": false, "/a/": false, "/a.php": false, "/html": false, "/a.html?x": false, "/x?f=a.html": false, "/a.": false, "/.d/x": false, "": false} {
		if got := Bare(url); got != want {
			t.Errorf("%s is bare: %v", url, got)
		}
	}
}

func TestFollows(t *testing.T) {
	for pair, want := range map[string]bool{
		"/x?id=5 /x?id=5&sid=9":             true,
		"/x /x?id=5&sid=9":                  true,
		"/x?sid=9 /x?id=5;sid=9":            true,
		"/x?id=6 /x?id=5&sid=9":             false,
		"/x?id=5&id=5 /x?id=5":              false,
		"/x?sid=9&id=5 /x?id=5&sid=9":       false, // in another order: of one kind
		"/x?new=1 /x":                       false,
		"/a/x //a///x/":                     true,
		"/a /A/index.html":                  true,
		"/a/index.php /a/default.asp?x=1":   true,
		"/a/b /a/b;jsessionid=0A1B":         true,
		"/a;v=1/b /a;v=1;w=2/b?x=3":         true,
		"/a;v=2/b /a;v=1/b":                 false,
		"/~u/%2F /%7eu/%2f":                 true,
		"/a?q=A /a?q=a":                     false,
		"/a/b /a":                           false,
		"/b /a":                             false,
		"h.example/a h.example/a/?x":        true,
		"h.example/a www.h.example/a":       false,
		"/reboot /reboot?when=now":          true,
		"/story/12 /story/12/index.html?q=": true,
	} {
		if v, u, _ := strings.Cut(pair, " "); Follows(v, u) != want {
			t.Errorf("%s follows from %s: %v", v, u, !want)
		}
	}
}

func TestKinds(t *testing.T) {
	var k Kinds
	if k.Asked("/x") || !k.Asked("/x.html") {
		t.Error("without URLs, only bare URLs are asked for")
	}
	for url, clients := range map[string]uint16{"/story/1": 1, "/story/2": 2, "/story/3": 1 << 15, "/job/1/stop": 1, "/job/2/stop": 3, "/q?a=1": 0} {
		k.Add(url, clients)
	}
	for url, want := range map[string]bool{"/story/77": true, "/story/1/": true, "/story": false, "/story/1?x": false, "/job/1/stop": false, "/q?a=1": false} {
		if got := k.Asked(url); got != want {
			t.Errorf("%s is asked for: %v", url, got)
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

// A URL may lack a value in its path to which the public gives several values, and its mark.
func TestWithout(t *testing.T) {
	var k Kinds
	for i, client := range []uint16{1, 2, 4, 8} {
		for url, clients := range map[string]uint16{
			"/s/123%d/catalog/7?page=2":    client,
			"/s/7f3a9c2%d/catalog/7?sid=x": client,
			"/123%d/about/us":              client,
			"/12%d/about/them":             client, // short
			"/few/1234/about":              client, // one value
			"/job/123%d/rebuild":           1,      // one client
			"/item/123%d":                  client,
			"/item/123%d/":                 client,
			"h.example/123%d/about/us":     client,
		} {
			k.Add(strings.ReplaceAll(url, "%d", string(rune('5'+i))), clients)
		}
	}
	for pair, want := range map[string]bool{
		"/s/catalog/7?page=2 /s/1235/catalog/7?page=2":       true,
		"/catalog/7?page=2 /s/1235/catalog/7?page=2":         true,
		"/catalog/9?page=2 /s/12345/catalog/9?page=2":        true,  // another value, of a public kind
		"/catalog/9?page=2 /s/12345/catalog/7?page=2":        false, // another page
		"/Catalog//7?page=2 /s/1235/catalog/7?page=2":        true,  // and syntax
		"/catalog/7 /s/1235/catalog/7?page=2":                true,  // and a parameter
		"/catalog/7?new=1 /s/1235/catalog/7?page=2":          false,
		"/7?page=2 /s/1235/catalog/7?page=2":                 false, // more than the mark
		"/s/1235/7?page=2 /s/1235/catalog/7?page=2":          false, // no value
		"/s/1235/catalog?page=2 /s/1235/catalog/1234?page=2": false, // what the page is of
		"/catalog/7 /s/7f3a9c25/catalog/7?sid=x":             true,
		"/catalog/7 /s/7f3a9c25/catalog/7?other=x":           false, // of another kind
		"/about/us /1235/about/us":                           true,
		"/us /1235/about/us":                                 false,
		"/about/them /125/about/them":                        false,
		"/few/about /few/1234/about":                         false,
		"/job/rebuild /job/1235/rebuild":                     false,
		"/rebuild /job/1235/rebuild":                         false,
		"/item /item/1235":                                   false,
		"/item /item/1235/":                                  false,
		"h.example/about/us h.example/1235/about/us":         true,
		"other.example/about/us h.example/1235/about/us":     false,
		"/about/us h.example/1235/about/us":                  false,
		"/s/1235/catalog/7?page=2 /s/catalog/7?page=2":       false, // the other way round
	} {
		if v, u, _ := strings.Cut(pair, " "); k.Without(v, u) != want {
			t.Errorf("%s is %s without a value: %v", v, u, !want)
		}
	}
}
