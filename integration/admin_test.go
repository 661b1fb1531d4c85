package integration

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/judge/lifecycle"
)

// ask returns the status and the text of an answer of an admin listener: 0 and the error if
// there is none.
func ask(address, path string) (int, string) {
	return answerOf(http.NewRequest(http.MethodGet, "http://"+address+path, nil))
}

// post posts to an admin listener. header are names and values, in turn.
func post(address, path string, body io.Reader, header ...string) (int, string) {
	r, err := http.NewRequest(http.MethodPost, "http://"+address+path, body)
	if err == nil {
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
	}
	return answerOf(r, err)
}

func answerOf(r *http.Request, err error) (int, string) {
	if err != nil {
		return 0, err.Error()
	}
	client := http.Client{Timeout: 30 * time.Second}
	answer, err := client.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(text)
}

// postJSON posts an object to an admin listener, and returns the status.
func postJSON(t testing.TB, address, path string, object map[string]any) int {
	t.Helper()
	text, err := json.Marshal(object)
	must(t, err)
	code, _ := post(address, path, bytes.NewReader(text), "Content-Type", "application/json")
	return code
}

// get asks a program's admin listener; "" if it does not answer with 200.
func (r *running) get(path string) string {
	if code, text := ask(r.admin, path); code == http.StatusOK {
		return text
	}
	return ""
}

// status is what an agent or a daemon tells of itself, as far as tests look at it.
type status struct {
	Lines map[string]int
	Tail  struct {
		Bytes     int64
		Abandoned int64 `json:"abandoned_files"`
	}
	Errors     int
	Waiting    int `json:"waiting_observations"`
	Sent       struct{ Observations, Records, Bytes int }
	Partitions []struct {
		Refused int `json:"refused_reports"`
	}
	Validate struct {
		Requests int
		Waiting  json.RawMessage
		Held     map[string]struct {
			Rules int
			Share float64
			Mark  string
		} `json:"held_updates"`
		Reports map[string]struct{ Different, Alike int }
		Sites   map[string]struct {
			Left     int    `json:"candidates_left"`
			Testing  string `json:"under_test"`
			Pairs    int
			Rules    map[string]int
			Reported struct{ Tried, Wrong int }
		}
		Now map[string]struct{ Reason lifecycle.Why }
	}
}

// status asks a program how it is doing; ok is false if it does not answer, as before it is up.
func (r *running) status(t testing.TB) (s status, ok bool) {
	t.Helper()
	text := r.get("/api/v1/status")
	if text != "" {
		must(t, json.Unmarshal([]byte(text), &s))
	}
	return s, text != ""
}

// ready is what /readyz says: "ok", or why the program is not ready.
func (r *running) ready() string {
	_, text := ask(r.admin, "/readyz")
	return strings.TrimSpace(text)
}

// awaitReady waits until /readyz says a text.
func (r *running) awaitReady(t testing.TB, want string) {
	t.Helper()
	await(t, patience, r.name+": "+want, func() (string, bool) {
		said := r.ready()
		return said, said == want || want != "ok" && strings.Contains(said, want)
	}, r)
}

// awaitAnswer waits for a page to be there and have a text.
func awaitAnswer(t testing.TB, url, want string) {
	t.Helper()
	await(t, patience, want+" at "+url, func() (string, bool) {
		address, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		code, text := ask(address, "/"+path)
		return text, code == http.StatusOK && strings.Contains(text, want)
	})
}

// awaits waits until a page of the admin listener has a text.
func (r *running) awaits(t testing.TB, path, want string) {
	t.Helper()
	awaitAnswer(t, "http://"+r.admin+path, want)
}
