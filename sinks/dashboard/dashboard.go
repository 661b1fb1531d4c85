package dashboard

import (
	"context"
	"net/http"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/read/input"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/admin"
	"dustbuster/stream/fetch"
	"dustbuster/stream/kafka"
	"dustbuster/stream/loop"
	"dustbuster/stream/miners"
	"dustbuster/stream/prober"
)

// Daemon is the program shown. Any goroutine may call the methods. The methods delay neither
// the loop nor, by more than milliseconds, the trials.
type Daemon interface {
	// Look returns the present state, which nobody changes.
	Look() *Look

	// Detail returns what is known of a site's rules. ok is false if nothing is known now.
	Detail(ctx context.Context, site string, q lifecycle.Query) (d lifecycle.Detail, ok bool)

	// Members returns the members of the group of miners. Members asks brokers.
	Members(ctx context.Context) ([]kafka.GroupMember, error)

	// The decisions of operators, as in admin.State.
	Approve(site, mark string) bool
	Recheck(site, id string) bool
	Wish(site string, w lifecycle.Wish) error
	Elsewhere(ctx context.Context, site string) (admin.Owner, bool)
}

// Look is the state of a daemon. Trials.Published is the published rules by site.
type Look struct {
	Version    string
	Loop       loop.Status
	Likely     []rule.Likely // by site, best first
	Trials     prober.Status
	Fetches    fetch.Stats
	Inputs     []input.State
	Partitions []miners.Partition // owned; of a member of a group
	Group      string             // of miners; "": the daemon is alone
	HoldShare  float64            // a rule that changes the form of a greater share of the URLs is held back; 0: rules are not tried
	Veil       secret.Veil        // examples pass through the veil
	Unready    error              // why the daemon is not ready; nil: it is
}

// Dashboard makes the pages. A Dashboard is safe for concurrent use.
type Dashboard struct {
	daemon Daemon
	looks  looks
	made   made
	tries  tries
}

// New returns the dashboard of a daemon.
func New(daemon Daemon) *Dashboard {
	return &Dashboard{daemon: daemon, looks: looks{of: daemon.Look}}
}

// Handlers returns the handlers of the pages, by pattern, for http.ServeMux.
func (d *Dashboard) Handlers() map[string]http.Handler {
	all := map[string]http.Handler{
		"POST /act":          http.HandlerFunc(d.act),
		"GET /" + styleName:  asset("text/css; charset=utf-8", style),
		"GET /" + scriptName: asset("text/javascript; charset=utf-8", script),
	}
	for path, make := range map[string]maker{
		"/{$}": overview, "/site": site, "/rules": rules, "/history": history, "/verdicts": verdicts,
		"/likely": likely, "/inputs": inputs, "/left": left, "/try": try, "/group": group,
	} {
		all["GET "+path] = d.page(make)
	}
	return all
}
