package admin

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// actCase is the body and origin of a request for an act, and the expected response.
type actCase struct {
	body, origin string
	code         int
	field        string
}

// tryActs posts bodies, and expects the field and a reason in each refusal.
func tryActs(t *testing.T, h http.Handler, method, path string, cases map[string]actCase) {
	t.Helper()
	for name, c := range cases {
		var header []string
		if c.origin != "" {
			header = []string{"Origin", c.origin}
		}
		w := send(t, h, method, path, c.body, header...)
		var said struct{ Field, Reason string }
		if c.code != http.StatusAccepted && c.code != http.StatusForbidden {
			if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil || said.Reason == "" {
				t.Errorf("%s: %v, %s", name, err, w.Body)
			}
		}
		if w.Code != c.code || said.Field != c.field {
			t.Errorf("%s: %d, %q, want %d, %q", name, w.Code, said.Field, c.code, c.field)
		}
	}
}

// A person may approve a held update. A page in a browser may not.
func TestApprove(t *testing.T) {
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/approve", map[string]actCase{
		"right":      {`{"site": "a.example", "mark": "m"}`, "", http.StatusAccepted, ""},
		"a page":     {`{"site": "a.example", "mark": "m"}`, "https://www.example.org", http.StatusForbidden, ""},
		"no update":  {`{"site": "a.example", "mark": "n"}`, "", http.StatusNotFound, "mark"},
		"no site":    {`{"mark": "m"}`, "", http.StatusBadRequest, "site"},
		"no mark":    {`{"site": "a.example"}`, "", http.StatusBadRequest, "mark"},
		"empty mark": {`{"site": "a.example", "mark": ""}`, "", http.StatusBadRequest, "mark"},
		"number":     {`{"site": "a.example", "mark": 1}`, "", http.StatusBadRequest, "mark"},
		"a form":     {`site=a.example&mark=m`, "", http.StatusBadRequest, ""},
		"large":      {`{"site": "a.example"` + strings.Repeat(" ", maxBody) + "}", "", http.StatusRequestEntityTooLarge, ""},
	})
}

// A request starts new trials of rules. A wrong request is refused with the reason.
func TestRecheck(t *testing.T) {
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/recheck", map[string]actCase{
		"a site":      {`{"site": "a.example"}`, "", http.StatusAccepted, ""},
		"a rule":      {`{"site": "a.example", "id": "r"}` + "\n", "", http.StatusAccepted, ""},
		"full":        {`{"site": "a.example"` + strings.Repeat(" ", maxBody-22) + "}", "", http.StatusAccepted, ""},
		"a page":      {`{"site": "a.example"}`, "https://www.example.org", http.StatusForbidden, ""},
		"other site":  {`{"site": "b.example"}`, "", http.StatusNotFound, "site"},
		"no name":     {`{"site": ""}`, "", http.StatusNotFound, "site"},
		"other rule":  {`{"site": "a.example", "id": "q"}`, "", http.StatusNotFound, "id"},
		"no site":     {`{"id": "r"}`, "", http.StatusBadRequest, "site"},
		"empty id":    {`{"site": "a.example", "id": ""}`, "", http.StatusBadRequest, "id"},
		"number":      {`{"site": 7}`, "", http.StatusBadRequest, "site"},
		"unknown":     {`{"site": "a.example", "rule": "r"}`, "", http.StatusBadRequest, ""},
		"two":         {`{"site": "a.example"}{}`, "", http.StatusBadRequest, ""},
		"no object":   {`["a.example"]`, "", http.StatusBadRequest, ""},
		"a form":      {`site=a.example`, "", http.StatusBadRequest, ""},
		"nothing":     {``, "", http.StatusBadRequest, ""},
		"large":       {`{"site": "a.example"` + strings.Repeat(" ", maxBody-20) + "}", "", http.StatusRequestEntityTooLarge, ""},
		"large after": {`{"site": "a.example"}` + strings.Repeat(" ", maxBody), "", http.StatusRequestEntityTooLarge, ""},
	})
}

// A request for a site of another member of the group is refused, and the response names
// the member.
func TestElsewhere(t *testing.T) {
	for path, more := range map[string]string{"/api/v1/approve": `"mark": "m"`, "/api/v1/recheck": `"id": "r"`} {
		for site, want := range map[string]string{
			"elsewhere.example": `"reason":"another member of the group owns the site: ask that one","owner":"dustbuster-7","host":"10.0.0.7"}`,
			"moving.example":    `and the group does not say which one does: ask again"}`,
		} {
			w := send(t, local(t, show(fixed{})), http.MethodPost, path, `{"site": "`+site+`", `+more+`}`, "Host", "localhost")
			if w.Code != http.StatusMisdirectedRequest || !strings.Contains(w.Body.String(), `{"field":"site",`) || !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s, %s: %d, %s", path, site, w.Code, w.Body)
			}
		}
	}
}
