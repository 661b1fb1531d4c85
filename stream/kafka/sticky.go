package kafka

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"sync"

	kafkago "github.com/segmentio/kafka-go"
)

// sticky leaves partitions with their owners. Each member, as it joins, states the
// partitions it owned and in which generation. The leader moves only partitions that even
// out the numbers. So members keep the state of partitions that stay.
type sticky struct {
	count func(topic string) int // returns the number of partitions of a topic; 0 if the topic does not exist; may be nil

	mutex sync.Mutex
	owned claim
}

// claim is a member's statement of the partitions it owned.
type claim struct {
	generation int32
	partitions map[string][]int
}

// own remembers the partitions given to this member.
func (s *sticky) own(gen *kafkago.Generation) {
	c := claim{generation: gen.ID, partitions: map[string][]int{}}
	for topic, assigned := range gen.Assignments {
		for _, a := range assigned {
			c.partitions[topic] = append(c.partitions[topic], a.ID)
		}
	}
	s.mutex.Lock()
	s.owned = c
	s.mutex.Unlock()
}

// ProtocolName names the strategy, which all members must have in common.
func (s *sticky) ProtocolName() string { return "dustbuster-sticky" }

// UserData encodes the claim.
func (s *sticky) UserData() ([]byte, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.owned.encode(), nil
}

// AssignGroups gives each partition of each topic to a member that wants the topic. If one of
// the topics does not exist, kafka-go names no partitions of the others either, and
// AssignGroups asks for each topic by itself. Else the result depends on the arguments alone.
func (s *sticky) AssignGroups(members []kafkago.GroupMember, partitions []kafkago.Partition) kafkago.GroupMemberAssignments {
	topics := map[string][]int{}
	for _, p := range partitions {
		topics[p.Topic] = append(topics[p.Topic], p.ID)
	}
	if len(partitions) == 0 && s.count != nil {
		topics = s.ask(members)
	}
	given := kafkago.GroupMemberAssignments{}
	claims := map[string]claim{}
	for _, m := range members {
		given[m.ID] = map[string][]int{}
		claims[m.ID] = decodeClaim(m.UserData)
	}
	load := map[string]int{} // over all topics
	for _, topic := range slices.Sorted(maps.Keys(topics)) {
		var wanting []string
		for _, m := range members {
			if slices.Contains(m.Topics, topic) {
				wanting = append(wanting, m.ID)
			}
		}
		if len(wanting) == 0 {
			continue
		}
		for member, got := range share(topic, topics[topic], wanting, claims, load) {
			given[member][topic] = got
			load[member] += len(got)
		}
	}
	return given
}

// ask returns the partitions of the topics that members want.
func (s *sticky) ask(members []kafkago.GroupMember) map[string][]int {
	topics := map[string][]int{}
	for _, m := range members {
		for _, topic := range m.Topics {
			if _, asked := topics[topic]; asked {
				continue
			}
			topics[topic] = []int{}
			for p := range s.count(topic) {
				topics[topic] = append(topics[topic], p)
			}
		}
	}
	return topics
}

// share divides one topic's partitions. Owned partitions first go to their latest owner, up
// to a fair number. Each other partition goes to the member with the fewest.
func share(topic string, partitions []int, members []string, claims map[string]claim, load map[string]int) map[string][]int {
	slices.Sort(partitions)
	partitions = slices.Compact(partitions)
	slices.Sort(members)
	owner := map[int]string{}
	for _, m := range members {
		for _, p := range claims[m].partitions[topic] {
			if o, ok := owner[p]; !ok || claims[m].generation > claims[o].generation {
				owner[p] = m
			}
		}
	}
	fair, more := len(partitions)/len(members), len(partitions)%len(members) // more members may keep one partition more than fair
	given := map[string][]int{}
	var rest []int
	for _, p := range partitions {
		o, ok := owner[p]
		switch {
		case !ok || len(given[o]) > fair || len(given[o]) == fair && more == 0:
			rest = append(rest, p)
			continue
		case len(given[o]) == fair:
			more--
		}
		given[o] = append(given[o], p)
	}
	for _, p := range rest {
		least := slices.MinFunc(members, func(a, b string) int {
			return cmp.Or(len(given[a])-len(given[b]), load[a]-load[b], cmp.Compare(a, b))
		})
		given[least] = append(given[least], p)
	}
	for _, got := range given {
		slices.Sort(got)
	}
	return given
}

const claimFormat = 1

// encode writes the format, the generation, and for each topic its name and
// its partitions, as varints with lengths before them.
func (c claim) encode() []byte {
	b := []byte{claimFormat}
	b = binary.AppendUvarint(b, uint64(uint32(c.generation)))
	for _, topic := range slices.Sorted(maps.Keys(c.partitions)) {
		b = binary.AppendUvarint(b, uint64(len(topic)))
		b = append(b, topic...)
		b = binary.AppendUvarint(b, uint64(len(c.partitions[topic])))
		for _, p := range c.partitions[topic] {
			b = binary.AppendUvarint(b, uint64(p))
		}
	}
	return b
}

// decodeClaim returns an empty claim for bytes of unknown form: the member then owned no
// partitions.
func decodeClaim(b []byte) claim {
	if len(b) == 0 || b[0] != claimFormat {
		return claim{}
	}
	b = b[1:]
	number := func() int {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > 1<<31 {
			b = nil
			return -1
		}
		b = b[size:]
		return int(n)
	}
	c := claim{generation: int32(number()), partitions: map[string][]int{}}
	for len(b) > 0 {
		n := number()
		if n < 0 || n > len(b) {
			return claim{}
		}
		topic := string(b[:n])
		b = b[n:]
		count := number()
		if count < 0 || count > len(b) {
			return claim{}
		}
		for range count {
			p := number()
			if p < 0 {
				return claim{}
			}
			c.partitions[topic] = append(c.partitions[topic], p)
		}
	}
	return c
}
