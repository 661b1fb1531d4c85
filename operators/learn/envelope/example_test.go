package envelope_test

import (
	"fmt"

	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

// The index holds the likely rules of its URLs at any time.
func ExampleIndex() {
	options := envelope.Defaults()
	options.MinSupport = 3
	urls := urllist.New()
	index := envelope.New(options, urls)

	enter := func(url string, size int64) {
		id, _ := urls.Intern([]byte(url))
		page := evidence.Spans{{Min: size, Max: size}}
		urls.SetEvidence(id, page)
		index.Enter(id)
	}
	for story := range int64(3) {
		enter(fmt.Sprintf("/story?id=%d", story), 5000+100*story)
		enter(fmt.Sprintf("/story_%d", story), 5000+100*story)
	}
	for _, rule := range dust.Refine(index.Likely()) { // without Refine, also rules on parts of these two sides
		fmt.Printf("%s <-> %s, support %d\n", rule.Alpha, rule.Beta, rule.Support)
	}
	// Output:
	// /story?id= <-> /story_, support 3
}
