package kafka

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/segmentio/kafka-go/protocol"
)

// anyBroker addresses a request that any broker can answer.
const anyBroker = -1

// maxFrame bounds the memory of one response beyond the requested size. A broker returns
// the first batch whole, however large.
const maxFrame = 64 << 20

// exchange sends one request to one broker and returns the bytes of the response. The
// transport of kafka-go decodes responses in its own goroutines, where a panic over a
// hostile response would end the process. So the transport is given an exchange, which
// reads and writes by itself. The caller decodes the response.
type exchange struct {
	req     protocol.Message
	node    int32
	client  string
	limit   int           // bytes of the answer
	timeout time.Duration // without a byte
	wait    time.Duration // more, before the first byte: how long the broker may think
	version int16         // agreed with the connection
	unknown bool          // the broker does not list the request among those that it answers (ApiVersions)
}

// frame is an answer's bytes, from the correlation id on, after the size.
type frame struct {
	key     protocol.ApiKey
	version int16
	data    []byte
}

const correlation = 1 // a connection carries one request at a time, and no request after a failed request

// ApiKey returns the request's.
func (x *exchange) ApiKey() protocol.ApiKey { return x.req.ApiKey() }

// Broker routes by the node's number: the topics' leaders are the cluster's
// business, not the transport's.
func (x *exchange) Broker(protocol.Cluster) (protocol.Broker, error) {
	return protocol.Broker{ID: x.node}, nil
}

// Required notes the versions that the connection has agreed on.
func (x *exchange) Required(versions map[protocol.ApiKey]int16) bool {
	version, known := versions[x.req.ApiKey()]
	x.version, x.unknown = version, !known
	if _, ids := versions[describeCluster]; ids {
		if _, asked := x.req.(*topicsRequest); asked {
			x.version = idVersion
		}
	}
	return true
}

// write writes the request.
func (x *exchange) write(w io.Writer) error {
	topics, ok := x.req.(*topicsRequest)
	switch {
	case !ok:
		return protocol.WriteRequest(w, x.version, correlation, x.client, x.req)
	case x.version != idVersion:
		return protocol.WriteRequest(w, x.version, correlation, x.client, &topics.Request)
	}
	_, err := w.Write(topics.appendTo(nil, x.client))
	return err
}

// RawExchange writes the request and reads the response. Each byte received moves the
// deadline: a slow network is not a dead network.
func (x *exchange) RawExchange(rw io.ReadWriter) (protocol.Message, error) {
	if x.unknown { // a broker ends the connection over a request that it does not know
		return nil, fmt.Errorf("%w: %s", ErrUnknownRequest, x.req.ApiKey())
	}
	conn, ok := rw.(interface{ SetDeadline(time.Time) error })
	if !ok {
		return nil, fmt.Errorf("exchange over a %T, which has no deadlines", rw)
	}
	if err := conn.SetDeadline(time.Now().Add(x.timeout + x.wait)); err != nil {
		return nil, err
	}
	if err := x.write(rw); err != nil {
		return nil, err
	}
	var size [4]byte
	if _, err := io.ReadFull(rw, size[:]); err != nil {
		return nil, unexpected(err)
	}
	n := int64(int32(binary.BigEndian.Uint32(size[:])))
	if n < 4 || n > int64(x.limit) {
		return nil, fmt.Errorf("a response of %d bytes, want 4 to %d", n, x.limit)
	}
	var data bytes.Buffer // grows with the bytes received, not with the announced size
	for int64(data.Len()) < n {
		if err := conn.SetDeadline(time.Now().Add(x.timeout)); err != nil {
			return nil, err
		}
		if _, err := io.CopyN(&data, rw, min(64<<10, n-int64(data.Len()))); err != nil {
			return nil, unexpected(err)
		}
	}
	if id := binary.BigEndian.Uint32(data.Bytes()); id != correlation {
		return nil, fmt.Errorf("a response to request %d, want %d", id, correlation)
	}
	return &frame{key: x.req.ApiKey(), version: x.version, data: data.Bytes()}, nil
}

// ApiKey returns the request's.
func (f *frame) ApiKey() protocol.ApiKey { return f.key }

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ask sends a request to a node and returns the answer's bytes.
func (c *Cluster) ask(ctx context.Context, node int32, req protocol.Message, limit int, wait time.Duration) (*frame, error) {
	if c.sockets.ctx.Err() != nil {
		return nil, ErrClosed
	}
	res, err := c.transport.RoundTrip(ctx, c.address, &exchange{
		req: req, node: node, client: clientID, limit: limit, timeout: c.options.Timeout, wait: wait,
	})
	if err != nil {
		if c.sockets.ctx.Err() != nil {
			return nil, ErrClosed
		}
		return nil, err
	}
	f, ok := res.(*frame)
	if !ok {
		return nil, fmt.Errorf("an answer of type %T", res)
	}
	return f, nil
}

// call is ask with a response decoded by kafka-go, in the caller's goroutine, where a panic
// over a hostile response becomes an error. These responses are small.
func call[R protocol.Message](ctx context.Context, c *Cluster, node int32, req protocol.Message) (res R, err error) {
	f, err := c.ask(ctx, node, req, maxFrame, 0)
	if err != nil {
		return res, err
	}
	return decode[R](f)
}

func decode[R protocol.Message](f *frame) (res R, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("decode a response to %s: %v", f.key, p)
		}
	}()
	size := binary.BigEndian.AppendUint32(make([]byte, 0, 4), uint32(len(f.data)))
	_, m, err := protocol.ReadResponse(io.MultiReader(bytes.NewReader(size), bytes.NewReader(f.data)), f.key, f.version)
	if err != nil {
		return res, fmt.Errorf("decode a response to %s: %w", f.key, err)
	}
	res, ok := m.(R)
	if !ok {
		return res, fmt.Errorf("decode a response to %s: it is a %T", f.key, m)
	}
	return res, nil
}
