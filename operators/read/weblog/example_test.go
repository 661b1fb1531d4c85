package weblog_test

import (
	"errors"
	"fmt"
	"log"

	"dustbuster/operators/read/weblog"
)

const combinedLine = `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /story?id=7 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`

// One Hit serves all lines of a log. Its slices are valid until the next Parse.
func ExampleParser() {
	p, err := weblog.New("combined")
	if err != nil {
		log.Fatal(err)
	}
	var h weblog.Hit
	if err := p.Parse(&h, []byte(combinedLine)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %s %d, %d bytes\n", h.Method, h.Target, h.Status, h.Size)
	fmt.Println(errors.Is(p.Parse(&h, []byte("no line of a log")), weblog.ErrMalformed))
	// Output:
	// GET /story?id=7 200, 5120 bytes
	// true
}

// New also takes the format string of a server's own configuration.
func ExampleNew() {
	p, err := weblog.New(`log_format main '$host $request_uri $status $body_bytes_sent';`)
	if err != nil {
		log.Fatal(err)
	}
	var h weblog.Hit
	if err := p.Parse(&h, []byte("www.example.org /story?id=7 200 5120")); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s%s %d\n", h.Host, h.Target, h.Size)
	// Output:
	// www.example.org/story?id=7 5120
}

// Detect looks at the first lines of a log.
func ExampleDetect() {
	best, ok := weblog.Detect([][]byte{[]byte(combinedLine)}).Best()
	fmt.Println(best.Format.Name, ok)
	// Output:
	// combined true
}
