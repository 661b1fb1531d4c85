package admin

import (
	"bytes"
	"crypto/sha256"
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
		list := all.likely(query)
		if valid {
			list = all.valid(query)
		}
		var body bytes.Buffer
		write, kind := list.Write, "application/x-ndjson"
		if prefersArray(strings.Join(r.Header.Values("Accept"), ",")) {
			write, kind = func(io.Writer) error { return writeArray(&body, list) }, "application/json"
		}
		if err := write(&body); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Add("Vary", "Accept")
		w.Header().Set("Cache-Control", "no-cache") // kept by the client, and requested again with the tag
		w.Header().Set("ETag", fmt.Sprintf("\"%.16x\"", sha256.Sum256(body.Bytes())))
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body.Bytes()))
	}
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
func writeArray(w *bytes.Buffer, list jsonl.List) error {
	enc := json.NewEncoder(w) // its newline stands before the comma
	enc.SetEscapeHTML(false)
	w.WriteByte('[')
	before := byte('\n')
	for rule := range list.All() {
		w.WriteByte(before)
		before = ','
		if err := enc.Encode(rule); err != nil {
			return err
		}
	}
	w.WriteString("]\n")
	return nil
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
