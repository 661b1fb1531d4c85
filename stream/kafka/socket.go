package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// sockets are the open connections of a cluster or of a group's member. Closing them need
// not wait for a network without answers.
type sockets struct {
	dialer net.Dialer
	tls    *tls.Config // nil: plain text
	renew  func() (*tls.Config, error)
	stall  time.Duration // the deadline of reads and writes without a deadline of their own
	ctx    context.Context
	cancel context.CancelFunc
	mutex  sync.Mutex
	open   map[*socket]struct{}
	closed *sync.Cond // signalled when a socket is closed
}

func newSockets(o *Options, timeout, stall time.Duration) *sockets {
	s := &sockets{
		dialer: net.Dialer{Timeout: timeout, KeepAlive: 10 * time.Second},
		tls:    o.TLS,
		renew:  o.Renew,
		stall:  stall,
		open:   map[*socket]struct{}{},
	}
	s.closed = sync.NewCond(&s.mutex)
	s.ctx, s.cancel = context.WithCancel(context.Background())
	return s
}

// errHandshake marks errors before TLS has been agreed on.
var errHandshake = errors.New("TLS handshake")

// dial opens a connection, unless the sockets are closed. It begins TLS itself, because
// kafka-go leaves the connection open if TLS fails.
func (s *sockets) dial(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	conn, err := s.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	k := &socket{Conn: conn, of: s}
	s.mutex.Lock()
	if s.ctx.Err() != nil {
		s.mutex.Unlock()
		conn.Close() //nolint:errcheck // nothing was sent
		return nil, net.ErrClosed
	}
	s.open[k] = struct{}{}
	s.mutex.Unlock()
	return s.secure(ctx, k, address)
}

// secure begins TLS if TLS is configured.
func (s *sockets) secure(ctx context.Context, conn net.Conn, address string) (net.Conn, error) {
	if s.tls == nil {
		return conn, nil
	}
	config := s.tls
	if s.renew != nil {
		var err error
		if config, err = s.renew(); err != nil {
			conn.Close() //nolint:errcheck // nothing was sent
			return nil, fmt.Errorf("%w: %w", errHandshake, err)
		}
	}
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		config = config.Clone()
		config.ServerName = host
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close() //nolint:errcheck // the handshake's error is the one to tell
		return nil, fmt.Errorf("%w: %w", errHandshake, err)
	}
	return secure, nil
}

// close ends all connections and all attempts to connect, and waits for the owners of the
// connections to end, for a second at the most.
func (s *sockets) close() {
	s.cancel()
	late := false
	defer time.AfterFunc(time.Second, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		late = true
		s.closed.Broadcast()
	}).Stop()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for k := range s.open {
		k.Conn.Close() //nolint:errcheck // nothing was promised to the other side
	}
	for len(s.open) > 0 && !late {
		s.closed.Wait()
	}
}

// socket is a connection with deadlines. kafka-go authenticates without a deadline.
type socket struct {
	net.Conn
	of    *sockets
	mutex sync.Mutex
	read  time.Time // deadlines as set by the user; zero: none
	write time.Time
}

func (k *socket) Read(b []byte) (int, error) {
	k.limit(&k.read, k.Conn.SetReadDeadline)
	return k.Conn.Read(b)
}

func (k *socket) Write(b []byte) (int, error) {
	k.limit(&k.write, k.Conn.SetWriteDeadline)
	return k.Conn.Write(b)
}

// limit sets the deadline of a read or write, unless the user has set one.
func (k *socket) limit(own *time.Time, set func(time.Time) error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if own.IsZero() {
		set(time.Now().Add(k.of.stall)) //nolint:errcheck // Read or Write tells
	}
}

func (k *socket) SetDeadline(t time.Time) error {
	return errors.Join(k.SetReadDeadline(t), k.SetWriteDeadline(t))
}

func (k *socket) SetReadDeadline(t time.Time) error {
	return k.set(&k.read, t, k.Conn.SetReadDeadline)
}

func (k *socket) SetWriteDeadline(t time.Time) error {
	return k.set(&k.write, t, k.Conn.SetWriteDeadline)
}

func (k *socket) set(own *time.Time, t time.Time, set func(time.Time) error) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	*own = t
	return set(t)
}

func (k *socket) Close() error {
	err := k.Conn.Close()
	k.of.mutex.Lock()
	defer k.of.mutex.Unlock()
	delete(k.of.open, k)
	k.of.closed.Broadcast()
	return err
}
