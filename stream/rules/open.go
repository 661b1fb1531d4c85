package rules

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// timeout bounds the time of a daemon's answer.
const timeout = 30 * time.Second

// Open reads the list of a source: a file, a daemon's address such as
// http://127.0.0.1:9464, or the whole address of a list. A daemon's token is the password of
// an address without user: http://:TOKEN@dust.example.org. A list of rules without a
// valid rule is an error, but an empty list is not.
func Open(ctx context.Context, source string) (*List, error) {
	l, _, err := newer(ctx, source, "", &memory{})
	return checked(l, nameOf(source), err)
}

// ReadValid reads a list that is to be applied from anything else, such as standard input. Errors
// are those of Open, and name the source.
func ReadValid(r io.Reader, source string) (*List, error) {
	l, err := readFrom(r, source, &memory{})
	return checked(l, source, err)
}

// checked returns a list that was read. A list with rules, but none that can be applied, is an
// error.
func checked(l *List, source string, err error) (*List, error) {
	switch {
	case err != nil:
		return nil, err
	case l.Len() == 0 && l.Unknown > 0:
		return nil, fmt.Errorf("no rule in %s can be applied: this version does not know %d of them: %w; use a newer version", source, l.Unknown, l.Why)
	case l.Len() == 0 && l.Other > 0:
		return nil, &NoneValidError{source, l.Other}
	}
	return l, nil
}

// newer reads a source whose version is not last. Otherwise list is nil.
func newer(ctx context.Context, source, last string, m *memory) (list *List, version string, err error) {
	if isAddress(source) {
		return ask(ctx, source, last, m)
	}
	f, err := os.Open(source)
	if host, _, bad := net.SplitHostPort(source); bad == nil && host != "" && !strings.Contains(source, "://") && errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("read rules: %w: for a daemon, write http://%s", err, source)
	}
	if err != nil {
		return nil, "", fmt.Errorf("read rules: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, "", fmt.Errorf("read rules: %w", err)
	}
	// A daemon replaces its file, so a new file has another time or another size.
	if version = fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size()); version == last {
		return nil, last, nil
	}
	list, err = readFrom(f, source, m)
	return list, version, err
}

func isAddress(source string) bool {
	scheme, _, ok := strings.Cut(source, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// nameOf returns a source for people, without its token.
func nameOf(source string) string {
	if address, err := url.Parse(source); err == nil && isAddress(source) {
		return address.Redacted()
	}
	return source
}

// NoneValidError is the error of a list whose rules have not been tested, or do not hold.
type NoneValidError struct {
	Source string
	Rules  int // likely or refuted
}

func (e *NoneValidError) Error() string {
	if e.Rules == 1 {
		return "the only rule in " + e.Source + " is not confirmed"
	}
	return fmt.Sprintf("none of the %d rules in %s is confirmed", e.Rules, e.Source)
}

// readFrom reads the list of a source.
func readFrom(r io.Reader, source string, m *memory) (*List, error) {
	l, err := m.read(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOf(source), err)
	}
	return l, nil
}

// ask asks a daemon for its list. If last is not empty, it returns a list only if the tag
// differs from last, and otherwise nil.
func ask(ctx context.Context, address, last string, m *memory) (list *List, tag string, err error) {
	if strings.Count(strings.TrimRight(address, "/"), "/") == 2 { // no path: a daemon
		address = strings.TrimRight(address, "/") + "/api/v1/rules?state=valid"
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, "", fmt.Errorf("read rules: %w", err)
	}
	request.Header.Set("Accept", "application/x-ndjson")
	authorize(request)
	if last != "" {
		request.Header.Set("If-None-Match", last)
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, "", fmt.Errorf("read rules: %w", err)
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusNotModified && last != "": // an unsolicited 304 is an error
		return nil, last, nil
	case answer.StatusCode == http.StatusOK:
		body := &checking{from: answer.Body, sum: sha256.New()}
		if list, err = readFrom(body, address, m); err == nil {
			err = body.differs(answer.Header.Get("Repr-Digest"))
		}
		if err != nil {
			return nil, "", err
		}
		return list, answer.Header.Get("ETag"), nil
	case answer.StatusCode == http.StatusUnauthorized:
		return nil, "", fmt.Errorf("read rules: %s answers %s: give its token", request.URL.Redacted(), answer.Status)
	}
	return nil, "", fmt.Errorf("read rules: %s answers %s%s", request.URL.Redacted(), answer.Status, reasonOf(answer.Body))
}

// checking computes the SHA-256 of what is read.
type checking struct {
	from io.Reader
	sum  hash.Hash
}

func (c *checking) Read(b []byte) (int, error) {
	n, err := c.from.Read(b)
	_, _ = c.sum.Write(b[:n]) // never fails
	return n, err
}

// differs returns an error if a header Repr-Digest (RFC 9530) has another SHA-256 than what was read: the
// list was cut short on its way. A header without SHA-256 says nothing.
func (c *checking) differs(header string) error {
	for one := range strings.SplitSeq(header, ",") {
		value, found := strings.CutPrefix(strings.TrimSpace(one), "sha-256=:")
		if found && strings.TrimSuffix(value, ":") != base64.StdEncoding.EncodeToString(c.sum.Sum(nil)) {
			return errors.New("read rules: the list is not whole: its digest is not that of the answer's header Repr-Digest")
		}
	}
	return nil
}

// reasonOf returns what a daemon says about an error; empty if the answer is none of a daemon.
func reasonOf(body io.Reader) string {
	var said struct{ Reason string }
	if json.NewDecoder(io.LimitReader(body, 4096)).Decode(&said) != nil || said.Reason == "" {
		return ""
	}
	return ": " + strconv.Quote(said.Reason)
}

// client sends requests to daemons. A redirect takes no token to another origin: net/http itself
// keeps it for other ports and for subdomains.
var client = &http.Client{CheckRedirect: func(to *http.Request, via []*http.Request) error {
	if first := via[0].URL; to.URL.Scheme != first.Scheme || to.URL.Host != first.Host {
		to.Header.Del("Authorization")
	}
	if len(via) >= mostRedirects {
		return fmt.Errorf("%d redirects", len(via))
	}
	return nil
}}

const mostRedirects = 10

// authorize sends the token of an address.
func authorize(request *http.Request) {
	if token, given := request.URL.User.Password(); given && request.URL.User.Username() == "" {
		request.Header.Set("Authorization", "Bearer "+token)
		request.URL.User = nil
	}
}
