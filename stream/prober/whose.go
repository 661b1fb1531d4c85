package prober

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/window/ours"
	"dustbuster/stream/fetch"
)

// Whose says whether a site is ours: see package ours. Only such a site is asked, and has published rules.
type Whose struct {
	Why  ours.Why // "": it is not known that the site is ours
	Due  bool     // the origin is to be asked whether it tells the host apart
	Told string   // what the origin showed when it was asked last, in words; "": it was not asked
}

const (
	askOrigins = 24 * time.Hour // the origin is asked anew
	askSoon    = time.Hour      // the same, if it gave no answer
	leastAlike = 0.9            // two answers are equal
)

// SetOurs takes the sites that the settings name; nil: all sites are ours.
func (w *Worker) SetOurs(s *ours.Sites) { w.ours.Store(s) }

// Figures takes what the log says about its sites, and how much of the log is about sites without figures. Of a finished log
// the figures count lines, of a log that is followed URLs.
func (w *Worker) Figures(all []ours.Figure, others int) {
	named := w.ours.Load()
	if named == nil {
		return
	}
	total := others
	for i := range all {
		total += all[i].Count
		if w.CanTry(all[i].Site) {
			s, now := w.site(all[i].Site), figure{int32(all[i].Count), int32(all[i].Rules), all[i].Clients}
			if s.known() != now {
				s.figure.Store(&now)
			}
		}
	}
	site, ok := named.MainOf(all, total)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.main = nil; ok {
		w.main = &site
	}
}

// Whose returns whether a site is ours.
func (w *Worker) Whose(name string) Whose {
	if w.ours.Load() == nil {
		return Whose{Why: ours.Named}
	}
	return w.site(name).whose(time.Now())
}

// MayBeOurs reports whether a site is ours, or the origin may show that it is.
func (w *Worker) MayBeOurs(name string) bool {
	of := w.Whose(name)
	return of.Why != "" || of.Due
}

// isMain reports whether nearly all lines name a site.
func (w *Worker) isMain(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.main != nil && *w.main == name
}

func (s *site) whose(now time.Time) (of Whose) {
	w := s.worker
	named := w.ours.Load()
	if named == nil {
		return Whose{Why: ours.Named}
	}
	byName, see := w.o.Fetcher.Origin(s.name) == "", s.seen()
	asked := &see.origin
	of.Told = asked.told
	of.Why = named.Why(ours.Facts{Site: s.name, Approved: see.approved, Main: w.isMain(s.name), Apart: asked.apart, ByName: byName})
	of.Due = (of.Why == "" || of.Why == ours.Apart) && !byName && w.o.Under != nil && !now.Before(asked.at.Add(askOrigins))
	return of
}

// withdraw ends the published rules of a site that is not ours.
func (s *site) withdraw() {
	if p := s.seen().published; p != nil && len(p.Records) > 0 {
		s.inbox.Post("withdraw", func() {
			s.machine.Withdraw(time.Now().Unix())
			s.tellAnew()
		})
	}
}

// mostAsked is the number of sites of which it is reported that their rules wait: anybody can invent more.
const mostAsked = 20

// tellStrange reports, once, that rules of a site wait until somebody says that the site is ours.
func (s *site) tellStrange() {
	if s.known().rules > 0 && s.worker.isNewStranger(s.name) {
		s.worker.o.Report(Report{Site: s.name, Strange: true})
	}
}

// isNewStranger reports whether it is to be reported that rules of a site wait.
func (w *Worker) isNewStranger(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.strangers[name] || len(w.strangers) == mostAsked {
		return false
	}
	w.strangers[name] = true
	return true
}

// WhoseSite is what is known about the owner of one site.
type WhoseSite struct {
	Site   string   `json:"site"`
	Why    ours.Why `json:"ours,omitempty"`   // the reason for which the site is ours; "": nobody has said so
	Due    bool     `json:"due,omitempty"`    // the origin is to be asked
	Origin string   `json:"origin,omitempty"` // what the origin showed when it was asked
	Count  int      `json:"count"`            // URLs of the window, or lines of a finished log
	Bits   int      `json:"client_bits"`      // of 16
	Rules  int      `json:"likely_rules"`
}

// Waits reports whether somebody should say whose site this is: there are rules, and nothing says so.
func (w *WhoseSite) Waits() bool { return w.Why == "" && !w.Due && w.Rules > 0 }

func (s *site) whoseSite(now time.Time) WhoseSite {
	of := s.whose(now)
	f := s.known()
	return WhoseSite{Site: s.name, Why: of.Why, Due: of.Due, Origin: of.Told, Count: int(f.count), Bits: bits.OnesCount16(f.clients), Rules: int(f.rules)}
}

// WaitingSites returns the sites of which somebody should say whose they are, those with most URLs first.
func (s *Status) WaitingSites() (all []WhoseSite) {
	for _, w := range s.Whose {
		if w.Waits() {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b WhoseSite) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Site, b.Site)) })
	return all
}

// isOurs reports whether a site whose turn has come may be tried. If need be, it asks the origin. wait is the reason for
// which the origin cannot be asked yet.
func (s *site) isOurs(ctx context.Context, pass *fetch.Pass) (mine bool, wait *fetch.Error) {
	of := s.whose(time.Now())
	if !of.Due {
		return of.Why != "", nil
	}
	target := ""
	s.inbox.Do(func() { target = s.machine.Dialogue.Specimen() })
	told := origin{at: time.Now(), told: "no URL of the log may be asked for"}
	if target != "" {
		apart, words, err := s.tellsApart(ctx, fetch.Request{Site: s.name, Target: target, Purpose: "whose site", Pass: pass})
		if wait = postponed(err); wait != nil || ctx.Err() != nil {
			return false, wait
		}
		told.apart, told.told = apart, words
		if err != nil {
			told.at = told.at.Add(askSoon - askOrigins)
		}
	}
	s.inbox.Do(func() { s.now.origin = told })
	s.worker.o.Report(Report{Site: s.name, Origin: &Origin{Apart: told.apart, Words: told.told}})
	return told.apart, nil
}

// tellsApart asks the origin for the page of a request under the site's host and under two made-up ones. A page that stands still but for
// chance might differ once, so answers that are all pages are compared in two rounds.
func (s *site) tellsApart(ctx context.Context, q fetch.Request) (apart bool, words string, err error) {
	var own fetch.Told
	for round := range 2 {
		first, err := s.worker.o.Under(ctx, q, madeUp())
		if err != nil {
			return false, failed(err), err
		}
		now, err := s.worker.o.Under(ctx, q, "")
		if err != nil {
			return false, failed(err), err
		}
		second, err := s.worker.o.Under(ctx, q, madeUp())
		if err != nil {
			return false, failed(err), err
		}
		switch {
		case now.Status != 200:
			return false, fmt.Sprintf("for a page of the log it answers %s", inWords(now.Status)), nil
		case !equal(first, second):
			return false, "its answers for two invented hosts differ from each other", nil
		case equal(first, now), round > 0 && !equal(own, now):
			return false, "it gives an invented host the same answer", nil
		case first.Status != now.Status:
			return true, fmt.Sprintf("for invented hosts it answers %s", inWords(first.Status)), nil
		}
		own = now
	}
	return true, "it shows another page for invented hosts", nil
}

func failed(err error) string {
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		return "it could not be asked: " + string(e.Reason)
	}
	return "it could not be asked"
}

// inWords returns the status of an answer in words.
func inWords(status int) string {
	if status == 0 {
		return "nothing"
	}
	return fmt.Sprintf("status %d", status)
}

// madeUp returns the name of a host that nobody has.
func madeUp() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails
	return "x" + hex.EncodeToString(b) + ".invalid"
}

// equal reports whether two answers are alike, but for the hosts for which they were asked.
func equal(a, b fetch.Told) bool {
	if a.Status != b.Status || a.Location != b.Location {
		return false
	}
	if a.Content == nil || b.Content == nil {
		return true
	}
	return compare(fetch.Document{Content: a.Content}, fetch.Document{Content: b.Content}).Alike >= leastAlike
}
