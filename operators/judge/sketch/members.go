package sketch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// maxNested is the depth to which the members of JSON are read.
const maxNested = 64

// isJSON reports whether a content type is that of JSON.
func isJSON(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json"))
}

// membersOf returns the bag of a JSON document: a hash for each value that is no object or array, and the names
// that lead to it. Places in arrays do not count. The bag is nil if the document is no JSON, or has more than MaxBag
// values.
func membersOf(body []byte) []uint32 {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	members := &bag{}
	if err := readValue(d, nil, maxNested, members); err != nil {
		return nil
	}
	return members.sorted()
}

// readValue reads a value, to which names lead.
func readValue(d *json.Decoder, names []byte, depth int, members *bag) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if !nested {
		members.add(xxhash.Sum64(fmt.Appendf(names, "%T %v", token, token)), 0)
		return nil
	}
	if depth == 0 {
		return fmt.Errorf("more than %d values within values", maxNested)
	}
	for d.More() {
		inner := names
		if open == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			inner = fmt.Appendf(names, "%q", name)
		}
		if err := readValue(d, inner, depth-1, members); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
