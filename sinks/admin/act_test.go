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
		w := send(t, h, method, path, c.body, "Origin", c.origin)
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

// A person may approve or reject a held update, or one rule of it. A page in a browser may not.
func TestApprove(t *testing.T) {
	cases := map[string]actCase{
		"one rule":   {`{"site": "a.example", "mark": "m", "id": "r"}`, "", http.StatusAccepted, ""},
		"other rule": {`{"site": "a.example", "mark": "m", "id": "q"}`, "", http.StatusNotFound, "id"},
		"empty id":   {`{"site": "a.example", "mark": "m", "id": ""}`, "", http.StatusBadRequest, "id"},
		"changed":    {`{"site": "a.example", "mark": "old"}`, "", http.StatusConflict, "mark"},
		"many":       {`{"site": "a.example", "mark": "many"}`, "", http.StatusBadRequest, "mark"},
		"other site": {`{"site": "b.example", "mark": "m"}`, "", http.StatusNotFound, "mark"},
		"right":      {`{"site": "a.example", "mark": "m"}`, "", http.StatusAccepted, ""},
		"a page":     {`{"site": "a.example", "mark": "m"}`, "https://www.example.org", http.StatusForbidden, ""},
		"no update":  {`{"site": "a.example", "mark": "n"}`, "", http.StatusNotFound, "mark"},
		"no site":    {`{"mark": "m"}`, "", http.StatusBadRequest, "site"},
		"no mark":    {`{"site": "a.example"}`, "", http.StatusBadRequest, "mark"},
		"empty mark": {`{"site": "a.example", "mark": ""}`, "", http.StatusBadRequest, "mark"},
		"number":     {`{"site": "a.example", "mark": 1}`, "", http.StatusBadRequest, "mark"},
		"a form":     {`site=a.example&mark=m`, "", http.StatusBadRequest, ""},
		"large":      {`{"site": "a.example"` + strings.Repeat(" ", maxBody) + "}", "", http.StatusRequestEntityTooLarge, ""},
	}
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/approve", cases)
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/reject", cases)
}

// A person may have a pair fetched, but not too many at once. A page in a browser may not.
func TestLookNow(t *testing.T) {
	h := local(t, show(fixed{}))
	tryActs(t, h, http.MethodPost, "/api/v1/look", map[string]actCase{
		"slow":        {`{"site": "a.example", "id": "slow", "pair": 0}`, "", http.StatusAccepted, ""},
		"busy":        {`{"site": "a.example", "id": "busy", "pair": 0}`, "", http.StatusTooManyRequests, ""},
		"a page":      {`{"site": "a.example", "id": "r", "pair": 0}`, "https://www.example.org", http.StatusForbidden, ""},
		"no pair":     {`{"site": "a.example", "id": "r", "pair": 7}`, "", http.StatusNotFound, "pair"},
		"no number":   {`{"site": "a.example", "id": "r"}`, "", http.StatusBadRequest, "pair"},
		"other site":  {`{"site": "b.example", "id": "r", "pair": 0}`, "", http.StatusNotFound, "site"},
		"other owner": {`{"site": "elsewhere.example", "id": "r", "pair": 0}`, "", http.StatusMisdirectedRequest, "site"},
		"a URL":       {`{"site": "a.example", "id": "r", "pair": 0, "u": "/x"}`, "", http.StatusBadRequest, ""},
	})
	if w := send(t, h, http.MethodPost, "/api/v1/look", `{"site": "a.example", "id": "r", "pair": 0}`); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"outcome": "similar"`) {
		t.Errorf("%d, %s", w.Code, w.Body)
	}
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

// A site that computes is refused with the time to ask again, and an unknown rule is not found.
func TestBusy(t *testing.T) {
	h := local(t, show(fixed{}))
	for _, c := range []struct{ method, path, body string }{
		{http.MethodGet, "/api/v1/pairs?site=busy.example&id=r", ""},
		{http.MethodPost, "/api/v1/approve", `{"site": "busy.example", "mark": "m"}`},
		{http.MethodPost, "/api/v1/reject", `{"site": "busy.example", "mark": "m"}`},
		{http.MethodPost, "/api/v1/recheck", `{"site": "busy.example"}`},
		{http.MethodPost, "/api/v1/veto", `{"site": "busy.example", "id": "r"}`},
		{http.MethodPost, "/api/v1/look", `{"site": "busy.example", "id": "r", "pair": 0}`},
		{http.MethodPost, "/api/v1/report", `{"site": "busy.example", "found": "http://busy.example/a", "canonical": "http://busy.example/b", "sha256": ["` + strings.Repeat("0", 64) + `", "` + strings.Repeat("1", 64) + `"]}`},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			if w := send(t, h, c.method, c.path, c.body); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") != "5" {
				t.Errorf("%d, %v, %s", w.Code, w.Header(), w.Body)
			}
		})
	}
	if w := send(t, h, http.MethodGet, "/api/v1/pairs?site=a.example&id=q", ""); w.Code != http.StatusNotFound {
		t.Errorf("an unknown rule: %d, %s", w.Code, w.Body)
	}
}

// A request for a site of another member of the group is refused, and the response names
// the member.
func TestElsewhere(t *testing.T) {
	for _, c := range []struct{ path, more string }{{"/api/v1/approve", `"mark": "m"`}, {"/api/v1/recheck", `"id": "r"`}} {
		for _, test := range []struct{ site, want string }{
			{"elsewhere.example", `"reason":"another member of the group owns the site: ask that one","owner":"dustbuster-7","host":"10.0.0.7"}`},
			{"moving.example", `and the group does not say which one does: ask again"}`},
		} {
			w := send(t, local(t, show(fixed{})), http.MethodPost, c.path, `{"site": "`+test.site+`", `+c.more+`}`, "Host", "localhost")
			if w.Code != http.StatusMisdirectedRequest || !strings.Contains(w.Body.String(), `{"field":"site",`) || !strings.Contains(w.Body.String(), test.want) {
				t.Errorf("%s, %s: %d, %s", c.path, test.site, w.Code, w.Body)
			}
		}
	}
}

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
	ofTexts := map[string]actCase{
		"param":    {`{"site": "a.example", "param": "sid"}`, "", http.StatusAccepted, ""},
		"both":     {`{"site": "a.example", "id": "r", "param": "sid"}`, "", http.StatusBadRequest, "param"},
		"empty":    {`{"site": "a.example", "param": ""}`, "", http.StatusBadRequest, "param"},
		"bad text": {`{"site": "a.example", "param": "a b"}`, "", http.StatusBadRequest, "param"},
		"a page":   {`{"site": "a.example", "param": "sid"}`, "https://www.example.org", http.StatusForbidden, ""},
	}
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/veto", ofTexts)
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/pin", ofRules)
	tryActs(t, local(t, show(fixed{})), http.MethodPost, "/api/v1/pin", ofTexts)
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

// A person may say that a site is his own, and that URLs with a parameter may be requested.
func TestSitesAndAllow(t *testing.T) {
	h := local(t, show(fixed{}))
	tryActs(t, h, http.MethodPost, "/api/v1/sites", map[string]actCase{
		"right":      {`{"site": "a.example"}`, "", http.StatusAccepted, ""},
		"a page":     {`{"site": "a.example"}`, "https://www.example.org", http.StatusForbidden, ""},
		"other site": {`{"site": "b.example"}`, "", http.StatusNotFound, "site"},
		"elsewhere":  {`{"site": "elsewhere.example"}`, "", http.StatusMisdirectedRequest, "site"},
		"no site":    {`{}`, "", http.StatusBadRequest, "site"},
		"more":       {`{"site": "a.example", "id": "r"}`, "", http.StatusBadRequest, ""},
	})
	tryActs(t, h, http.MethodPost, "/api/v1/allow", map[string]actCase{
		"right":      {`{"site": "a.example", "param": "ref"}`, "", http.StatusAccepted, ""},
		"word":       {`{"site": "a.example", "param": "view=print"}`, "", http.StatusAccepted, ""},
		"a page":     {`{"site": "a.example", "param": "ref"}`, "https://www.example.org", http.StatusForbidden, ""},
		"other site": {`{"site": "b.example", "param": "ref"}`, "", http.StatusNotFound, "site"},
		"elsewhere":  {`{"site": "elsewhere.example", "param": "ref"}`, "", http.StatusMisdirectedRequest, "site"},
		"no site":    {`{"param": "ref"}`, "", http.StatusBadRequest, "site"},
		"no param":   {`{"site": "a.example"}`, "", http.StatusBadRequest, "param"},
		"two pieces": {`{"site": "a.example", "param": "a&b"}`, "", http.StatusBadRequest, "param"},
	})
	if w := send(t, h, http.MethodGet, "/api/v1/sites", ""); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"a.example"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
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
		{"veto", `{"site": "a.example", "param": "b"}`, "", http.StatusNotFound},
		{"pin", `{"site": "a.example", "param": "b"}`, "", http.StatusNotFound},
		{"pin", `{"site": "a.example", "param": "c"}`, "", http.StatusAccepted},
		{"prefer", `{"site": "a.example"}`, "", http.StatusAccepted},
		{"prefer", `{"site": "a.example", "sides": ["/x/"]}`, "", http.StatusNotFound},
		{"prefer", `{"site": "a.example", "sides": ["/y/"]}`, "", http.StatusAccepted},
		{"allow", `{"site": "a.example", "param": "ref"}`, "", http.StatusAccepted},
		{"allow", `{"site": "a.example", "param": "b"}`, "", http.StatusNotFound},
		{"sites", `{"site": "a.example"}`, "", http.StatusAccepted},
		{"export", `{"site": "a.example", "format": "nginx", "redirect": true}`, "", http.StatusAccepted},
		{"export", `{"site": "a.example", "format": "nginx"}`, "", http.StatusNotFound},
		{"export", `{"site": "a.example", "format": "none"}`, "", http.StatusBadRequest},
		{"export", `{"format": "nginx"}`, "", http.StatusBadRequest},
		{"report", `{}`, "", http.StatusMethodNotAllowed},
	} {
		if w := send(t, local(t, show(fixed{})), http.MethodDelete, "/api/v1/"+c.path, c.body, "Origin", c.origin); w.Code != c.code {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
	}
}
