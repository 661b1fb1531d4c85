// Reader is an example of a program that follows the topic of rules: it reads URLs, a line
// each, and prints their canonical forms by the rules of the moment.
//
//	go run . -brokers 127.0.0.1:9092 < urls.txt
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"

	"dustbuster/stream/kafka"
	"dustbuster/stream/subscribe"
)

func main() {
	brokers := flag.String("brokers", "127.0.0.1:9092", "brokers, with commas between them")
	topic := flag.String("topic", "dust.rules", "topic of the rules")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, strings.Split(*brokers, ","), *topic, os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, brokers []string, topic string, in io.Reader, out io.Writer) error {
	s, err := subscribe.Open(ctx, kafka.Options{Brokers: brokers}, subscribe.Options{
		Topic:  topic,
		Failed: func(err error) { log.Print(err) }, // what cannot be read is passed over
	})
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	select {
	case <-s.Ready(): // earlier, a page would get a key that the page does not keep
	case err := <-ended:
		return err
	}
	err = apply(s, in, out)
	stop()
	if e := <-ended; err == nil {
		err = e
	}
	return err
}

// apply prints the canonical form of each line at once.
func apply(s *subscribe.Subscription, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		canonical, _ := s.Canonical(lines.Text())
		if _, err := fmt.Fprintln(out, canonical); err != nil {
			return err
		}
	}
	return lines.Err()
}
