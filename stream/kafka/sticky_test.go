package kafka

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	kafkago "github.com/segmentio/kafka-go"
)

// Over random histories of members that come and go, every partition has one owner, numbers
// differ by one at the most, no partition moves without need, and the order of the members'
// names has no influence.
func TestSticky(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		partitions := 1 + r.IntN(20)
		var all []kafkago.Partition
		for p := range partitions {
			all = append(all, kafkago.Partition{Topic: "a", ID: p})
		}
		claims, names := map[string]claim{}, 0
		for generation := range int32(12) {
			switch {
			case len(claims) > 1 && r.IntN(2) == 0:
				delete(claims, slices.Sorted(maps.Keys(claims))[r.IntN(len(claims))])
			case r.IntN(3) > 0 || len(claims) == 0:
				claims[fmt.Sprint("m", names)] = claim{}
				names++
			}
			var members []kafkago.GroupMember
			for name, c := range claims {
				members = append(members, kafkago.GroupMember{ID: name, Topics: []string{"a"}, UserData: c.encode(t)})
			}
			given := (&sticky{}).AssignGroups(members, all)
			r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
			if again := (&sticky{}).AssignGroups(members, all); !reflect.DeepEqual(again, given) {
				t.Fatalf("the order has a say: %v, %v", given, again)
			}
			checkGiven(t, given, claims, partitions)
			for name := range claims {
				claims[name] = claim{generation, given[name]}
			}
		}
	}
}

func checkGiven(t *testing.T, given kafkago.GroupMemberAssignments, claims map[string]claim, partitions int) {
	t.Helper()
	owner, least, most := map[int]string{}, partitions, 0
	for name := range claims {
		got := given[name]["a"]
		least, most = min(least, len(got)), max(most, len(got))
		for _, p := range got {
			if owner[p] != "" {
				t.Fatalf("partition %d is given twice", p)
			}
			owner[p] = name
		}
	}
	if len(owner) != partitions || most-least > 1 {
		t.Fatalf("%d of %d partitions given, %d to %d each: %v", len(owner), partitions, least, most, given)
	}
	fair, more := partitions/len(claims), partitions%len(claims)
	for name, c := range claims {
		kept := 0
		for _, p := range c.Partitions["a"] {
			if owner[p] == name {
				kept++
			}
		}
		if kept < min(len(c.Partitions["a"]), fair) {
			t.Fatalf("%s keeps %d of %d, a fair number being %d and %d more: %v", name, kept, len(c.Partitions["a"]), fair, more, given)
		}
	}
}

func TestStickyCases(t *testing.T) {
	old, late := claim{3, map[string][]int{"a": {0, 1}}}, claim{4, map[string][]int{"a": {0}}}
	s := &sticky{count: func(topic string) int { return map[string]int{"a": 3}[topic] }}
	for _, c := range []struct {
		name       string
		members    []kafkago.GroupMember
		partitions []kafkago.Partition
		want       kafkago.GroupMemberAssignments
	}{
		{"claimed by two, of which the later owner keeps it",
			[]kafkago.GroupMember{{ID: "old", Topics: []string{"a", "b"}, UserData: old.encode(t)}, {ID: "late", Topics: []string{"a"}, UserData: late.encode(t)}},
			[]kafkago.Partition{{Topic: "a", ID: 0}, {Topic: "a", ID: 1}, {Topic: "b", ID: 0}, {Topic: "c", ID: 0}},
			kafkago.GroupMemberAssignments{"old": {"a": {1}, "b": {0}}, "late": {"a": {0}}},
		},
		{"one topic does not exist, and kafka-go names no partitions of the others",
			[]kafkago.GroupMember{{ID: "x", Topics: []string{"a", "b"}}, {ID: "y", Topics: []string{"a", "b"}}}, nil,
			kafkago.GroupMemberAssignments{"x": {"a": {0, 2}}, "y": {"a": {1}}},
		},
	} {
		if given := s.AssignGroups(c.members, c.partitions); !reflect.DeepEqual(given, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, given, c.want)
		}
	}
}

func (c claim) encode(t testing.TB) []byte {
	t.Helper()
	b, err := (&sticky{owned: c}).UserData()
	must(t, err)
	return b
}

func FuzzClaim(f *testing.F) {
	f.Add(claim{7, map[string][]int{"topic": {0, 5, 300}, "": nil}}.encode(f))
	f.Add([]byte(`{"generation":7,"partitions":{"a":[1,-1,1e9],"a":[]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := decodeClaim(b) // another member's claim
		n := 0
		for _, p := range c.Partitions {
			n += len(p)
		}
		if n > len(b) {
			t.Errorf("%d partitions in %d bytes", n, len(b))
		}
		if again := decodeClaim(c.encode(t)); !reflect.DeepEqual(again, c) {
			t.Errorf("got %v, want %v", again, c)
		}
	})
}
