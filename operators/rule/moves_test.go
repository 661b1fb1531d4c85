package rule_test

import (
	"encoding/json"
	"testing"

	"dustbuster/operators/rule"
)

// A redirect may answer URLs that moved for good, and no URL with a use of its own.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		name string
		rule string // as published
		want bool
	}{
		{"slashes", `{"kind":"form","form":"slashes"}`, true},
		{"case", `{"kind":"form","form":"case"}`, true},
		{"escapes", `{"kind":"form","form":"escapes"}`, true},
		{"empty query", `{"kind":"form","form":"empty-query"}`, false},
		{"index name", pair("/index.html", "/"), true},
		{"index name without a slash", pair("index.php", ""), true},
		{"old path", pair("/old/", "/news/"), true},
		{"folders", pair("/artikel/", "/articles/"), true},
		{"letters of a path", pair("/A/", "/a/"), true},
		{"print", pair("/print/", "/story_"), false},
		{"into print", pair("/story_", "/print/"), false},
		{"amp", pair("/amp", ""), false},
		{"mobile", pair("/m/", "/"), false},
		{"session in a path", pair("/session/", "/"), false},
		{"session parameter of a path", pair(";jsessionid", ""), false},
		{"text of a query", pair("?utm_source=x", ""), false},
		{"text anywhere", pair("_", "-"), false},
		{"tracking", `{"kind":"parameter","op":"drop","params":["utm_source"]}`, false},
		{"session", `{"kind":"parameter","op":"drop","params":["sid"]}`, false},
		{"set", `{"kind":"parameter","op":"set","params":["lang"],"to":"en"}`, false},
		{"order", `{"kind":"parameter","op":"order"}`, false},
		{"a script's address becomes a path", `{"kind":"template","where":{"/0":"story.php","id":"*"},"edit":{"/0":{"copy":"id"},"id":"drop"}}`, true},
		{"and loses a parameter", `{"kind":"template","where":{"/0":"story.php","id":"*","ref":"*"},"edit":{"/0":{"copy":"id"},"id":"drop","ref":"drop"}}`, false},
		{"and a view", `{"kind":"template","where":{"/0":"print","/1":"*"},"edit":{"/0":{"set":"story"}}}`, false},
		{"a folder", `{"kind":"template","where":{"/0":"news","/1":"*"},"edit":{"/0":{"set":"stories"}}}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w rule.Wire
			if err := json.Unmarshal([]byte(c.rule), &w); err != nil {
				t.Fatal(err)
			}
			r, err := w.Rule()
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Moves(); got != c.want {
				t.Errorf("%s: %v, want %v", r.Words(), got, c.want)
			}
		})
	}
}

// pair returns the JSON of a substring rule.
func pair(from, to string) string {
	text, err := json.Marshal(&rule.Rule{Edit: rule.Substring{From: from, To: to}})
	if err != nil {
		panic(err)
	}
	return string(text)
}
