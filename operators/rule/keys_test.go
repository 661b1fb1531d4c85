package rule

import (
	"slices"
	"strings"
	"testing"
)

func TestKeysOf(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"/", "/0="}, {"/a", "/0=a"}, {"/a/", "/0=a /1="}, {"h.example/a//b", "/0=a /1= /2=b"},
		{"/?b=1&a", "/0= a b=1"}, {"/x?b=;a=c=d", "/0=x a=c=d b="}, {"/?a=b?c", "/0= a=b?c"},
		{"", "none"}, {"a", "none"}, {"?/", "none"}, {"/?", "none"}, {"/?a&b;c", "none"}, {"/?a&a=1", "none"}, {"/?=1", "none"}, {"/?a&", "none"}, {"/?/a=1", "none"},
		{strings.Repeat("/", MaxKeys+1), "none"},
	} {
		keys, ok := KeysOf(nil, c.url)
		var parts []string
		for _, k := range keys {
			if parts = append(parts, k.Name); !k.Any {
				parts[len(parts)-1] += "=" + k.Value
			}
		}
		if got := strings.Join(parts, " "); ok != (c.want != "none") || ok && got != c.want {
			t.Errorf("%q: %s (%v), want %s", c.url, got, ok, c.want)
		}
	}
}

// A template of the keys of a URL fits the URL. No template fits a URL without keys.
func FuzzKeysOf(f *testing.F) {
	for _, url := range []string{"/", "/a/b?c=d&e", "h/?a;b=1", "/?/0=1", "//?x==", "/?a&a", "/*?n=*", "/a?"} {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		if validateText(url) != nil {
			return
		}
		keys, ok := KeysOf(nil, url)
		before := slices.Clone(keys)
		shape := slices.Clone(keys)
		for i := range shape {
			shape[i].Value, shape[i].Any = "", true
		}
		if !ok && len(keys) > 0 {
			t.Fatalf("%q: keys %v", url, keys)
		}
		if !ok {
			return
		}
		shape[0].Edit, shape[0].To = SetKey, "edited"
		wide, err := NewTemplate(shape)
		must(t, err)
		r := Rule{Edit: Rewrite{Template: wide}}
		if _, changed := r.Apply(nil, []byte(url)); changed == (keys[0].Value == "edited") {
			t.Fatalf("%q: changed %v by %v", url, changed, wide)
		}
		keys[0].Edit, keys[0].To = SetKey, "edited"
		exact, err := NewTemplate(keys)
		if err != nil {
			if !strings.Contains(err.Error(), anyValue) {
				t.Fatal(err)
			}
			return
		}
		r.Edit = Rewrite{exact}
		if _, changed := r.Apply(nil, []byte(url)); changed == (before[0].Value == "edited") {
			t.Fatalf("%q: changed %v by %v", url, changed, exact)
		}
	})
}
