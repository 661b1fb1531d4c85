package kafka

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	kafkago "github.com/segmentio/kafka-go"
)

// sticky leaves partitions with their owners. Each member, as it joins, states the
// partitions it owned and in which generation. The leader moves only partitions that even
// out the numbers. So members keep the state of partitions that stay.
type sticky struct {
	count func(topic string) int // returns the number of partitions of a topic; 0 if the topic does not exist

	mutex sync.Mutex
	owned claim
}

// claim is a member's statement of the partitions it owned.
type claim struct {
	Generation int32            `json:"generation"`
	Partitions map[string][]int `json:"partitions"` // by topic
}

// own remembers the partitions given to this member.
func (s *sticky) own(g *Generation) {
	c := claim{g.ID, g.Numbers()}
	s.mutex.Lock()
	s.owned = c
	s.mutex.Unlock()
}

// Numbers returns the numbers of the partitions, by topic.
func (g *Generation) Numbers() map[string][]int {
	numbers := map[string][]int{}
	for topic, assigned := range g.Partitions {
		for _, a := range assigned {
			numbers[topic] = append(numbers[topic], a.Partition)
		}
	}
	return numbers
}

// ProtocolName names the strategy, which all members must have in common.
func (s *sticky) ProtocolName() string { return "dustbuster-sticky" }

// UserData encodes the claim.
func (s *sticky) UserData() ([]byte, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return json.Marshal(s.owned)
}

// AssignGroups gives each partition to a member that wants its topic. If one of the topics does
// not exist, kafka-go names no partitions of the others either, and AssignGroups asks for each
// topic by itself. Else the result depends on the arguments alone.
func (s *sticky) AssignGroups(members []kafkago.GroupMember, partitions []kafkago.Partition) kafkago.GroupMemberAssignments {
	topics := map[string][]int{}
	for _, p := range partitions {
		topics[p.Topic] = append(topics[p.Topic], p.ID)
	}
	if len(partitions) == 0 {
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
			if _, asked := topics[topic]; !asked {
				topics[topic] = numbers(s.count(topic))
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
		for _, p := range claims[m].Partitions[topic] {
			if o, ok := owner[p]; !ok || claims[m].Generation > claims[o].Generation {
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

// decodeClaim returns an empty claim for bytes of unknown form: the member then owned no
// partitions.
func decodeClaim(b []byte) (c claim) {
	if json.Unmarshal(b, &c) != nil {
		return claim{}
	}
	return c
}
