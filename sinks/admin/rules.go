package admin

import (
	"bufio"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"dustbuster/operators/miner"
	"dustbuster/sinks/jsonl"
)

// rules answers with the list, or with one site's part of it. A site that
// nothing is known of has no rules.
func rules(s State) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		list := s.Rules()
		if query := r.URL.Query(); query.Has("site") { // the site "" has a name, too
			list = ofSite(list, query.Get("site"))
		}
		write, kind := jsonl.Write, "application/x-ndjson"
		if prefersArray(strings.Join(r.Header.Values("Accept"), ",")) {
			write, kind = writeArray, "application/json"
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Vary", "Accept")
		if r.Method != http.MethodHead {
			_ = write(w, list) // who asked has gone, if this fails
		}
	}
}

// ofSite is the part of a list that is about a site.
func ofSite(list []miner.Rule, site string) (part []miner.Rule) {
	for i := range list {
		if list[i].Site == site {
			part = append(part, list[i])
		}
	}
	return part
}

// writeArray writes the lines of jsonl as an array, one element a line.
func writeArray(w io.Writer, list []miner.Rule) error {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out) // its newline stands before the comma
	enc.SetEscapeHTML(false)
	separator := "[\n"
	for i := range list {
		if _, err := out.WriteString(separator); err != nil {
			return err
		}
		if err := enc.Encode(jsonl.Object(&list[i])); err != nil {
			return err
		}
		separator = ","
	}
	end := "]\n"
	if len(list) == 0 {
		end = "[]\n"
	}
	if _, err := out.WriteString(end); err != nil {
		return err
	}
	return out.Flush()
}

// prefersArray tells whether an Accept header would rather have application/json
// than JSON lines. Who does not care gets lines.
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

// weight is how much a form is wanted, as the most specific item says.
type weight struct {
	q        float64
	specific int
}

func (w *weight) set(q float64, specific int) {
	if specific > w.specific || specific == w.specific && q > w.q {
		w.q, w.specific = q, specific
	}
}
