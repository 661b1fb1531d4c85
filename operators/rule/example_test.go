package rule_test

import (
	"encoding/json"
	"fmt"

	"dustbuster/operators/rule"
)

// A rule read from a list edits the URLs in its scope.
func ExampleRule_Apply() {
	var r rule.Rule
	if err := json.Unmarshal([]byte(`{"kind":"parameter","op":"drop","params":["sid"],"scope":{"path":"/story"}}`), &r); err != nil {
		panic(err)
	}
	for _, url := range []string{"/story?id=12&sid=9f3c", "/list?sid=9f3c"} {
		edited, changed := r.Apply(nil, []byte(url))
		fmt.Printf("%s changed: %v %s\n", url, changed, edited)
	}
	// Output:
	// /story?id=12&sid=9f3c changed: true /story?id=12
	// /list?sid=9f3c changed: false
}
