package subscribe_test

import (
	"context"
	"fmt"
	"log"

	"dustbuster/stream/kafka"
	"dustbuster/stream/subscribe"
)

// A crawler keeps what it has seen by canonical form.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s, err := subscribe.Open(ctx, kafka.Options{Brokers: []string{"kafka.example.org:9092"}}, subscribe.Options{
		Topic:  "dust.rules",
		Deny:   []string{"shop.example.org"}, // whose rules are not to be trusted
		Failed: func(err error) { log.Print(err) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	select {
	case <-s.Ready(): // before that, a page would get a key that it does not keep
	case err := <-ended:
		log.Fatal(err)
	}
	seen := map[string]bool{}
	for _, url := range []string{"http://www.example.org/story?id=7&sid=9", "http://www.example.org/story?id=7"} {
		if key, _ := s.Canonical(url); !seen[key] {
			seen[key] = true
			fmt.Println("fetch", url)
		}
	}
	stop()
	if err := <-ended; err != nil {
		log.Print(err)
	}
}
