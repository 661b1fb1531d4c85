package records

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each format whose records name clients but no user agents is reported once, whatever
// wrapper its lines stand in.
func TestAgentless(t *testing.T) {
	common := strings.Replace(combinedLine, ` "-" "-"`, "", 1)
	w3c := "#Fields: date time c-ip cs-method cs-uri-stem sc-status sc-bytes\n2024-01-02 03:04:05 192.0.2.1 GET /a 200 5\n"
	var told []string
	o := Options{Agentless: func(path, format string) { told = append(told, path[strings.LastIndexByte(path, '/')+1:]+" "+format) }}
	readAll(t, o,
		write(t, "a", fmt.Sprintf(common, 1)),
		write(t, "b", fmt.Sprintf(common, 2)),
		write(t, "c", fmt.Sprintf(combinedLine, 3)),
		write(t, "d", "/x\t200\t12\n"),
		write(t, "e", w3c),
		write(t, "f", strings.ReplaceAll(strings.ReplaceAll(w3c, "sc-bytes", "sc-bytes cs(User-Agent)"), " 5\n", " 5 Mozilla\n")),
		write(t, "g", "<6>Jan  1 00:00:07 host nginx: "+fmt.Sprintf(common, 4)),
		write(t, "h", strings.Replace(fmt.Sprintf(common, 5), " 200 ", " 404 ", 1)), // not a hit
	)
	if want := []string{"a common", "e w3c", "g syslog/common"}; !slices.Equal(told, want) {
		t.Errorf("reported %q, want %q", told, want)
	}
}
