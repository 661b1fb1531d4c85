// Package report reads what crawlers report: pairs of pages. A crawler that
// explores fetches some URLs as found although the rules change them, and reports the SHA-256 of
// the two pages. A report is not trusted: it proposes a pair of URLs for a trial and decides
// nothing.
package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/url/urlnorm"
)

// Errors of those who take reports.
var (
	ErrNoSite = errors.New("no rules of the site are known here")
	ErrFull   = errors.New("too many reports of the site are waiting")
	ErrBusy   = errors.New("the site computes for longer than a caller should wait")
)

// MaxBytes is the most bytes of a report.
const MaxBytes = 64 << 10

// Answer tells what becomes of a report.
type Answer string

// The answers.
const (
	Taken    Answer = "taken"         // the pages are fetched and compared soon
	Alike    Answer = "alike"         // the crawler saw equal pages: the report is counted
	Lately   Answer = "compared"      // the pair was compared within the hour, for this reporter or often enough, and its pages were as reported
	Apart    Answer = "not joined"    // no rule gives the two URLs one form
	Unasked  Answer = "not asked for" // a URL is neither in the log nor of a kind that the public asks for
	NotTaken Answer = ""              // of an error
)

// Most bytes of the members that name something.
const (
	maxVersion  = 128
	maxReporter = 64
)

// Report is the report of one pair of pages.
type Report struct {
	Site      string    `json:"site"`               // of the rules
	Found     string    `json:"found"`              // the absolute URL as found
	Canonical string    `json:"canonical"`          // the absolute URL under which the crawler holds the page: the canonical form, or another URL of the same form
	SHA256    [2]string `json:"sha256"`             // of the two bodies, in hexadecimal digits: as found, canonical
	Rules     string    `json:"rules,omitempty"`    // version of the list of rules in use
	Reporter  string    `json:"reporter,omitempty"` // name of the crawler

	Sender string `json:"-"` // who sent the report, as far as the receiver knows: an address; "": the name must do
}

// By identifies the reporter.
func (r *Report) By() string { return r.Sender + " " + r.Reporter }

// FieldError is an error in a member of a report.
type FieldError struct {
	Field  string // "": the whole report
	Reason string
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return "read report: " + e.Reason
	}
	return "read report: " + e.Field + " " + e.Reason
}

// Parse reads a report. An error is a *FieldError.
func Parse(text []byte) (*Report, error) {
	var given struct {
		Site      *string   `json:"site"`
		Found     *string   `json:"found"`
		Canonical *string   `json:"canonical"`
		SHA256    *[]string `json:"sha256"`
		Rules     string    `json:"rules"`
		Reporter  string    `json:"reporter"`
	}
	if err := decode(text, MaxBytes, &given); err != nil {
		return nil, err
	}
	switch {
	case given.Site == nil:
		return nil, &FieldError{"site", "is missing: the site of the rules"}
	case given.Found == nil:
		return nil, &FieldError{"found", "is missing: the URL as found"}
	case given.Canonical == nil:
		return nil, &FieldError{"canonical", "is missing: the canonical form"}
	case given.SHA256 == nil || len(*given.SHA256) != 2:
		return nil, &FieldError{"sha256", "must be the SHA-256 of the two bodies"}
	}
	r := &Report{*given.Site, *given.Found, *given.Canonical, [2]string(*given.SHA256), given.Rules, given.Reporter, ""}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r, nil
}

// decode reads one JSON object of at most a number of bytes. An error is a *FieldError.
func decode(text []byte, most int, into any) error {
	if len(text) > most {
		return &FieldError{"", fmt.Sprintf("has more than %d bytes", most)}
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(into); err != nil {
		return fieldOf(err)
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return &FieldError{"", "must be one JSON object: something follows the object"}
	}
	return nil
}

func fieldOf(err error) *FieldError {
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && kind.Field != "" {
		return &FieldError{kind.Field, "must not be a JSON " + kind.Value}
	}
	return &FieldError{"", "must be one JSON object: " + err.Error()}
}

// check returns the first error.
func (r *Report) check() error {
	for i, field := range []string{"found", "canonical"} {
		if _, _, ok := split([]string{r.Found, r.Canonical}[i]); !ok {
			return &FieldError{field, fmt.Sprintf("must be an absolute http or https URL of at most %d bytes, without a user", rule.MaxBytes)}
		}
	}
	for i := range r.SHA256 {
		if r.SHA256[i] = strings.ToLower(r.SHA256[i]); len(r.SHA256[i]) != 64 || strings.Trim(r.SHA256[i], "0123456789abcdef") != "" {
			return &FieldError{"sha256", "must be two times 64 hexadecimal digits"}
		}
	}
	switch {
	case r.Found == r.Canonical:
		return &FieldError{"canonical", "must differ from the URL as found"}
	case len(r.Rules) > maxVersion:
		return &FieldError{"rules", fmt.Sprintf("has more than %d bytes", maxVersion)}
	case len(r.Reporter) > maxReporter:
		return &FieldError{"reporter", fmt.Sprintf("has more than %d bytes", maxReporter)}
	}
	return nil
}

// Alike reports whether the crawler saw equal pages.
func (r *Report) Alike() bool { return r.SHA256[0] == r.SHA256[1] }

// Mined returns the two URLs as mined strings of the site, with their hosts in front if
// it has several. An error is a *FieldError: a URL is not of the site.
func (r *Report) Mined(several bool) (found, canonical string, err error) {
	if found, err = mined(r.Site, "found", r.Found, several); err == nil {
		canonical, err = mined(r.Site, "canonical", r.Canonical, several)
	}
	return found, canonical, err
}

func mined(site, field, url string, several bool) (string, error) {
	host, text, _ := split(url)
	switch {
	case hasDots(text):
		return "", &FieldError{field, "is not in normal form: a segment of the path is . or .."}
	case several && len(host)+len(text) > rule.MaxBytes:
		return "", &FieldError{field, fmt.Sprintf("has more than %d bytes", rule.MaxBytes)}
	case several:
		return host + text, nil
	case site != "" && host != site:
		return "", &FieldError{field, fmt.Sprintf("is not of the site %q", site)}
	}
	return text, nil
}

// hasDots reports whether a segment of a path is "." or "..", escaped or not (RFC 3986, section
// 5.2.4).
func hasDots(text string) bool {
	path, _, _ := strings.Cut(text, "?")
	for segment := range strings.SplitSeq(path, "/") {
		if plain := strings.ReplaceAll(strings.ToLower(segment), "%2e", "."); plain == "." || plain == ".." {
			return true
		}
	}
	return false
}

// split returns the host and the mined string of an absolute URL, or false if no rule would
// edit it.
func split(url string) (host, text string, ok bool) {
	a, isHTTP := urlnorm.ParseAddress(url)
	mined, fits := a.Mined(nil, rule.MaxBytes)
	return a.Host, string(mined), isHTTP && fits
}

// AtOnce is the number of reports that one reporter may send at once. After that it may send one a second.
const AtOnce = 60

// mostReporters is the number of reporters whose reports are counted at once.
const mostReporters = 4096

// Limiter bounds the reports of each reporter: some at once, and after that one in each unit of time. The
// caller of Take chooses the unit. One goroutine may use a Limiter.
type Limiter struct {
	atOnce    int64
	forgotten map[string]int64 // by reporter: the time at which all reports will be forgotten
}

// NewLimiter returns a Limiter that has seen no report.
func NewLimiter(atOnce int64) *Limiter { return &Limiter{atOnce, map[string]int64{}} }

// Take counts a report at a time in units since any moment, such as Unix seconds. If wait is
// positive, the reporter has too many reports, the report is not counted, and wait is the number
// of units until the next report may come. While there are too many reporters, new reporters must
// wait as well.
func (l *Limiter) Take(reporter string, now int64) (wait int64) {
	forgotten, known := l.forgotten[reporter]
	if !known && len(l.forgotten) >= mostReporters {
		maps.DeleteFunc(l.forgotten, func(_ string, at int64) bool { return at <= now })
		if len(l.forgotten) >= mostReporters {
			return 1
		}
	}
	forgotten = max(forgotten, now)
	if wait = forgotten - now - (l.atOnce - 1); wait > 0 {
		return wait
	}
	l.forgotten[reporter] = forgotten + 1
	return 0
}
