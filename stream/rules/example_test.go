package rules_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"dustbuster/stream/rules"
)

// A crawler starts with the present rules and follows their file.
func ExampleLive() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	const source = "testdata/rules.jsonl" // or the daemon's address, http://127.0.0.1:9464
	list, err := rules.Open(ctx, source)
	if err != nil {
		log.Fatal(err)
	}
	var live rules.Live
	if err := live.Set(list); err != nil { // before any page gets a key: without rules the key would differ
		log.Fatal(err)
	}
	go live.Follow(ctx, source, time.Minute, func(err error) { log.Print(err) })

	seen := map[string]bool{}
	for _, url := range []string{"http://www.example.org/story?id=7&sid=9", "http://www.example.org/story?id=7#top", "mailto:me"} {
		if key, _ := live.Canonical(url); !seen[key] {
			seen[key] = true
			fmt.Println(key)
		}
	}
	// Output:
	// http://www.example.org/story_7
	// mailto:me
}

// A batch job compiles a list once and applies it to all URLs.
func ExampleRead() {
	list, err := rules.Read(strings.NewReader(
		`{"schema":2,"site":"www.example.org","id":"7","kind":"parameter","op":"drop","params":["sid"],"scope":{},"rank":1,"state":"valid"}` + "\n"))
	if err != nil {
		log.Fatal(err)
	}
	sites, err := list.Compile()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(list.Len())
	fmt.Println(sites.Canonical("http://www.example.org/story?id=7&sid=9f3c"))
	// Output:
	// 1
	// http://www.example.org/story?id=7 true
}
