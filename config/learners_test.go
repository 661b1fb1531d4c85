package config

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
)

var (
	exampleFile = flag.String("example", example, "the example of a configuration file")
	rewriteDocs = flag.Bool("rewrite-docs", false, "write the learners in the example anew")
)

// learnerLines are the lines of the example that list the learners.
var learnerLines = regexp.MustCompile(`(?m)(^  #   \w.*\n)*^  learners: .*\n`)

// The example lists all learners with what they find, and names the learners by default.
func TestLearnersDocs(t *testing.T) {
	was, err := os.ReadFile(*exampleFile)
	must(t, err)
	var lines strings.Builder
	list := func(name, about string) { fmt.Fprintf(&lines, "  #   %-9s %s\n", name, about) }
	list(envelope.Name, envelope.About)
	list(params.Name, params.About)
	for _, l := range miner.WindowLearners() {
		list(l.Name, l.About)
	}
	fmt.Fprintf(&lines, "  learners: [%s]\n", strings.Join(miner.DefaultLearners(), ", "))
	want := learnerLines.ReplaceAllLiteralString(string(was), lines.String())
	if *rewriteDocs {
		must(t, os.WriteFile(*exampleFile, []byte(want), 0o644))
		return
	}
	if want != string(was) {
		t.Errorf("%s does not list the learners as\n%s(go test ./config -run Docs -rewrite-docs writes them anew)", *exampleFile, lines.String())
	}
}
