package daemon

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/read/input"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
	"dustbuster/stream/loop"
	"dustbuster/stream/prober"
)

// statusText writes an answer for a person: at most the given number of sites, and lines of
// at most the given number of columns (0: as long as they are).
func statusText(a *reply, sites, width int, now time.Time) (string, error) {
	var kind struct {
		CaughtUp *bool `json:"caught_up"` // nil: an agent
	}
	if err := json.Unmarshal(a.Status, &kind); err != nil {
		return "", fmt.Errorf("read status of %s: %w", a.Address, err)
	}
	p := &statusPrinter{now: now, address: a.Address}
	write := p.ofDaemon
	if kind.CaughtUp == nil {
		write = p.ofAgent
	}
	if err := write(a, sites); err != nil {
		return "", fmt.Errorf("read status of %s: %w", a.Address, err)
	}
	var out strings.Builder
	for line := range strings.Lines(p.b.String()) {
		line = strings.TrimRight(line, " \n")
		if width > 0 {
			line = cli.Shorten(line, width)
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

// statusPrinter writes the parts of a status. All texts from the daemon pass through
// page.Visible: names of sites, rules and errors hold what a log holds.
type statusPrinter struct {
	b   strings.Builder
	d   daemonJSON
	now time.Time

	address string // of the daemon
}

func (p *statusPrinter) say(format string, args ...any) { fmt.Fprintf(&p.b, format+"\n", args...) }

func (p *statusPrinter) ofDaemon(a *reply, sites int) error {
	d := &p.d
	if err := json.Unmarshal(a.Status, d); err != nil {
		return err
	}
	if d.Waste != nil {
		p.say("%s", cli.Fold(page.Visible(d.Waste.Text), 0))
	}
	if d.Trend != "" {
		p.say("%s", cli.Fold(page.Visible(d.Trend), 0))
	}
	progress := ", catching up"
	if d.CaughtUp {
		progress = ", caught up"
	}
	p.head("daemon", d.Version, d.Started, progress)
	if d.State.Saved.IsZero() {
		p.say("no checkpoint yet")
	} else {
		p.say("last checkpoint %s, %s on disk", p.ago(d.State.Saved), text.Size(d.State.Bytes))
	}
	if m := d.Memory; m != nil && m.Budget > 0 {
		p.say("tables take %s of %s", text.Size(m.Used), text.Size(m.Budget))
	}
	p.forgotten(d.Forgotten)
	p.errors(d.Errors, d.Error)
	p.inputs(a.Inputs)
	p.sites(sites)
	p.news()
	return nil
}

// forgotten says how long clients are missing, which another version or key has counted.
func (p *statusPrinter) forgotten(f *loop.Forgotten) {
	const what = "clients of earlier lines do not count, since another version or hash_key counted them"
	switch {
	case f == nil:
	case f.Until.IsZero():
		p.say("%s: read the logs again with another --state", what)
	default:
		p.say("%s: until %s, fewer rules can be tried", what, f.Until.Format("2006-01-02 15:04 UTC"))
	}
}

func (p *statusPrinter) ofAgent(a *reply, _ int) error {
	var d agentJSON
	if err := json.Unmarshal(a.Status, &d); err != nil {
		return err
	}
	p.head("agent", d.Version, d.Started, "")
	p.say("sent %d observations (%s), %d waiting, last commit %s", d.Sent.Observations, text.Size(int64(d.Sent.Bytes)), d.Waiting, p.ago(d.Committed))
	p.errors(d.Errors, d.Error)
	p.inputs(a.Inputs)
	return nil
}

// head says what answers.
func (p *statusPrinter) head(what, version string, started time.Time, progress string) {
	p.say("dustbuster %s %s at %s, up %s%s", what, page.Visible(version), p.address, p.since(started), progress)
}

func (p *statusPrinter) errors(n int, last string) {
	if n > 0 {
		p.say("%d errors, the last: %s", n, page.Visible(last))
	}
}

// since is the time since t, and ago the same in words.
func (p *statusPrinter) since(t time.Time) string { return shortTime(p.now.Sub(t)) }

func (p *statusPrinter) ago(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return p.since(t) + " ago"
}

// shortTime is a duration in its two greatest units.
func shortTime(d time.Duration) string {
	d = max(0, d)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm%ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

// table writes rows in columns.
func (p *statusPrinter) table(rows [][]string) {
	w := tabwriter.NewWriter(&p.b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // a builder takes everything
}

// inputs writes a row for each input, and below them their errors.
func (p *statusPrinter) inputs(all []input.State) {
	p.say("")
	if len(all) == 0 {
		p.say("no inputs yet")
		return
	}
	rows := [][]string{{"INPUT", "FORMAT", "LAG", "FOR", "LINES", "UNREAD", "STATE"}}
	for i := range all {
		s := &all[i]
		unread := 0.0
		for _, share := range s.Malformed {
			unread += share
		}
		rows = append(rows, []string{page.Visible(s.Name), cmp.Or(page.Visible(s.Format), "-"), lagOf(s), shortTime(time.Duration(s.LagSeconds * float64(time.Second))),
			strconv.Itoa(s.Lines["all"]), fmt.Sprintf("%.1f%%", 100*unread), stateOf(s)})
	}
	p.table(rows)
	for i := range all {
		if s := &all[i]; s.LastError != "" {
			p.say("%s, %s: %s", page.Visible(s.Name), p.ago(time.Unix(s.LastErrorAt, 0)), page.Visible(s.LastError))
		}
	}
}

func lagOf(s *input.State) string {
	switch {
	case s.LagBytes != nil:
		return text.Size(*s.LagBytes)
	case s.LagRecords != nil:
		return fmt.Sprintf("%d records", *s.LagRecords)
	}
	return "-"
}

// stateOf is the state of an input in words.
func stateOf(s *input.State) string {
	switch {
	case s.Ended:
		return "ended"
	case s.Kind == input.Log && s.Generation == "":
		return "no file yet"
	case s.CaughtUp:
		return "caught up"
	}
	return "catching up"
}

// sites writes a row for each of the largest sites.
func (p *statusPrinter) sites(most int) {
	d := &p.d
	p.say("")
	if len(d.Sites) == 0 {
		p.say("no sites yet")
		return
	}
	slices.SortStableFunc(d.Sites, func(a, b loop.Site) int { return cmp.Compare(b.URLs, a.URLs) })
	shown := d.Sites
	if most > 0 && len(shown) > most {
		shown = shown[:most]
	}
	rows := [][]string{{"SITE", "URLS", "LIKELY", "PUBLISHED", "MERGED", "SHED", "WITHHELD", "ON TRIAL"}}
	for i := range shown {
		s := &shown[i]
		valid, merged, trial := "-", "-", "-"
		if d.Trials.On {
			t, now := d.Trials.Sites[s.Name], d.Trials.NowOf(s.Name)
			valid, merged, trial = p.published(s.Name), fmt.Sprintf("%.1f%%", 100*t.Merged), p.trial(&t, &now)
		}
		rows = append(rows, []string{siteName(s.Name), strconv.Itoa(s.URLs), strconv.Itoa(s.Rules), valid, merged, strconv.Itoa(s.Shed),
			strconv.Itoa(s.Withheld.Secret + s.Withheld.OneClient), trial})
	}
	p.table(rows)
	if n := d.AllSites - len(shown); n > 0 {
		p.say("and %d sites with fewer URLs (--sites 0 shows all)", n)
	}
	p.waiting(&d.Trials.Waiting)
	p.seen(shown)
	p.untested(shown)
	p.outdated(shown)
	for i := range shown {
		if n := shown[i].Notes; len(n) > 0 && n[0].Kind == notes.Sample {
			p.say("a sample: %d of about %d URLs of %s; --memory and --max-urls bound it", n[0].URLs, n[0].Of, siteName(shown[i].Name))
		}
		for _, n := range shown[i].Notes {
			if n.Kind == notes.NoClient || n.Kind == notes.OneClient && n.URLs == n.Of {
				p.say("%s: %s", siteName(shown[i].Name), cli.Fold(page.Visible(n.String()), 0))
			}
		}
		if n := shown[i].Late; n > 0 {
			p.say("%s: of the newest 64 hits %d are older than the window, and dropped: its newest pane began %s; does a clock run ahead, or is a log read late?",
				siteName(shown[i].Name), n, shown[i].Newest.Format("2006-01-02 15:04 UTC"))
		}
		if w := shown[i].Withheld; w.Secret+w.OneClient > 0 {
			p.say("withheld: %s of %s, neither told nor tried (%d look like secrets, %d come from one client); --no-withhold tells them",
				text.Count(w.Secret+w.OneClient, "likely rule"), siteName(shown[i].Name), w.Secret, w.OneClient)
		}
	}
}

// mostSeen is the number of sites without rules of which a status says what their logs show.
const mostSeen = 3

// seen says what the logs of the largest sites without rules show.
func (p *statusPrinter) seen(sites []loop.Site) {
	said := 0
	for i := range sites {
		if s := &sites[i]; s.Seen != nil && said < mostSeen {
			said++
			p.say("%s", cli.Fold(fmt.Sprintf("no rule is likely on %s: %s", siteName(s.Name), page.Visible(s.Seen.String())), 0))
		}
	}
}

// mostUntested is the number of sites of which a status says which rules were not tested.
const mostUntested = 3

// untested says which rules of the largest sites were not tested, what they would merge, and what helps.
func (p *statusPrinter) untested(sites []loop.Site) {
	said := 0
	for i := range sites {
		name := sites[i].Name
		lines := page.Untested(p.d.Trials.Sites[name].NotTried, name, &cli.ByFlags)
		if len(lines) == 0 || said == mostUntested {
			continue
		}
		said++
		p.say("%s", cli.Fold(siteName(name)+": "+page.Visible(lines[0]), 0))
		for _, line := range lines[1:] {
			p.say("%s", cli.Fold("  "+page.Visible(line), 2))
		}
	}
}

// outdated says which exported files of some sites are to be made anew.
func (p *statusPrinter) outdated(sites []loop.Site) {
	for i := range sites {
		name := sites[i].Name
		files := p.d.Trials.Sites[name].Outdated
		for k := range files {
			f := &files[k]
			query := url.Values{"site": {name}, "format": {f.Format}}
			if f.Redirect {
				query.Set("redirect", "yes")
			}
			p.say("make anew, for %s: %s", siteName(name), page.Visible(f.Words()))
			p.say("  curl '%s/api/v1/export?%s'", p.address, query.Encode())
		}
	}
}

// waiting says that sites wait too long for their turn, if they do, and what would help.
func (p *statusPrinter) waiting(w *prober.Waiting) {
	if w.Rate == 0 && w.OriginDelay == 0 {
		return
	}
	p.say("too few requests: of %s with something to try (%d not tried yet) some wait longer than a day, or than an hour for their first turn", text.Count(w.Sites, "site"), w.First)
	if w.Rate > 0 {
		p.say("they need --fetch-rate %.0f", w.Rate)
	}
	if w.OriginDelay > 0 {
		p.say("they need --origin-delay %v", time.Duration(w.OriginDelay*float64(time.Second)).Truncate(time.Microsecond))
	}
}

// published is the number of published rules of a site, and how many of them are not proved.
func (p *statusPrinter) published(site string) string {
	out := p.d.Trials.Out[site]
	if out.Provisional == 0 {
		return strconv.Itoa(out.Rules)
	}
	return fmt.Sprintf("%d, %d provisional", out.Rules, out.Provisional)
}

// siteName is the name of a site; a log without hosts has one without a name.
func siteName(site string) string { return cmp.Or(page.Visible(site), "(no name)") }

// trial is what is being tried on a site, and why nothing is tried.
func (p *statusPrinter) trial(t *prober.SiteJSON, now *prober.NowJSON) string {
	var parts []string
	if t.Trial != nil {
		parts = append(parts, fmt.Sprintf("%s: %d alike, %d not, bound %.2f", cmp.Or(page.Visible(t.Trial.Rule), page.Visible(t.Trial.Purpose)), t.Trial.Positives, t.Trial.Negatives, t.Trial.Bound))
	}
	if t.Trial == nil || now.Why != lifecycle.Trying {
		words := cmp.Or(page.Visible(now.Words), "-")
		if now.Until.After(p.now) {
			words = fmt.Sprintf("waits %s: %s", shortTime(now.Until.Sub(p.now)), words)
		}
		parts = append(parts, words)
	}
	return strings.Join(parts, "; ")
}

// news says what was published, held, refused and shed.
func (p *statusPrinter) news() {
	d := &p.d
	p.say("")
	if !d.Trials.On {
		p.say("rules are not tried: the list has the likely rules (--origin says where pages may be fetched from)")
	} else {
		at := time.Time{}
		if last := d.Trials.Last; last > 0 {
			at = time.Unix(last, 0)
		}
		p.say("published: %s of %s, last %s; %s made", text.Count(d.Trials.Rules, "rule"), text.Count(d.Trials.Lists, "site"), p.ago(at), text.Count(int(d.Trials.Requests), "request"))
	}
	p.unconfirmed()
	for _, site := range slices.Sorted(maps.Keys(d.Trials.Pending)) {
		held := d.Trials.Pending[site]
		p.say("held: %s of %s; with all valid rules, %.0f%% of its URLs change; approve or reject them at %s/", text.Count(held.Rules, "rule"), siteName(site), 100*held.Share, p.address)
		for i := range held.List {
			h := &held.List[i]
			p.say("  %s: alone %.0f%% of the URLs; %d pairs alike, %d different", page.Visible(h.Words), 100*h.Share, h.Verdict.Positives, h.Verdict.Negatives)
			if h.Effect != nil {
				p.say("    touches %s", page.Effect(h.Effect))
			}
		}
		p.say("  or POST to %s/api/v1/approve or reject: %s", p.address, page.Visible(approval(site, held.Mark)))
	}
	if refused := counted(d.Trials.Refused); refused != "" {
		p.say("not fetched: %s", refused)
	}
	if dropped := counted(d.Dropped); dropped != "" {
		p.say("hits left out: %s", dropped)
	}
}

// mostUnconfirmed is the number of sites of which a status asks whose they are.
const mostUnconfirmed = 5

// unconfirmed asks whose the sites are that nobody has named.
func (p *statusPrinter) unconfirmed() {
	t := &p.d.Trials
	for i := range t.Unconfirmed[:min(mostUnconfirmed, len(t.Unconfirmed))] {
		s := &t.Unconfirmed[i]
		p.say("is %s yours? %s of it wait (%s); anybody can send the name of a host", siteName(s.Site), text.Count(s.Rules, "likely rule"), text.Count(s.Count, "URL"))
		if s.Origin != "" {
			p.say("  the origin does not tell it apart: %s", page.Visible(s.Origin))
		}
	}
	if n := t.AllWaiting; n > 0 {
		if n > mostUnconfirmed {
			p.say("and %d more sites wait: see %s/api/v1/sites", n-mostUnconfirmed, p.address)
		}
		p.say("  if a site is yours, name it with --hosts, or approve it at %s/, or POST {\"site\": SITE} to %s/api/v1/sites", p.address, p.address)
	}
}

// approval is the body of a request that approves an update.
func approval(site, mark string) string {
	body, _ := json.Marshal(struct { // two texts can be written
		Site string `json:"site"`
		Mark string `json:"mark"`
	}{site, mark})
	return string(body)
}

// counted lists counts that are not zero.
func counted[K ~string, N int | int64](all map[K]N) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(all)) {
		if all[what] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", page.Visible(string(what)), all[what]))
		}
	}
	return strings.Join(parts, ", ")
}
