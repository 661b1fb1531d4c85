package kafka

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/metadata"
)

func TestTopicIDText(t *testing.T) {
	id := TopicID{1, 2, 3, 255}
	if got := ParseTopicID(id.String()); got != id || len(id.String()) != 22 {
		t.Errorf("%v, got %v", id, got)
	}
	for _, text := range []string{"", "AQ", "no id", "AQIDBAUGBwgJCgsMDQ4PEBE"} {
		if got := ParseTopicID(text); got != (TopicID{}) || got.String() != "" {
			t.Errorf("%q: %v", text, got)
		}
	}
	if other := (TopicID{2}); !id.Another(other) || id.Another(id) || id.Another(TopicID{}) || (TopicID{}).Another(id) {
		t.Error("ids are compared wrongly")
	}
}

// Brokers that know ids are asked in a version that kafka-go does not know. Others are asked as
// kafka-go does.
func TestTopicsRequest(t *testing.T) {
	for _, c := range []struct {
		name  string
		newer bool
		want  string // after the size
	}{
		{"with ids", true, "0003" + "000a" + "00000001" + "0001" + "63" + "00" + "02" + "00000000000000000000000000000000" + "02" + "74" + "00" + "000000" + "00"},
		{"without", false, "0003" + "0008" + "00000001" + "0001" + "63" + "00000001" + "0001" + "74" + "000000"},
	} {
		x := exchange{req: &topicsRequest{metadata.Request{TopicNames: []string{"t"}}}, client: "c"}
		versions := map[protocol.ApiKey]int16{protocol.Metadata: 8}
		if c.newer {
			versions[describeCluster] = 0
		}
		var out bytes.Buffer
		if x.Required(versions); x.write(&out) != nil {
			t.Fatal("not written")
		}
		if got := hex.EncodeToString(out.Bytes()[4:]); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
		if size := out.Bytes()[3]; int(size) != out.Len()-4 {
			t.Errorf("%s: size %d of %d bytes", c.name, size, out.Len()-4)
		}
	}
}

// topicsResponse is a response of one broker about one topic.
const topicsResponse = "00000001" + "00" + "00000000" +
	"02" + "00000007" + "0268" + "00002384" + "00" + "00" + // broker 7 at h:9092
	"0263" + "00000007" + // cluster c, controller 7
	"02" + "0000" + "0274" + "0102030405060708090a0b0c0d0e0f10" + "00" + // topic t
	"02" + "0000" + "00000000" + "00000007" + "00000003" + "0200000007" + "0200000007" + "01" + "00" + // its partition 0
	"80000000" + "00" + "80000000" + "00"

func TestDecodeTopics(t *testing.T) {
	data, err := hex.DecodeString(topicsResponse)
	must(t, err)
	res, ids, err := decodeTopics(data)
	must(t, err)
	want := TopicID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	if len(ids) != 1 || ids["t"] != want {
		t.Errorf("ids %v", ids)
	}
	if b := res.Brokers[0]; b.NodeID != 7 || b.Host != "h" || b.Port != 9092 || res.ControllerID != 7 {
		t.Errorf("%+v", res)
	}
	if p := res.Topics[0].Partitions[0]; res.Topics[0].Name != "t" || p.LeaderID != 7 || p.LeaderEpoch != 3 || len(p.ReplicaNodes) != 1 {
		t.Errorf("%+v", res.Topics)
	}
	for n := range data {
		if _, _, err := decodeTopics(data[:n]); err == nil {
			t.Errorf("the first %d bytes are a response", n)
		}
	}
}

// Hostile bytes cost no memory beyond their length.
func FuzzDecodeTopics(f *testing.F) {
	data, err := hex.DecodeString(topicsResponse)
	must(f, err)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		res, _, err := decodeTopics(data)
		if err != nil {
			return
		}
		n := len(res.Brokers) + len(res.Topics)
		for _, topic := range res.Topics {
			n += len(topic.Partitions)
		}
		if n > len(data) {
			t.Errorf("%d parts of %d bytes", n, len(data))
		}
	})
}
