package rules

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"dustbuster/operators/rule/report"
)

// Report returns the report of two pages, given the SHA-256 of the bodies of their last answers
// after redirects, without content encoding. held is the URL under which the crawler holds the page
// of the canonical form: the canonical form, or another URL of the same form. Report returns
// false if no rules apply to the URL.
func (l *Live) Report(found, held string, foundSum, heldSum [sha256.Size]byte) (*report.Report, bool) {
	now := l.now.Load()
	if now == nil {
		return nil, false
	}
	site, ok := now.sites.SiteOf(found)
	return &report.Report{Site: site, Found: found, Canonical: held, SHA256: [2]string{hex.EncodeToString(foundSum[:]), hex.EncodeToString(heldSum[:])}, Rules: now.version()}, ok
}

// RefusedError is the error of a report that the daemon does not take.
type RefusedError struct {
	Status int    // of HTTP; 429: too many reports
	Reason string // as the daemon says
	After  string // the header Retry-After
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("send report: %d: %s", e.Status, e.Reason)
}

// mostReason is the most bytes of a daemon's reason that are read.
const mostReason = 4096

// Send sends a report to a daemon, whose address is as in Open. The error is a *RefusedError
// if the daemon refuses the report.
func Send(ctx context.Context, daemon string, r *report.Report) error {
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("send report: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimRight(daemon, "/")+"/api/v1/report", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("send report: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	authorize(request)
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("send report: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusAccepted {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostReason))
	if err != nil {
		return fmt.Errorf("send report: %w", err)
	}
	return &RefusedError{answer.StatusCode, strings.TrimSpace(string(text)), answer.Header.Get("Retry-After")}
}
