// Package dashboard shows a daemon to its operator, as pages of the admin listener:
//
//	/          sites, held updates, trials under way
//	/site      one site: the trial under way, coverage, decisions of operators
//	/rules     the published rules of a site, and what operators may decide about each
//	/history   what came into the published list and what left it, and by which evidence
//	/verdicts  the rules that had a trial
//	/pairs     the pairs of one verdict, with the words by which their pages differ
//	/likely    the likely rules
//	/export    the published rules as files of other tools
//	/inputs    logs and partitions: format, offset, lag, lines that could not be read
//	/left      what is left out: memory, hits, rules and URLs, with the reasons
//	/try       the canonical form of a URL, step by step
//	/group     the members of a group of miners, and their partitions
//	/act       POST: what the buttons do
//
// The pages are made by html/template with the look of package page, and work without a
// script. A small script replaces the parts of an open page whenever the daemon's state has
// changed (the stream /api/v1/changes says so). The pages make no request to other hosts, and
// a strict Content-Security-Policy forbids it.
//
// The pages stand behind the access control of package admin: host, origin, token and role. Only
// a reader who may operate gets buttons.
//
// # Foreign text
//
// Sites, URLs, rules and errors come from logs and servers, and are hostile. Every such text
// passes html/template, page.Visible and page.Cut, so a text is never a node, never changes
// how its neighbours are read, and is never long.
//
// # Cost
//
// The state is looked at at most once a second, and a page is made at most once of a look, for
// any number of readers. Tables are cut into pages of 50 rows. The loop is never waited for and
// never waits; see [Daemon].
package dashboard

import (
	"context"
	"net/http"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/read/input"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/admin"
	"dustbuster/sinks/export"
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

	// Detail returns what is known of a site's rules. The error is report.ErrNoSite or report.ErrBusy.
	Detail(ctx context.Context, site string, q lifecycle.Query) (lifecycle.Detail, error)

	// Export returns the published rules of a site for another tool, as in admin.State.
	Export(ctx context.Context, site, format string, redirect bool) (*export.Made, error)

	// Members returns the members of the group of miners. Members asks brokers.
	Members(ctx context.Context) ([]kafka.GroupMember, error)

	// The decisions of operators, as in admin.State.
	Decide(site string, d book.Decision) error
	Recheck(site, id string) error
	LookNow(site, id string, pair int) (*book.Opened, error)
	Wish(site string, w book.Wish) error
	Elsewhere(ctx context.Context, site string) (admin.Owner, bool)
}

// Look is the state of a daemon. Trials.Published is the published rules by site.
type Look struct {
	Version    string
	Loop       loop.Status
	Likely     []rule.List // in the order of sites; of each best first
	Trials     prober.Status
	Fetches    fetch.Stats
	Inputs     []input.State
	Partitions []miners.Partition // owned; of a member of a group
	Group      string             // of miners; "": the daemon is alone
	HoldShare  float64            // a rule that changes the form of a greater share of the URLs is held; 0: rules are not validated
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
		"/{$}": overview, "/inputs": inputs, "/left": left, "/try": try, "/group": group, "/pairs": pairs,
		"/site": ofSite("site", "", site), "/rules": ofSite("rules", "Published · ", rules), "/history": ofSite("history", "Changes · ", history),
		"/verdicts": ofSite("verdicts", "Tested · ", verdicts), "/likely": ofSite("likely", "Suggested · ", likely),
		"/export": ofSite("export", "Export · ", exported),
	} {
		all["GET "+path] = d.page(make)
	}
	return all
}
