package fetch_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"dustbuster/stream/fetch"
)

// loopbackFetcher returns a Fetcher that uses the real network of this machine, which
// may be busy.
func loopbackFetcher(t *testing.T, o fetch.Options) *fetch.Fetcher {
	t.Helper()
	if o.Delay == 0 {
		o.Delay = time.Millisecond
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	f, err := fetch.New(o)
	must(t, err)
	return f
}

// rawServer answers every request except the request for robots.txt by calling write on
// the connection. Head is the head of the request as received.
func rawServer(t *testing.T, write func(conn net.Conn, head string)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				head := readHead(conn)
				if strings.HasPrefix(head, "GET /robots.txt ") {
					say(conn, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
					return
				}
				write(conn, head)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func readHead(conn net.Conn) string {
	var head strings.Builder
	for r := bufio.NewReader(conn); !strings.HasSuffix(head.String(), "\r\n\r\n"); {
		line, err := r.ReadString('\n')
		if err != nil {
			return ""
		}
		head.WriteString(line)
	}
	return head.String()
}

// endlessly writes until the client closes the connection.
func endlessly(conn net.Conn, piece string) {
	for {
		if _, err := io.WriteString(conn, piece); err != nil {
			return
		}
	}
}

func drip(conn net.Conn, drop string) {
	for {
		if _, err := io.WriteString(conn, drop); err != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func gzipped(plain []byte) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(plain)
	_ = z.Close()
	return b.String()
}
