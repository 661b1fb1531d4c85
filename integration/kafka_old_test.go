package integration

import (
	"encoding/binary"
	"io"
	"net"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// The numbers of some requests of Kafka's protocol.
const (
	produce                 = 0
	apiVersions             = 18
	incrementalAlterConfigs = 44
)

// gate stands between clients and a broker, and ends each connection over one request. An older broker
// does not list that request among those that it answers, either.
type gate struct {
	to      atomic.Int64 // port of the broker
	without atomic.Int64 // the number of the request; below 0: none
	older   bool
}

// start returns the port to which clients connect.
func (o *gate) start(t *testing.T) int {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go o.carry(client)
		}
	}()
	return l.Addr().(*net.TCPAddr).Port
}

// carry passes one request after the other on, and its response back.
func (o *gate) carry(client net.Conn) {
	defer client.Close()
	broker, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.FormatInt(o.to.Load(), 10)))
	if err != nil {
		return
	}
	defer broker.Close()
	for {
		request, err := readFrame(client)
		if err != nil || o.ends(request) {
			return
		}
		if err := writeFrame(broker, request); err != nil {
			return
		}
		response, err := readFrame(broker)
		if err != nil {
			return
		}
		if o.older && binary.BigEndian.Uint16(request) == apiVersions {
			o.forget(response)
		}
		if err := writeFrame(client, response); err != nil {
			return
		}
	}
}

// ends reports whether bytes begin with the number of the request.
func (o *gate) ends(b []byte) bool { return int64(binary.BigEndian.Uint16(b)) == o.without.Load() }

// forget puts a number that no request has in the place of the request, in a response of version 0:
// correlation id, error, and for each request its number and two versions.
func (o *gate) forget(response []byte) {
	for at := 10; at+6 <= len(response); at += 6 {
		if o.ends(response[at:]) {
			binary.BigEndian.PutUint16(response[at:], 9999)
		}
	}
}

func readFrame(from io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(from, size[:]); err != nil {
		return nil, err
	}
	frame := make([]byte, binary.BigEndian.Uint32(size[:]))
	_, err := io.ReadFull(from, frame)
	return frame, err
}

func writeFrame(to io.Writer, frame []byte) error {
	_, err := to.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(frame))), frame...))
	return err
}

// Brokers that cannot change one setting of a topic are not waited for: create ends at once, and says
// what is missing. The topics that are missing it makes nonetheless, and check has nothing against them.
func TestTopicsOldBroker(t *testing.T) {
	t.Parallel()
	o := &gate{older: true}
	o.without.Store(incrementalAlterConfigs)
	port := o.start(t)
	c := kafkatest.Start(t, kafkatest.Options{Advertise: map[int]int{1: port}})
	o.to.Store(int64(c.Ports[0]))
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	flags, p := topicNames(t)
	flags = append(flags, "--brokers", c.Brokers[0])
	must(t, k.Create(t.Context(), kafka.Topic{Name: p.Observations, Partitions: 2, Replicas: 1}))
	r := dustbuster(t, "", append([]string{"topics", "create"}, flags...)...)
	r.expect(t, 1, `alter settings of topic "`+p.Observations+`"`, "the broker does not know the request", "older than Kafka 2.3", ": IncrementalAlterConfigs\n", "upgrade the brokers, or do it with Kafka's own tools: set for topic")
	if r.took > time.Minute {
		t.Errorf("ended after %v", r.took)
	}
	must(t, k.Create(t.Context(), kafka.Topic{Name: p.Events, Partitions: 2, Replicas: 1, Config: map[string]string{"message.timestamp.type": "LogAppendTime"}}))
	r = dustbuster(t, "", append([]string{"topics", "create"}, append(flags, "--observations-topic", p.Observations+"2")...)...)
	r.expect(t, 0, `make topic "`+p.Rules+`" with 2 partitions`, ": done")
	dustbuster(t, "", append([]string{"topics", "check"}, append(flags, "--observations-topic", p.Observations+"2")...)...).expect(t, 0)
}
