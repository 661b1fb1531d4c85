package admin

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"dustbuster/sinks/page"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// askToken is what the form says.
const askToken = "Log in with a token of this listener."

// form is the page to log in and out. Addresses are relative, so a proxy may put the
// listener below a path.
var form = sync.OnceValue(func() *template.Template { return template.Must(template.New("login").Parse(formText)) })

const formText = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>dustbuster: log in</title>
<link rel="icon" href="data:,">
<style>{{.Style}}</style>
<main>
<h1>dustbuster</h1>
<p role="status">{{.Said}}</p>
{{if .In}}<form method="post" action="{{.Base}}logout"><button>Log out</button></form>
{{else}}<form method="post" action="{{.Base}}login">
<p><label for="token">Token</label><br>
<input type="password" name="token" id="token" autocomplete="current-password" required autofocus></p>
<button class="first">Log in</button>
</form>
{{end}}</main></html>
`

// formPolicy is the policy of the form: the common style sheet, and a form.
var formPolicy = strings.Replace(page.Policy(), "form-action 'none'", "form-action 'self'", 1) + "; frame-ancestors 'none'"

// writeForm writes the page with a sentence, and with the form to log out of a browser that is in,
// else to log in.
func writeForm(w http.ResponseWriter, r *http.Request, code int, said string, in bool) {
	base := strings.Repeat("../", max(0, strings.Count(r.URL.Path, "/")-1))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", formPolicy)
	w.WriteHeader(code)
	_ = form().Execute(w, struct { // an error means the client has gone
		Said, Base string
		In         bool
		Style      template.CSS
	}{said, base, in, template.CSS(page.Style)}) //nolint:gosec // our own style sheet
}

// page shows the form to a browser.
func (d *door) page(w http.ResponseWriter, r *http.Request) {
	if p, ok := d.session(r); ok {
		writeForm(w, r, http.StatusOK, fmt.Sprintf("You are logged in, with the role %s.", p.roles), true)
		return
	}
	writeForm(w, r, http.StatusOK, askToken, false)
}

// login begins the session of a browser that sends a token.
func (d *door) login(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err := r.ParseForm()
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		writeForm(w, r, http.StatusRequestEntityTooLarge, "The form is too large.", false)
		return
	case err != nil || r.PostForm.Get("token") == "":
		writeForm(w, r, http.StatusBadRequest, "No token was sent: the form has one field, token.", false)
		return
	}
	t := d.right(w, r, r.PostForm.Get("token"))
	switch {
	case t == nil: // right has refused the request
	case t.roles&(Read|Operate) == 0:
		d.deny(w, r, http.StatusForbidden, wrongRole, "This token is for crawlers that report. A browser needs the role read or operate.")
	default:
		d.setCookie(w, r, d.sessions.begin(t), int(sessionTime.Seconds()))
		seeOther(w, "./")
	}
}

// logout ends the session of a browser, and takes its cookie away.
func (d *door) logout(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(d.cookieName(r)); err == nil {
		d.sessions.end(cookie.Value)
	}
	d.setCookie(w, r, "", -1)
	seeOther(w, "login")
}

func (d *door) session(r *http.Request) (p pass, ok bool) {
	cookie, err := r.Cookie(d.cookieName(r))
	if err != nil {
		return pass{}, false
	}
	return d.sessions.find(cookie.Value)
}

// cookieName returns the name of the cookie. All ports of a host share cookies, so the name holds
// the port that the browser asks, or the listener's if it names none.
func (d *door) cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if _, odd := strconv.ParseUint(port, 10, 16); err != nil || odd != nil {
		port = d.port
	}
	return "dustbuster-" + port
}

// setCookie sets a cookie that no script can read and no page of another site can send. A
// cookie set over TLS, here or at a proxy, is never sent without TLS.
func (d *door) setCookie(w http.ResponseWriter, r *http.Request, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: d.cookieName(r), Value: value, Path: "/", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")})
}

// seeOther sends a browser to an address relative to this one.
func seeOther(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}

// sessionTime is for how long a browser that has logged in is let in.
const sessionTime = 12 * time.Hour

// mostSessions bounds the sessions. One more ends the session that was used longest ago.
const mostSessions = 1024

// sessions are the sessions of browsers, by the value of the cookie, which is random. Sessions
// are kept in memory, so none outlives the program.
type sessions struct {
	mu   sync.Mutex
	open *lru.LRU[string, session]
}

// session is the pass of a browser. Its pass ends with the session, and when another token
// replaces the token that the browser has shown.
type session struct {
	pass
	end context.CancelFunc
}

func newSessions() *sessions {
	open, _ := lru.NewLRU(mostSessions, func(_ string, s session) { s.end() }) // an error only of a size of 0
	return &sessions{open: open}
}

func (s *sessions) begin(t *token) (value string) {
	held, end := context.WithTimeout(t.held, sessionTime)
	value = rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open.Add(value, session{pass{t.roles, held}, end})
	return value
}

// find returns the pass of a session. ok is false if there is no such session any more.
func (s *sessions) find(value string) (p pass, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.open.Get(value)
	if ok && found.held.Err() != nil {
		ok = !s.open.Remove(value)
	}
	return found.pass, ok
}

// end ends a session, and the streams of its browser.
func (s *sessions) end(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open.Remove(value)
}
