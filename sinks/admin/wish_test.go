package admin

import (
	"net/http"
	"strings"
	"testing"
)

// A person may veto and pin rules, and prefer texts. A wrong request is refused with the
// reason.
func TestWishes(t *testing.T) {
	ofRules := map[string]actCase{
		"right":      {`{"site": "a.example", "id": "r"}`, "", http.StatusAccepted, ""},
		"a page":     {`{"site": "a.example", "id": "r"}`, "https://www.example.org", http.StatusForbidden, ""},
		"other site": {`{"site": "b.example", "id": "r"}`, "", http.StatusNotFound, "site"},
		"elsewhere":  {`{"site": "elsewhere.example", "id": "r"}`, "", http.StatusMisdirectedRequest, "site"},
		"other rule": {`{"site": "a.example", "id": "q"}`, "", http.StatusNotFound, "id"},
		"settings":   {`{"site": "a.example", "id": "settings"}`, "", http.StatusBadRequest, "id"},
		"many":       {`{"site": "a.example", "id": "many"}`, "", http.StatusBadRequest, "id"},
		"no site":    {`{"id": "r"}`, "", http.StatusBadRequest, "site"},
		"no id":      {`{"site": "a.example"}`, "", http.StatusBadRequest, "id"},
		"number":     {`{"site": "a.example", "id": 7}`, "", http.StatusBadRequest, "id"},
		"large":      {`{"site": "a.example"` + strings.Repeat(" ", maxBody) + "}", "", http.StatusRequestEntityTooLarge, ""},
	}
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/veto", ofRules)
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/pin", ofRules)
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/prefer", map[string]actCase{
		"right":     {`{"site": "a.example", "sides": ["/story/"]}`, "", http.StatusAccepted, ""},
		"a page":    {`{"site": "a.example", "sides": ["/story/"]}`, "https://www.example.org", http.StatusForbidden, ""},
		"no site":   {`{"sides": ["/story/"]}`, "", http.StatusBadRequest, "site"},
		"no sides":  {`{"site": "a.example"}`, "", http.StatusBadRequest, "sides"},
		"no list":   {`{"site": "a.example", "sides": "/story/"}`, "", http.StatusBadRequest, "sides"},
		"bad text":  {`{"site": "a.example", "sides": ["a b"]}`, "", http.StatusBadRequest, "sides"},
		"elsewhere": {`{"site": "elsewhere.example", "sides": ["/story/"]}`, "", http.StatusMisdirectedRequest, "site"},
	})
}

// DELETE takes a decision back. A page in a browser may not.
func TestWishesTakenBack(t *testing.T) {
	for _, c := range []struct {
		path, body, origin string
		code               int
	}{
		{"veto", `{"site": "a.example", "id": "r"}`, "", http.StatusAccepted},
		{"veto", `{"site": "a.example", "id": "q"}`, "", http.StatusNotFound},
		{"veto", `{"site": "a.example", "id": "r"}`, "https://www.example.org", http.StatusForbidden},
		{"pin", `{"site": "a.example", "id": "r"}`, "", http.StatusAccepted},
		{"prefer", `{"site": "a.example"}`, "", http.StatusAccepted},
		{"prefer", `{"site": "a.example", "sides": ["/x/"]}`, "", http.StatusNotFound},
		{"prefer", `{"site": "a.example", "sides": ["/y/"]}`, "", http.StatusAccepted},
		{"report", `{}`, "", http.StatusMethodNotAllowed},
	} {
		var header []string
		if c.origin != "" {
			header = []string{"Origin", c.origin}
		}
		if w := send(t, local(t, show(fixed{})), http.MethodDelete, "/api/v1/"+c.path, c.body, header...); w.Code != c.code {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
	}
}
