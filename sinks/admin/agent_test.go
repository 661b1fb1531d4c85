package admin

import (
	"net/http"
	"strings"
	"testing"
)

// The listener of an agent has no rules.
func TestAgentAnswers(t *testing.T) {
	s := full()
	s.ready = errBehind
	for path, want := range map[string]struct {
		code int
		text string
	}{
		"/":              {http.StatusOK, "/metrics\n"},
		"/healthz":       {http.StatusOK, "ok\n"},
		"/readyz":        {http.StatusServiceUnavailable, errBehind.Error() + "\n"},
		"/metrics":       {http.StatusOK, "\ndustbuster_rules 136\n"},
		"/api/v1/inputs": {http.StatusOK, "{\n  \"inputs\": []\n}\n"},
		"/api/v1/rules":  {http.StatusNotFound, ""},
		"/api/v1/status": {http.StatusOK, "{\n  \"caught_up\": true,\n  \"last_error\": \"\\u003cdisk full\\u003e\"\n}\n"},
	} {
		if code, _, body := get(t, agentHandler(show(s), doorOf(t, Options{Listen: "127.0.0.1:9464"})), path); code != want.code || !strings.Contains(body, want.text) {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
}
