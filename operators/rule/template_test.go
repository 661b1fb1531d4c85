package rule

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func readRule(t *testing.T, text string) (r Rule) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

// Templates are written as read. URLs of another shape, and URLs whose new form does not
// exist, stay.
func TestRewrite(t *testing.T) {
	for _, c := range []struct {
		where, edit string
		urls        map[string]string // "": the URL stays
	}{
		{`{"/0":"show","/1":"*","id":"*","s":"*"}`, `{"/1":{"copy":"id"},"id":"drop","v":{"set":"1"}}`, map[string]string{
			"/show/x?s=2&id=7": "/show/7?s=2&v=1", "h.example/show/?id=7;s": "h.example/show/7?s;v=1",
			"/show/x?id=7": "", "/show/x/?s&id=7": "", "/shows/x?s&id=7": "", "/show/x?s&id=7&v=1": "", "/show/x?s&id=7&s": "",
			"/show/x?s&id": "", "/show/x?s&id=": "", "/show/x?s&id=a/b": "", "/show/x?s&id=a?b": "", "/show/x?s&id=%2F": "/show/%2F?s&v=1",
			"/show/x?s&id=7&": "", "/show/x?s&id=7;t": "", "/show/x?s&=1&id=7": "", "show?/x?s&id=7": "",
		}},
		{`{"/0":"*"}`, `{"/0":"drop"}`, map[string]string{"/a": "/", "/": "", "/a;b": "/", "/a?": "", "a": "", "/a/": "", "?/a": ""}},
		{`{"/0":"a","/1":""}`, `{"/1":"drop"}`, map[string]string{"/a/": "/a", "/a": "", "/a//": ""}},
		{`{"/0":"*","/1":"amp","/2":""}`, `{"/1":{"set":""},"/2":"drop"}`, map[string]string{"/s/amp/": "/s/", "/s/amp": "", "//amp/": "//"}},
		{`{"/0":"*"}`, `{"/0":{"set":""}}`, map[string]string{"/a": "/", "/": "/"}},
		{`{"/0":"","n":"*"}`, `{"m":{"copy":"n"},"n":"drop"}`, map[string]string{"/?n=1": "/?m=1", "/?n=": "/?m=", "/?n": "", "/?n=a;b": "", "/?n=a=b": "/?m=a=b"}},
		{`{"/0":"","n":""}`, `{"n":"drop"}`, map[string]string{"/?n=": "/", "/?n": "", "/?n=1": ""}},
		{`{"/0":"*","/1":"amp","/2":""}`, `{"/1":{"set":""},"/2":"drop"}`, map[string]string{"/s/amp/": "/s/", "/s/amp": "", "//amp/": "//"}},
		{`{"/0":"*"}`, `{"/0":{"set":""}}`, map[string]string{"/a": "/", "/": "/"}},
		{`{"/0":"","n":"*"}`, `{"n":{"set":""}}`, map[string]string{"/?n=1": "/?n=", "/?n": "", "/?n=": ""}},
		{`{"/0":"x","a":"*","b":"*"}`, `{"a":{"copy":"b"},"b":{"copy":"a"}}`, map[string]string{"/x?a=1&b=2": "/x?a=2&b=1", "/x?b=2;a=1": "/x?b=1;a=2", "/x?a=1&b": ""}},
		{`{"/0":"*","/1":"*"}`, `{"/0":{"copy":"/1"},"/1":{"copy":"/0"}}`, map[string]string{"/a/b": "/b/a", "/a/": "", "/a;/b": "", "/a&/b": "", "/a/a": ""}},
		{`{"/0":"a;b","/1":"c\u0026d","?":"*"}`, `{"/0":{"set":"e;\u0026f"},"?":"drop"}`, map[string]string{"/a;b/c&d??=1": "/e;&f/c&d", "/a;b/c&d?": ""}},
	} {
		text := fmt.Sprintf(`{"kind":"template","where":%s,"edit":%s,"scope":{}}`, c.where, c.edit)
		r := readRule(t, text)
		if wrote, err := json.Marshal(r); err != nil || string(wrote) != text {
			t.Errorf("%s is written as %s (%v)", text, wrote, err)
		}
		for url, want := range c.urls {
			if want == "" {
				want = url
			}
			got, changed := r.Apply([]byte("x"), []byte(url))
			if changed != (want != url) || changed && string(got) != "x"+want || !changed && string(got) != "x" {
				t.Errorf("%s: %q becomes %q (%v), want %q", text, url, got, changed, want)
			}
		}
	}
}

func TestRewriteRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`"where":{"/0":"a"}`, "needs where and edit"},
		{`"where":{"/0":"a"},"edit":{}`, "without an edit"},
		{`"where":{"a":"1"},"edit":{"a":"drop"}`, "needs the key /0"},
		{`"where":{"/0":"a","/2":"b"},"edit":{"/0":"drop"}`, `key "/2" is not the next segment`},
		{`"where":{"/0":"a","/01":"b"},"edit":{"/0":"drop"}`, `key "/01" is not the next segment`},
		{`"where":{"/0":"a","/x":"b"},"edit":{"/0":"drop"}`, `key "/x" is not the next segment`},
		{`"where":{"/0":"a"},"edit":{"/1":{"set":"b"}}`, `key "/1" is not the next segment`},
		{`"where":{"/0":"a/b"},"edit":{"/0":"drop"}`, "is not one segment"},
		{`"where":{"/0":"a"},"edit":{"/0":{"set":"a?"}}`, "is not one segment"},
		{`"where":{"/0":"a"},"edit":{"/0":{"copy":"b"}}`, `there is no key "b"`},
		{`"where":{"/0":"a"},"edit":{"b":{"copy":"b"}}`, `there is no key "b"`},
		{`"where":{"/0":"a"},"edit":{"b":"drop"}`, "neither set nor copied"},
		{`"where":{"/0":"a"},"edit":{"b":{"set":"1"},"c":{"set":"1"}}`, "2 absent parameters"},
		{`"where":{"/0":"a","b;":"*"},"edit":{"/0":"drop"}`, "holds a separator"},
		{`"where":{"/0":"a","b":"1&"},"edit":{"/0":"drop"}`, "holds a separator"},
		{`"where":{"/0":"a","":"*"},"edit":{"/0":"drop"}`, "no name"},
		{`"where":{"/0":"a b"},"edit":{"/0":"drop"}`, "no URL holds ' '"},
		{`"where":{"/0":"a"},"edit":{"/0":"move"}`, `edit of key "/0" is unknown`},
		{`"where":{"/0":"a"},"edit":{"/0":{"set":"1","copy":"/0"}}`, `edit of key "/0" is unknown`},
		{`"where":{"/0":"a"},"edit":{"/0":{"lower":"/0"}}`, `edit of key "/0" is unknown`},
		{`"where":{"/0":"a"},"edit":{"/0":"drop"},"form":"case"`, `no member "form"`},
		{`"where":{"/0":"a"` + many(64) + `},"edit":{"/0":"drop"}`, "65 keys"},
	} {
		var r Rule
		if err := json.Unmarshal([]byte(`{"kind":"template",`+c.text+`}`), &r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
	readRule(t, `{"kind":"template","where":{"/0":"a"`+many(63)+`},"edit":{"b":{"copy":"/0"}}}`)
}

// many returns parameters of where.
func many(n int) (text string) {
	for i := range n {
		text += fmt.Sprintf(`,"a%d":"*"`, i)
	}
	return text
}

// A template has one form, whatever the order of its keys, and says what it is.
func TestTemplateIdentity(t *testing.T) {
	keys := []Key{{Name: "z", Absent: true, Edit: CopyKey, To: "/10"}, {Name: "b", Value: "", Edit: DropKey}, {Name: "a", Any: true, Edit: SetKey, To: "*"}}
	for i := range 11 {
		keys = append(keys, Key{Name: fmt.Sprint("/", i), Any: i > 0})
	}
	one, err := NewTemplate(keys)
	must(t, err)
	slices.Reverse(keys)
	if two, err := NewTemplate(keys); err != nil || one != two {
		t.Errorf("%v and %v, %v", one, two, err)
	}
	if got := slices.Collect(one.Keys()); got[10].Name != "/10" || got[11].Name != "a" || got[13] != keys[len(keys)-1] {
		t.Errorf("%+v", got)
	}
	r := Rule{Edit: Rewrite{Template: one}}
	if got, want := r.Words(), "write //*/*/*/*/*/*/*/*/*/<11>?a=*&b= as //*/*/*/*/*/*/*/*/*/<11>?a=*&z=<11>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	secret := readRule(t, `{"kind":"template","where":{"/0":"a","b":"c"},"edit":{"b":{"set":"d"},"e":{"copy":"/0"}}}`)
	if got, want := secret.Text(), "a\nb=c\nb=d\ne"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A URL that stays costs no memory, whether it fits or not.
func TestRewriteAllocates(t *testing.T) {
	r := readRule(t, `{"kind":"template","where":{"/0":"show","/1":"*","id":"*","s":"*"},"edit":{"/1":{"copy":"id"},"id":"drop","v":{"set":"1"}},"except":{"urls":["/show/y?s=2&id=7"],"scopes":[{"path":"/show/*/"},{"where":[{"param":"s","value":"3"}]}]}}`)
	dst := make([]byte, 0, 100)
	for _, url := range []string{"/show/x?s=2&id=7", "/show/x?s=2&id", "/show/x?s=2", "/", "/show/y?s=2&id=7", "/show/x?s=3&id=7"} {
		if n := testing.AllocsPerRun(100, func() { r.Apply(dst, []byte(url)) }); n > 0 {
			t.Errorf("%q: %v allocations", url, n)
		}
	}
}
