package admin

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Pages of allowed origins may read the rules, and nothing else. Without the setting no page may.
func TestShare(t *testing.T) {
	const page, other = "https://crawler.example", "https://other.example"
	for name, c := range map[string]struct {
		allowed              []string
		method, path, origin string
		header               []string
		code                 int
		shared               bool
	}{
		"the question":      {[]string{page}, "OPTIONS", "/api/v1/rules?state=valid", page, nil, 204, true},
		"the rules":         {[]string{other, page}, "GET", "/api/v1/rules", page, []string{"Authorization", "Bearer " + theToken}, 200, true},
		"no token":          {[]string{page}, "GET", "/api/v1/rules", page, nil, 401, true},
		"another origin":    {[]string{page}, "GET", "/api/v1/rules", other, []string{"Authorization", "Bearer " + theToken}, 200, false},
		"another's ask":     {[]string{page}, "OPTIONS", "/api/v1/rules", other, nil, 401, false},
		"no origin":         {[]string{page}, "GET", "/api/v1/rules", "", []string{"Authorization", "Bearer " + theToken}, 200, false},
		"null":              {[]string{page}, "GET", "/api/v1/rules", "null", nil, 401, false},
		"another path":      {[]string{page}, "GET", "/api/v1/status", page, []string{"Authorization", "Bearer " + theToken}, 200, false},
		"ask another path":  {[]string{page}, "OPTIONS", "/api/v1/veto", page, nil, 401, false},
		"another host":      {[]string{page}, "GET", "/api/v1/rules", page, []string{"Host", "www.example.org"}, 421, false},
		"without a setting": {nil, "OPTIONS", "/api/v1/rules", page, nil, 401, false},
	} {
		d := doorOf(t, Options{Listen: "0.0.0.0:9464", Tokens: Tokens{Read: tokenFile(t, theToken, 0o600)}, Origins: c.allowed})
		header := c.header
		if c.origin != "" {
			header = append(header, "Origin", c.origin)
		}
		w := send(t, handler(show(full()), d, nil), c.method, c.path, "", append(header, "Sec-Fetch-Site", "cross-site")...)
		h := w.Header()
		if got := h.Get("Access-Control-Allow-Origin"); w.Code != c.code || (got != "") != c.shared || c.shared && (got != c.origin || h.Get("Access-Control-Expose-Headers") != "ETag") {
			t.Errorf("%s: %d, %v", name, w.Code, h)
		}
		if h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: cookies are allowed", name)
		}
		if (h.Get("Access-Control-Allow-Headers") == "Authorization, If-None-Match") != (c.code == 204) {
			t.Errorf("%s: %v", name, h)
		}
		if varies := slices.Contains(h.Values("Vary"), "Origin"); varies != (len(c.allowed) > 0 && strings.HasPrefix(c.path, rulesPath) && c.code != http.StatusMisdirectedRequest) {
			t.Errorf("%s: Vary %q", name, h.Values("Vary"))
		}
	}
}
