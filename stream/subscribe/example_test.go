package subscribe_test

import (
	"context"
	"fmt"
	"log"

	"dustbuster/stream/subscribe"
)

// A crawler fetches one URL of each canonical form. With brokers, a subscription begins
// so:
//
//	s, err := subscribe.Open(ctx, kafka.Options{Brokers: []string{"kafka.example.org:9092"}}, options)
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	options := subscribe.Options{
		Topic:  "dust.rules",
		Deny:   []string{"shop.example.org"}, // the rules of this site are not applied
		Failed: func(err error) { log.Print(err) },
	}
	topic, err := subscribe.Topic("www.example.org", "sid", "ref") // in memory, for this example
	if err != nil {
		log.Fatal(err)
	}
	s := subscribe.New(topic, options)
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	select {
	case <-s.Ready(): // earlier, a page would get a key that changes later
	case err := <-ended:
		log.Fatal(err)
	}

	seen := map[string]bool{}
	for _, url := range []string{
		"http://www.example.org/story?id=7&sid=9f3c",
		"http://www.example.org/story?id=7",
		"http://www.example.org/story?id=7&ref=mail",
		"http://www.example.org/story?id=8",
	} {
		if key, _ := s.Canonical(url); !seen[key] {
			seen[key] = true
			fmt.Println("fetch", key)
		}
	}

	stop()
	if err := <-ended; err != nil {
		log.Print(err)
	}
	// Output:
	// fetch http://www.example.org/story?id=7
	// fetch http://www.example.org/story?id=8
}
