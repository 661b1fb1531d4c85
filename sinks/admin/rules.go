package admin

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"dustbuster/operators/publish/jsonl"
)

// rules responds with the list, or with one site's part.
func rules(s State) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query, all := r.URL.Query(), s.Rules()
		valid := all.Tried
		switch query.Get("state") {
		case "likely":
			valid = false
		case "valid":
			valid = true
		case "":
		default:
			http.Error(w, "state is likely or valid", http.StatusBadRequest)
			return
		}
		if site := query.Get("site"); query.Has("site") && all.Knows != nil && !all.Knows(site) {
			if mine(w, r, s, site) {
				refuse(w, http.StatusNotFound, "site", "no hit on this site has been seen, and it has no rules: see /api/v1/status")
			}
			return
		}
		list, missing := all.likely(query), all.Unlisted
		if valid {
			list, missing = all.valid(query), all.Unread
		}
		if missing != nil && (len(list) == 0 || !query.Has("site")) {
			if !query.Has("site") || mine(w, r, s, query.Get("site")) {
				retryAfter(w, listWait)
				refuse(w, http.StatusServiceUnavailable, "", "the list is not complete yet, so keep the last one: "+missing.Error())
			}
			return
		}
		writeList(w, r, list)
	}
}

// writeList responds with a list in the format that the request prefers.
func writeList(w http.ResponseWriter, r *http.Request, list jsonl.List) {
	write, kind := list.Write, "application/x-ndjson"
	if prefersArray(strings.Join(r.Header.Values("Accept"), ",")) {
		write, kind = func(w io.Writer) error { return writeArray(w, list) }, "application/json"
	}
	sum, size := sha256.New(), length(0)
	if err := write(io.MultiWriter(sum, &size)); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	digest := sum.Sum(nil)
	tag := fmt.Sprintf("\"%.16x\"", digest)
	w.Header().Set("Content-Type", kind)
	w.Header().Add("Vary", "Accept")
	w.Header().Set("Cache-Control", "no-cache") // kept by the client, and requested again with the tag
	w.Header().Set("ETag", tag)
	if isOneOf(tag, r.Header.Values("If-None-Match")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Repr-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(digest)+":") // RFC 9530: a reader knows a list that was cut short
	w.Header().Set("Content-Length", strconv.FormatInt(int64(size), 10))
	if r.Method == http.MethodHead {
		return
	}
	_ = write(w) // the second time: the list of 100,000 sites would take 300 MB as a text. An error means that the client has gone
}

// listWait is when a client may ask again for a list that is not complete yet.
const listWait = 5 * time.Second

// length counts the bytes written to it.
type length int64

func (n *length) Write(b []byte) (int, error) {
	*n += length(len(b))
	return len(b), nil
}

// isOneOf reports whether a tag is among those of a header (RFC 9110, 13.1.2).
func isOneOf(tag string, values []string) bool {
	for one := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == tag || one == "*" {
			return true
		}
	}
	return false
}

// of reports whether the request asks for a site, of which "" is one, too.
func of(query url.Values, site string) bool { return !query.Has("site") || query.Get("site") == site }

func (r *Rules) likely(query url.Values) (list jsonl.List) {
	for i := range r.Likely {
		if of(query, r.Likely[i].Site) {
			list = append(list, r.Likely[i])
		}
	}
	return list
}

func (r *Rules) valid(query url.Values) (list jsonl.List) {
	for _, site := range slices.Sorted(maps.Keys(r.Published)) {
		if of(query, site) {
			list = append(list, jsonl.Valid(r.Published[site])...)
		}
	}
	return list
}

// writeArray writes the lines of jsonl as an array, one element a line.
func writeArray(w io.Writer, list jsonl.List) error {
	b := bufio.NewWriter(w)   // which keeps the first error
	enc := json.NewEncoder(b) // its newline stands before the comma
	enc.SetEscapeHTML(false)
	_ = b.WriteByte('[')
	before := byte('\n')
	for rule := range list.All() {
		_ = b.WriteByte(before)
		before = ','
		if err := enc.Encode(rule); err != nil {
			return err
		}
	}
	_, _ = b.WriteString("]\n")
	return b.Flush()
}

// prefersArray reports whether an Accept header prefers application/json to JSON lines.
// Without a preference, the format is JSON lines.
func prefersArray(accept string) bool {
	var array, lines weight
	for item := range strings.SplitSeq(accept, ",") {
		kind, params, err := mime.ParseMediaType(item)
		if err != nil {
			continue
		}
		q := 1.0
		if text, has := params["q"]; has {
			if q, err = strconv.ParseFloat(text, 64); err != nil {
				continue
			}
		}
		switch kind {
		case "*/*":
			array.set(q, 1)
			lines.set(q, 1)
		case "application/*":
			array.set(q, 2)
			lines.set(q, 2)
		case "application/json":
			array.set(q, 3)
		case "application/x-ndjson", "application/jsonl", "application/x-jsonlines":
			lines.set(q, 3)
		}
	}
	return array.q > lines.q
}

// weight is the preference for a format in the most specific item.
type weight struct {
	q        float64
	specific int
}

func (w *weight) set(q float64, specific int) {
	if specific > w.specific || specific == w.specific && q > w.q {
		w.q, w.specific = q, specific
	}
}
