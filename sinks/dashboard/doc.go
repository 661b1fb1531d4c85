// Package dashboard shows a daemon to its operator, as pages of the admin listener:
//
//	/          sites, updates that are held back, trials under way
//	/site      one site: the trial under way, coverage, decisions of operators
//	/rules     the published rules of a site, and what operators may decide about each
//	/history   what came into the published list and what left it, and by which evidence
//	/verdicts  the rules that were tried
//	/likely    the likely rules
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
