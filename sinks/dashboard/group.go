package dashboard

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"dustbuster/stream/kafka"
)

type groupData struct {
	*seen
	Members []member
	Failed  string // why the members are not known; "": they are
}

// member is a member of the group.
type member struct {
	kafka.GroupMember
	Topics []topic
	Here   bool // the member is this program
}

// topic is a topic with the partitions that a member owns.
type topic struct {
	Name       string
	Partitions []int
}

// askMembers bounds the wait for the brokers.
const askMembers = 3 * time.Second

func group(r *request) (content, error) {
	if r.seen.Group == "" {
		return content{}, &failure{http.StatusNotFound, "This program is no member of a group."}
	}
	d := groupData{seen: r.seen}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), askMembers) // other readers may wait for the same page
	defer cancel()
	all, err := r.d.daemon.Members(ctx)
	if err != nil {
		d.Failed = err.Error()
	}
	for _, m := range all {
		one := member{GroupMember: m}
		for name, partitions := range m.Partitions {
			one.Topics = append(one.Topics, topic{name, slices.Sorted(slices.Values(partitions))})
			one.Here = one.Here || r.seen.owns(partitions)
		}
		slices.SortFunc(one.Topics, func(a, b topic) int { return strings.Compare(a.Name, b.Name) })
		d.Members = append(d.Members, one)
	}
	slices.SortFunc(d.Members, func(a, b member) int { return strings.Compare(a.ID, b.ID) })
	return content{"group", "Group", "group", &d}, nil
}

// owns reports whether this program serves one of the partitions. Each partition has one owner.
func (s *seen) owns(partitions []int) bool {
	for i := range s.Partitions {
		if slices.Contains(partitions, s.Partitions[i].Partition) {
			return true
		}
	}
	return false
}
