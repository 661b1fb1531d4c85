package integration

import (
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// proxy stands between clients and a broker, and spoils the network.
type proxy struct {
	Port   int
	target atomic.Int64 // port of the broker
	hole   atomic.Bool  // bytes are swallowed, and nobody is told
	refuse atomic.Bool  // nobody gets in
	rate   atomic.Int64 // bytes a second and direction; 0: as they come

	mutex sync.Mutex
	conns map[net.Conn]struct{}
	done  sync.WaitGroup
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	p := &proxy{Port: l.Addr().(*net.TCPAddr).Port, conns: map[net.Conn]struct{}{}}
	p.done.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			p.done.Go(func() { p.carry(client) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		p.refuse.Store(true)
		p.cut()
		p.done.Wait()
	})
	return p
}

func (p *proxy) carry(client net.Conn) {
	defer client.Close()
	broker, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.FormatInt(p.target.Load(), 10)))
	if err != nil {
		return
	}
	defer broker.Close()
	p.mutex.Lock()
	if p.refuse.Load() {
		p.mutex.Unlock()
		return
	}
	p.conns[client], p.conns[broker] = struct{}{}, struct{}{}
	p.mutex.Unlock()
	var both sync.WaitGroup
	both.Go(func() { p.copy(broker, client) })
	both.Go(func() { p.copy(client, broker) })
	both.Wait()
	p.mutex.Lock()
	delete(p.conns, client)
	delete(p.conns, broker)
	p.mutex.Unlock()
}

func (p *proxy) copy(to io.WriteCloser, from io.ReadCloser) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 16<<10)
	for {
		n, err := from.Read(buffer)
		if rate := p.rate.Load(); rate > 0 {
			time.Sleep(time.Duration(n) * time.Second / time.Duration(rate))
		}
		if !p.hole.Load() {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// cut ends all connections.
func (p *proxy) cut() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for c := range p.conns {
		c.Close()
	}
}
