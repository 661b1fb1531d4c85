package report

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
)

// pageText returns a page as JSON, with some members replaced.
func pageText(t *testing.T, replace map[string]any) []byte {
	t.Helper()
	return replaced(t, replace, map[string]any{"site": "www.example.org", "url": "http://www.example.org/a?sid=1", "status": 200, "content_type": "text/html", "body": "<p>a page"})
}

func TestParsePage(t *testing.T) {
	p, err := ParsePage(pageText(t, nil))
	if err != nil || p.Site != "www.example.org" || p.URL != "http://www.example.org/a?sid=1" || p.Status != 200 || p.ContentType != "text/html" || string(p.Body) != "<p>a page" || p.Kind() != Shown {
		t.Errorf("%+v, %v", p, err)
	}
	bytesOf := "caf\xe9\x00" // not UTF-8
	if p, err = ParsePage(pageText(t, map[string]any{"body": nil, "body_base64": base64.StdEncoding.EncodeToString([]byte(bytesOf))})); err != nil || string(p.Body) != bytesOf {
		t.Errorf("%+v, %v", p, err)
	}
	if url, err := p.Mined(false); err != nil || url != "/a?sid=1" {
		t.Errorf("%q, %v", url, err)
	}
	if url, err := p.Mined(true); err != nil || url != "www.example.org/a?sid=1" {
		t.Errorf("%q, %v", url, err)
	}
	p.Site = "other.example"
	if _, err := p.Mined(false); err == nil {
		t.Error("a URL of another site")
	}
}

func TestKind(t *testing.T) {
	for status, want := range map[int]Kind{200: Shown, 203: Shown, 204: Nothing, 206: Nothing, 301: Nothing, 304: Nothing, 401: Nothing, 403: Nothing, 404: Gone, 408: Nothing, 410: Gone, 429: Nothing, 500: Nothing, 503: Nothing} {
		if got := (&Page{Status: status}).Kind(); got != want {
			t.Errorf("%d: %d, want %d", status, got, want)
		}
	}
}

// An error names the member.
func TestParsePageErrors(t *testing.T) {
	for name, c := range map[string]struct {
		replace map[string]any
		field   string
	}{
		"no site":      {map[string]any{"site": nil}, "site"},
		"no URL":       {map[string]any{"url": nil}, "url"},
		"no status":    {map[string]any{"status": nil}, "status"},
		"status 0":     {map[string]any{"status": 0}, "status"},
		"status 2000":  {map[string]any{"status": 2000}, "status"},
		"status text":  {map[string]any{"status": "200"}, "status"},
		"no body":      {map[string]any{"body": nil}, "body"},
		"two bodies":   {map[string]any{"body_base64": ""}, "body"},
		"no base64":    {map[string]any{"body": nil, "body_base64": "a b"}, "body_base64"},
		"long type":    {map[string]any{"content_type": strings.Repeat("a", maxType+1)}, "content_type"},
		"a path":       {map[string]any{"url": "/a"}, "url"},
		"a user":       {map[string]any{"url": "http://me@www.example.org/"}, "url"},
		"another kind": {map[string]any{"url": "file:///etc/passwd"}, "url"},
		"unknown":      {map[string]any{"page": 1}, ""},
		"large":        {map[string]any{"body": strings.Repeat("a", MaxPageBytes)}, ""},
	} {
		_, err := ParsePage(pageText(t, c.replace))
		bad, ok := errors.AsType[*FieldError](err)
		if !ok || bad.Field != c.field || bad.Reason == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bad := range []string{"", "{", "[]", "null", string(pageText(t, nil)) + "{}", "\x1f\x8b\x08"} {
		if _, err := ParsePage([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func FuzzParsePage(f *testing.F) {
	f.Add([]byte(`{"site":"a","url":"http://a/b?c=1","status":200,"body":"x"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParsePage(b)
		if err != nil {
			return
		}
		if len(p.Body) > 3*len(b) { // JSON gives a byte that is no UTF-8 three bytes
			t.Fatalf("%d bytes of %d", len(p.Body), len(b))
		}
		if url, err := p.Mined(true); err == nil && (len(url) > 2048 || !strings.Contains(url, "/") || bytes.ContainsAny([]byte(url), " \n")) {
			t.Fatalf("%q", url)
		}
	})
}
