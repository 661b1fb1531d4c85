package export

import (
	"bufio"
	"encoding/json"
	"fmt"
)

// writeJSON writes an indented value. There is no comment at its head.
func writeJSON(b *bufio.Writer, v any) {
	out := json.NewEncoder(b)
	out.SetEscapeHTML(false)
	out.SetIndent("", "\t")
	if err := out.Encode(v); err != nil { // the Writer keeps its own errors, and nothing else can go wrong
		fmt.Fprintf(b, "%q\n", err.Error())
	}
}
