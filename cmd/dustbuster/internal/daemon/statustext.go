package daemon

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"text/template"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/read/input"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
	"dustbuster/stream/prober"
	"dustbuster/stream/site"
)

//go:embed status.tmpl
var statusForm string

// statusTemplate is the text of a status. It is executed over a statusView.
var statusTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("status").Funcs(statusFuncs).Parse(statusForm))
})

var statusFuncs = template.FuncMap{
	"approval": approval,
	"client": func(n notes.Note) bool {
		return n.Kind == notes.NoClient || n.Kind == notes.OneClient && n.URLs == n.Of
	},
	"count":    func(n reflect.Value, of string) string { return text.Count(int(n.Int()), of) },
	"delay":    func(s float64) time.Duration { return seconds(s).Truncate(time.Microsecond) },
	"effect":   page.Effect,
	"exported": exportQuery,
	"fold":     func(column int, text string) string { return cli.Fold(text, column) },
	"lag":      lagOf,
	"minute":   func(t time.Time) string { return t.Format("2006-01-02 15:04 UTC") },
	"percent":  func(digits int, share float64) string { return fmt.Sprintf("%.*f%%", digits, 100*share) },
	"seconds":  func(s float64) string { return shortTime(seconds(s)) },
	"site":     siteName,
	"size":     func(bytes reflect.Value) string { return text.Size(bytes.Int()) },
	"state":    stateOf,
	"unread":   unreadOf,
	"visible":  page.Visible,
}

// statusText writes an answer for a person: at most the given number of sites, and lines of
// at most the given number of columns (0: as long as they are).
func statusText(a *reply, sites, width int, now time.Time) (string, error) {
	v, err := viewOf(a, sites, now)
	if err != nil {
		return "", fmt.Errorf("read status of %s: %w", a.Address, err)
	}
	var b, out strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if err := statusTemplate().Execute(w, v); err != nil {
		return "", fmt.Errorf("write status: %w", err)
	}
	_ = w.Flush() // a builder takes everything
	for line := range strings.Lines(strings.TrimPrefix(b.String(), "\n")) {
		line = strings.TrimRight(line, " \n")
		if width > 0 {
			line = cli.Shorten(line, width)
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

// statusView is what the template sees: an answer with its document, and what is derived from them.
type statusView struct {
	*reply
	Daemon *daemonJSON // nil: an agent answers
	Agent  *agentJSON
	Sites  []site.Status // that are shown: the largest
	now    time.Time
}

func viewOf(a *reply, sites int, now time.Time) (*statusView, error) {
	var kind struct {
		CaughtUp *bool `json:"caught_up"` // nil: an agent
	}
	if err := json.Unmarshal(a.Status, &kind); err != nil {
		return nil, err
	}
	v := &statusView{reply: a, now: now}
	if kind.CaughtUp == nil {
		return v, json.Unmarshal(a.Status, &v.Agent)
	}
	if err := json.Unmarshal(a.Status, &v.Daemon); err != nil {
		return nil, err
	}
	v.Sites = v.Daemon.Sites
	slices.SortStableFunc(v.Sites, func(a, b site.Status) int { return cmp.Compare(b.URLs, a.URLs) })
	if sites > 0 && len(v.Sites) > sites {
		v.Sites = v.Sites[:sites]
	}
	return v, nil
}

// More is the number of sites that are not shown.
func (v *statusView) More() int { return max(0, v.Daemon.AllSites-len(v.Sites)) }

// Since is the time since t.
func (v *statusView) Since(t time.Time) string { return shortTime(v.now.Sub(t)) }

// Ago is the time since t in words.
func (v *statusView) Ago(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return v.Since(t) + " ago"
}

// AgoUnix is Ago of a time in seconds; 0: never.
func (v *statusView) AgoUnix(at int64) string {
	if at == 0 {
		return v.Ago(time.Time{})
	}
	return v.Ago(time.Unix(at, 0))
}

// Bounds of the sites of which a status says more than a row.
const (
	mostSeen        = 3 // what the logs of sites without rules show
	mostUntested    = 3 // which rules were not tested
	mostUnconfirmed = 5 // whose they are
)

// Silent lists the largest sites without rules.
func (v *statusView) Silent() (all []site.Status) {
	for i := range v.Sites {
		if v.Sites[i].Seen != nil && len(all) < mostSeen {
			all = append(all, v.Sites[i])
		}
	}
	return all
}

// untested says which rules of a site were not tested, what they would merge, and what helps.
type untested struct {
	Name  string
	Lines []string
}

// Untested lists the largest sites with such rules.
func (v *statusView) Untested() (all []untested) {
	for i := range v.Sites {
		name := v.Sites[i].Name
		lines := page.Untested(v.Daemon.Trials.Sites[name].NotTried, name, &cli.ByFlags)
		if len(lines) > 0 && len(all) < mostUntested {
			all = append(all, untested{name, lines})
		}
	}
	return all
}

// Unconfirmed lists the first sites that nobody has named.
func (v *statusView) Unconfirmed() []prober.WhoseSite {
	all := v.Daemon.Trials.Unconfirmed
	return all[:min(mostUnconfirmed, len(all))]
}

// MoreUnconfirmed is the number of further ones.
func (v *statusView) MoreUnconfirmed() int {
	return max(0, v.Daemon.Trials.AllWaiting-mostUnconfirmed)
}

// NotFetched lists the counts of requests that are not made.
func (v *statusView) NotFetched() string { return counted(v.Daemon.Trials.Refused) }

// LeftOut lists the counts of hits that are not used.
func (v *statusView) LeftOut() string { return counted(v.Daemon.Dropped) }

// Trial is what is being tried on a site, and why nothing is tried.
func (v *statusView) Trial(site string) string {
	t := v.Daemon.Trials
	if !t.On {
		return "-"
	}
	var parts []string
	on, now := t.Sites[site].Trial, t.NowOf(site)
	if on != nil {
		parts = append(parts, fmt.Sprintf("%s: %d match, %d differ, at most %.0f %% wrong", cmp.Or(page.Visible(on.Rule), page.Visible(on.Purpose)), on.Positives, on.Negatives, 100*on.Bound))
	}
	if on == nil || now.Why != lifecycle.Trying {
		words := cmp.Or(page.Visible(now.Words), "-")
		if now.Until.After(v.now) {
			words = fmt.Sprintf("waits %s: %s", shortTime(now.Until.Sub(v.now)), words)
		}
		parts = append(parts, words)
	}
	return strings.Join(parts, "; ")
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

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

func lagOf(s input.State) string {
	switch {
	case s.LagBytes != nil:
		return text.Size(*s.LagBytes)
	case s.LagRecords != nil:
		return fmt.Sprintf("%d records", *s.LagRecords)
	}
	return "-"
}

// unreadOf is the share of lines of an input that cannot be read.
func unreadOf(s input.State) string {
	unread := 0.0
	for _, share := range s.Malformed {
		unread += share
	}
	return fmt.Sprintf("%.1f%%", 100*unread)
}

// stateOf is the state of an input in words.
func stateOf(s input.State) string {
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

// siteName is the name of a site; a log without hosts has one without a name.
func siteName(site string) string { return cmp.Or(page.Visible(site), "(no name)") }

// exportQuery is the query with which a file is exported anew.
func exportQuery(site string, f prober.OutdatedJSON) string {
	query := url.Values{"site": {site}, "format": {f.Format}}
	if f.Redirect {
		query.Set("redirect", "yes")
	}
	return query.Encode()
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
