package admin

import "net/http"

// OpenAgent is Open for an agent, which has no rules: health, metrics, status and profiles.
func OpenAgent(o Options, s Reporter) (*Server, error) {
	return open(o, func(d *door) http.Handler { return agentHandler(s, d) })
}

const agentIndex = `dustbuster agent

/healthz
/readyz
/metrics
/api/v1/status
/api/v1/inputs
/debug/pprof/
`

// agentHandler handles the requests of an agent's Server, behind the door.
func agentHandler(s Reporter, d *door) http.Handler {
	mux := common(s, d)
	mux.HandleFunc("GET /{$}", index(agentIndex))
	return d.guard(mux)
}
