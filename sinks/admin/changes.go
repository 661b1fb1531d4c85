package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
)

// Times of the streams of changes.
const (
	look        = time.Second      // how often the published sets are looked at
	stateEvery  = 2 * time.Second  // the same of the daemon's state: a page that is open somewhere is made again after each event
	keepAlive   = 15 * time.Second // a comment is sent after so long without an event
	streamsWait = 30 * time.Second // wait before a refused client may open a stream again
)

// change is the data of one event: a site's whole set, which replaces the last set.
type change struct {
	Site     string      `json:"site"`
	Sequence int64       `json:"sequence"`
	At       int64       `json:"at"` // time of publication, Unix seconds
	Rules    jsonl.List  `json:"rules"`
	Retired  []string    `json:"retired,omitempty"` // ids of the last set that are missing now
	Sample   rule.Sample `json:"sample"`            // the trial of the set as a whole
}

// changes streams the publications of sites: first the present sets, then each new set. With
// the parameter rules=no, changes streams only that the daemon's state has changed.
func changes(s State, d *door) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		peer := peerOf(r.RemoteAddr)
		if ok, ofPeer := d.streams.open(peer); !ok {
			code, whose := http.StatusServiceUnavailable, ""
			if ofPeer {
				code, whose = http.StatusTooManyRequests, " from this address"
			}
			retryAfter(w, streamsWait)
			d.deny(w, r, code, tooManyStreams, "too many streams"+whose+" are open: close one")
			return
		}
		defer d.streams.close(peer)
		w.Header().Set("Content-Type", "text/event-stream")
		out := &events{w: http.NewResponseController(w), out: w}
		if r.URL.Query().Get("rules") == "no" {
			out.stream(r.Context(), stateEvery, states(s))
			return
		}
		out.stream(r.Context(), look, publications(s))
	}
}

// stream calls send now and then, until the client or the server has gone.
func (e *events) stream(ctx context.Context, every time.Duration, send func(*events) error) {
	if e.write(nil) != nil { // the header, even if nothing is out yet
		return
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if send(e) != nil {
			return
		}
		if time.Since(e.last) >= keepAlive && e.write([]byte(": still here\n\n")) != nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// publications returns a function that sends the sets that have not been sent yet.
func publications(s State) func(*events) error {
	sent := map[string]int64{}
	return func(out *events) error {
		published := s.Rules().Published
		for _, site := range slices.Sorted(maps.Keys(published)) {
			p, begun := published[site], time.Now()
			if p == nil || p.Sequence == sent[site] {
				continue
			}
			if err := out.send(site, p); err != nil {
				return err
			}
			sent[site] = p.Sequence
			if time.Since(begun) >= look { // nothing old is kept for a slow reader
				published = s.Rules().Published
			}
		}
		maps.DeleteFunc(sent, func(site string, _ int64) bool { return published[site] == nil })
		return nil
	}
}

// states returns a function that sends the revision of the daemon's state, if it has changed.
func states(s State) func(*events) error {
	first, sent := true, int64(0)
	return func(out *events) error {
		now := s.Revision()
		if !first && now == sent {
			return nil
		}
		first, sent = false, now
		return out.write(fmt.Appendf(nil, "event: state\ndata: %d\n\n", now))
	}
}

// events is the other end of a stream.
type events struct {
	w    *http.ResponseController
	out  http.ResponseWriter
	last time.Time // of a write
}

func (e *events) send(site string, p *book.Publication) error {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(change{site, p.Sequence, p.At, jsonl.Valid(p), p.Retired, p.Sample}); err != nil {
		return err
	}
	return e.write(fmt.Appendf(nil, "event: rules\ndata: %s\n", data.Bytes())) // JSON ends with a newline
}

// write sends at once. The server's bound for an answer does not hold for a
// stream, but for each of its parts.
func (e *events) write(text []byte) error {
	if err := e.w.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if _, err := e.out.Write(text); err != nil {
		return err
	}
	e.last = time.Now()
	return e.w.Flush()
}
