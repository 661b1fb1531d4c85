package integration

import (
	"strings"
	"testing"
)

// newLearner is a learner that looks at the window.
var newLearner = addition{
	files: map[string]string{"operators/learn/newest/learn.go": "learner/newest.go"},
	rows: map[string][][2]string{"operators/learn/miner/window.go": {
		{"\t\"dustbuster/operators/learn/kinds\"\n", "\t\"dustbuster/operators/learn/newest\"\n"},
		{"\t\treturn fanout.LearnWindow(o.Envelope.Similarity, pages, stop)\n\t}},\n", "\t{newest.Name, newest.About, true, false, func(_ *Options, pages []evidence.Page, stop func() bool) ([]rule.Likely, bool) {\n" +
			"\t\treturn newest.Learn(pages), !stop()\n\t}},\n"},
	}},
	walk: [2]string{"config/walk_test.go", "learner/walk.go"},
}

// A learner is its package and a row. It is compared with the others, and the example of a
// configuration file names it.
func TestNewLearner(t *testing.T) {
	t.Parallel()
	if n := newLearner.touches(); n > 2 {
		t.Errorf("a new learner touches %d files, at most 2", n)
	}
	example := write(t, "config.yml", readFile(t, "../docs/config.example.yml"))
	newLearner.try(t, "-example", example, "-rewrite-docs")
	text := string(readFile(t, example))
	for _, line := range []string{"  #   newest    the parameter sid\n", "  learners: [envelope, params, equal, drops, kinds, newest]\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("the example lacks %q", line)
		}
	}
}
