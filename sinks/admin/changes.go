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

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
)

// Times of the streams of changes.
const (
	look        = time.Second      // how often the state is looked at
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
			streamStates(r.Context(), out, s)
			return
		}
		stream(r.Context(), out, s)
	}
}

// stream sends until the client or the server has gone.
func stream(ctx context.Context, out *events, s State) {
	if out.write(nil) != nil { // the header, even if nothing is out yet
		return
	}
	tick := time.NewTicker(look)
	defer tick.Stop()
	sent, last := map[string]int64{}, time.Now()
	for {
		published := s.Rules().Published
		for _, site := range slices.Sorted(maps.Keys(published)) {
			p, begun := published[site], time.Now()
			if p == nil || p.Sequence == sent[site] {
				continue
			}
			if out.send(site, p) != nil {
				return
			}
			sent[site], last = p.Sequence, time.Now()
			if last.Sub(begun) >= look { // nothing old is kept for a slow reader
				published = s.Rules().Published
			}
		}
		forget(sent, published)
		if time.Since(last) >= keepAlive {
			if out.write([]byte(": still here\n\n")) != nil {
				return
			}
			last = time.Now()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// stateEvery is the least time between two events about the daemon's state. A page that is
// open somewhere is made again after each.
const stateEvery = 2 * time.Second

// streamStates sends the revision of the daemon's state, now and whenever the revision has
// changed, until the client or the server has gone.
func streamStates(ctx context.Context, out *events, s State) {
	tick := time.NewTicker(stateEvery)
	defer tick.Stop()
	sent := s.Revision()
	for last := time.Now(); ; {
		event := fmt.Appendf(nil, "event: state\ndata: %d\n\n", sent)
		if out.write(event) != nil {
			return
		}
		for now := sent; now == sent; now = s.Revision() {
			if time.Since(last) >= keepAlive {
				last = time.Now()
				if out.write([]byte(": still here\n\n")) != nil {
					return
				}
			}
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
		sent, last = s.Revision(), time.Now()
	}
}

// forget leaves out of the sequences sent the sites of which nothing is published any more.
func forget(sent map[string]int64, published map[string]*lifecycle.Publication) {
	maps.DeleteFunc(sent, func(site string, _ int64) bool { return published[site] == nil })
}

// events is the other end of a stream.
type events struct {
	w   *http.ResponseController
	out http.ResponseWriter
}

func (e *events) send(site string, p *lifecycle.Publication) error {
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
	return e.w.Flush()
}
