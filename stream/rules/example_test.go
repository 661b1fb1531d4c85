package rules_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"dustbuster/stream/rules"
)

// A crawler begins with the rules that there are, and follows their file.
func ExampleLive() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	const source = "testdata/rules.jsonl" // or the daemon's address, http://127.0.0.1:9464
	list, err := rules.Open(ctx, source, nil)
	if err != nil {
		log.Fatal(err)
	}
	var live rules.Live
	if err := live.Set(list); err != nil { // before that, a page would get a key that it does not keep
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
