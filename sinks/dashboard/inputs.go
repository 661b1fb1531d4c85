package dashboard

import (
	"context"
	"dustbuster/sinks/text"
	"net/http"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/read/input"
	"dustbuster/sinks/page"
	"dustbuster/stream/kafka"
	"dustbuster/stream/miners"
)

type inputsData struct {
	*seen
	Rows  []inputRow
	Pager pager
	Lines []reason
}

type inputRow struct {
	*input.State
	Share float64 // of the lines that could not be read
	Bar   *page.Row
	Lag   string

	OtherFile string // where the log lies now, if not at its name
}

func inputs(r *request) (content, error) {
	d := inputsData{seen: r.seen, Pager: r.pager("inputs", len(r.seen.Inputs)), Lines: linesRead(r.seen)}
	rows := part(r, r.seen.Inputs)
	for i := range rows {
		s := &rows[i]
		row := inputRow{State: s, Lag: lagWords(s)}
		if s.File != s.Name {
			row.OtherFile = s.File
		}
		for _, share := range s.Malformed {
			row.Share += share
		}
		row.Bar = &page.Row{Title: page.Percent(row.Share) + " of the lines could not be read", Parts: []page.Part{{Tone: page.Bad, Share: row.Share}}}
		d.Rows = append(d.Rows, row)
	}
	return content{"inputs", "Inputs", "inputs", &d}, nil
}

// linesRead returns what became of all lines.
func linesRead(s *seen) []reason { return reasonsOf(s.Loop.Counts.JSON(), page.LineWords) }

// lagWords returns how far behind an input is.
func lagWords(s *input.State) string {
	switch {
	case s.LagBytes != nil && *s.LagBytes > 0:
		return text.Size(*s.LagBytes) + ", " + seconds(s.LagSeconds)
	case s.LagRecords != nil && *s.LagRecords > 0:
		return page.Count(*s.LagRecords, "record") + ", " + seconds(s.LagSeconds)
	case !s.CaughtUp:
		return "catching up"
	}
	return "none"
}

type groupData struct {
	*seen
	Members []member
	Failed  string // why the members are not known; "": they are
}

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
	return slices.ContainsFunc(s.Partitions, func(p miners.Partition) bool { return slices.Contains(partitions, p.Partition) })
}
