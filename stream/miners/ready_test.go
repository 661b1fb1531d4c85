package miners

import (
	"strings"
	"testing"

	"dustbuster/stream/kafka"
)

// A member without partitions is ready only once the coverage of the topic is known.
func TestIdle(t *testing.T) {
	m := New(Options{Observations: "o"})
	for _, c := range []struct {
		v     kafka.Coverage
		known bool
		want  string // "": ready
	}{
		{known: false, want: "not known yet"},
		{v: kafka.Coverage{Partitions: map[string]int{"o": 0}}, known: true, want: `topic "o": the topic or partition does not exist`},
		{v: kafka.Coverage{Partitions: map[string]int{"o": 4}}, known: true},
	} {
		err := m.idle(c.v, c.known)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.v, err, c.want)
		}
	}
}

// A member keeps the number of partitions from its start, and reports added partitions
// once. The number of another topic of the same name is taken up.
func TestPin(t *testing.T) {
	var said []int64
	m := New(Options{Report: func(r Report) { said = append(said, r.Count) }})
	for i, c := range []struct{ is, want, said int }{
		{4, 4, 0}, {4, 4, 0}, {6, 4, 1}, {6, 4, 1}, {8, 4, 2}, {0, 0, 2}, {6, 6, 2}, {3, 3, 2}, {4, 3, 3},
	} {
		if m.pin(c.is); m.partitions() != c.want || len(said) != c.said || m.Unserved() != max(0, c.is-c.want) {
			t.Errorf("step %d, %d partitions: %d count, %d were said; want %d, %d", i, c.is, m.partitions(), len(said), c.want, c.said)
		}
	}
}
