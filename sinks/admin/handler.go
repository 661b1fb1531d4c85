package admin

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/pprof"
	"strconv"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/read/input"
)

// handler handles the requests of a Server, behind the door. pages may be nil.
func handler(s State, d *door, pages map[string]http.Handler) http.Handler {
	mux := common(s, d)
	if pages == nil {
		mux.HandleFunc("GET /{$}", index("dustbuster", `/api/v1/rules
/api/v1/rules?site=www.example.org
/api/v1/rules?state=likely
/api/v1/export?site=www.example.org&format=nginx
/api/v1/waste
/api/v1/waste?site=www.example.org
/api/v1/sites
/api/v1/changes
`))
	}
	for pattern, page := range pages {
		mux.Handle(pattern, page)
	}
	mux.HandleFunc("GET "+rulesPath, rules(s))
	mux.HandleFunc("GET /api/v1/export", exported(s))
	mux.HandleFunc("GET /api/v1/changes", changes(s, d))
	mux.HandleFunc("GET /api/v1/waste", wasted(s))
	mux.HandleFunc("GET /api/v1/pairs", pairs(s))
	mux.HandleFunc("GET /api/v1/sites", document(s.Sites))
	mux.HandleFunc("POST /api/v1/look", lookNow(s))
	mux.HandleFunc("POST /api/v1/approve", decide(s, false))
	mux.HandleFunc("POST /api/v1/reject", decide(s, true))
	mux.HandleFunc("POST /api/v1/recheck", recheck(s))
	mux.HandleFunc("POST /api/v1/report", takeReports(s))
	for _, method := range []string{http.MethodPost, http.MethodDelete} {
		undo := method == http.MethodDelete
		mux.HandleFunc(method+" /api/v1/veto", wish(s,
			func(id string) book.Wish { return book.Wish{Veto: id, Undo: undo} },
			func(text string) book.Wish { return book.Wish{Text: text, Undo: undo} }))
		mux.HandleFunc(method+" /api/v1/pin", wish(s,
			func(id string) book.Wish { return book.Wish{Pin: id, Undo: undo} },
			func(text string) book.Wish { return book.Wish{PinText: text, Undo: undo} }))
		mux.HandleFunc(method+" /api/v1/prefer", prefer(s, undo))
		mux.HandleFunc(method+" /api/v1/sites", approveSite(s, undo))
		mux.HandleFunc(method+" /api/v1/allow", allow(s, undo))
	}
	mux.HandleFunc("DELETE /api/v1/export", dropExport(s))
	return d.guard(mux)
}

// agentHandler handles the requests of an agent's Server, behind the door.
func agentHandler(s Reporter, d *door) http.Handler {
	mux := common(s, d)
	mux.HandleFunc("GET /{$}", index("dustbuster agent", ""))
	return d.guard(mux)
}

// common handles the paths shared by all listeners.
func common(s Reporter, d *door) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", probe(s.Healthy))
	mux.HandleFunc("GET /readyz", probe(s.Ready))
	mux.Handle("GET /metrics", metrics(s.Metrics, d))
	mux.HandleFunc("GET /api/v1/status", status(s))
	mux.HandleFunc("GET /api/v1/inputs", document(func() any {
		return map[string][]input.State{"inputs": append([]input.State{}, s.Inputs()...)}
	}))
	if d.Tokens.any() {
		mux.HandleFunc("GET /login", d.page)
		mux.HandleFunc("POST /login", d.login)
		mux.HandleFunc("POST /logout", d.logout)
	}
	profiles := http.NewServeMux()
	profiles.HandleFunc("GET /debug/pprof/", pprof.Index)
	profiles.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	profiles.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	profiles.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	profiles.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	profiles.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol) // as go tool pprof does
	mux.Handle("/debug/pprof/", d.onlyHere(profiles))
	return mux
}

// onlyHere refuses requests that may come from other machines: all requests to a listener
// beyond loopback, and requests under a host name passed on by a proxy.
func (d *door) onlyHere(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !d.loopback || !isLoopback(hostName(r.Host)) {
			writeText(w, http.StatusNotFound, "profiles are served on loopback only\n")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// index responds with a list of the paths.
func index(program, more string) http.HandlerFunc {
	text := program + `

/healthz
/readyz
/metrics
/api/v1/status
/api/v1/inputs
` + more + `/debug/pprof/
`
	return func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, text) }
}

// probe responds with the result of a check.
func probe(check func() error) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if err := check(); err != nil {
			writeText(w, http.StatusServiceUnavailable, err.Error()+"\n")
			return
		}
		writeText(w, http.StatusOK, "ok\n")
	}
}

func writeText(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write([]byte(text)) // an error means the client has gone
}

// status responds with the state, of so many sites as are asked for.
func status(s Reporter) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		most, query := uint64(0), r.URL.Query()
		if query.Has("sites") {
			var err error
			if most, err = strconv.ParseUint(query.Get("sites"), 10, 31); err != nil {
				refuse(w, http.StatusBadRequest, "sites", "is to be a number of sites, the largest; 0 for all")
				return
			}
		}
		document(func() any { return s.Status(int(most)) })(w, r)
	}
}

// wasted responds with the waste of all sites, or of the site that is asked for.
func wasted(s State) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		of := s.Waste
		if query := r.URL.Query(); query.Has("site") {
			doc, known := s.SiteWaste(query.Get("site"))
			if !known {
				if mine(w, r, s, query.Get("site")) {
					refuse(w, http.StatusNotFound, "site", "no hit on this site has been seen: see /api/v1/status")
				}
				return
			}
			of = func() any { return doc }
		}
		document(of)(w, r)
	}
}

// mostIndented is the greatest size of a document that is indented. A larger document, as of 5,000 sites, is
// read by programs, and would take half as long again.
const mostIndented = 1 << 20

// document responds with a document as JSON.
func document(of func() any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		text, err := json.Marshal(of())
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if len(text) < mostIndented {
			var body bytes.Buffer
			_ = json.Indent(&body, text, "", "  ") // it is JSON
			text = body.Bytes()
		}
		_, _ = w.Write(append(text, '\n')) // an error means the client has gone
	}
}
