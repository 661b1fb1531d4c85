package admin

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strings"
)

// Handler answers as a Server does. Unless remote, it refuses requests for
// hosts other than loopback.
func Handler(s State, remote bool) http.Handler {
	mux := common(s, indexText)
	mux.Handle("GET /metrics", metrics(collector{s}))
	mux.HandleFunc("GET /api/v1/rules", rules(s))
	mux.HandleFunc("GET /api/v1/changes", changes(s))
	mux.Handle("POST /api/v1/approve", http.NewCrossOriginProtection().Handler(approve(s))) // no page in a browser may do it
	mux.Handle("POST /api/v1/recheck", http.NewCrossOriginProtection().Handler(recheck(s)))
	mux.HandleFunc("GET /api/v1/status", status(s.Status))
	return guard(mux, remote)
}

// common is what every listener answers.
func common(s Probes, index string) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, index) })
	mux.HandleFunc("GET /healthz", probe(s.Healthy))
	mux.HandleFunc("GET /readyz", probe(s.Ready))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol) // as go tool pprof does
	return mux
}

// guard refuses hosts that a stranger's page could make a browser ask for (DNS
// rebinding), and has nothing kept or guessed.
func guard(next http.Handler, remote bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !remote && !loopback(r.Host) {
			http.Error(w, "not a loopback host", http.StatusMisdirectedRequest)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		next.ServeHTTP(w, r)
	})
}

// loopback tells whether a request's host, with or without port, is this
// machine by definition.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.IsLoopback()
}

const indexText = `dustbuster

/healthz
/readyz
/metrics
/api/v1/status
/api/v1/rules
/api/v1/rules?site=www.example.org
/api/v1/rules?state=likely
/api/v1/changes
/debug/pprof/
`

// probe answers with what a check says.
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
	_, _ = w.Write([]byte(text)) // who asked has gone, if this fails
}

func status[S any](of func() S) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		_ = out.Encode(of()) // who asked has gone, if this fails
	}
}
