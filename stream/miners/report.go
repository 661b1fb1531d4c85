package miners

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dustbuster/operators/rule/report"
	"dustbuster/stream/kafka"
)

// TakeReport takes in a crawler's report about a site of an owned partition. The error is
// report.ErrNoSite, report.ErrFull, or a *report.FieldError.
func (m *Member) TakeReport(r *report.Report) (report.Answer, error) {
	for _, w := range m.Workers() {
		if answer, err := w.Report(r); !errors.Is(err, report.ErrNoSite) {
			return answer, err
		}
	}
	return report.NotTaken, report.ErrNoSite
}

// reporters bounds the reports of each reporter, over all partitions of a member.
type reporters struct {
	mu     sync.Mutex
	limits *report.Limiter
}

// errOften is the error for a report of a reporter that reports too often.
var errOften = errors.New("too many reports of this reporter")

func (r *reporters) take(reporter string, at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limits.Take(reporter, at.Unix()) > 0 {
		return errOften
	}
	return nil
}

// followReports passes reports to the partition's worker, until ctx ends. It begins once the partition has
// caught up, where the group has committed, and else at the first report. So reports wait while nobody owns
// the partition, or nobody reads a topic that is new.
func (p *partition) followReports(ctx context.Context, generation *kafka.Generation) {
	topic := p.member.o.Reports
	for topic != "" && ctx.Err() == nil {
		if s := p.state(); s == nil || !s.Status.CaughtUp {
			wait(ctx, time.Second)
			continue
		}
		err := p.readReports(ctx, topic, generation)
		if ctx.Err() == nil {
			p.failed("read reports", err)
		}
		wait(ctx, reportsRest)
	}
}

// reportsRest is the pause after reports could not be read.
const reportsRest = 30 * time.Second

func (p *partition) readReports(ctx context.Context, topic string, generation *kafka.Generation) error {
	id, err := p.member.o.Cluster.ID(ctx, topic)
	if err != nil {
		return err
	}
	at, err := generation.LastCommit(ctx, topic, p.id)
	if err != nil {
		return err
	}
	if at.Offset < 0 || kafka.ParseTopicID(at.Note).Another(id) {
		at.Offset = kafka.First
	}
	from := p.member.reports.Resume(topic, id, p.id, at.Offset)
	defer from.Close()
	for at.Note = id.String(); ; {
		b, err := from.Read(ctx)
		if errors.Is(err, kafka.ErrBeyondEnd) { // of another topic, whose id is not known
			at.Offset = 0
			return errors.Join(err, generation.Commit(at))
		}
		if err != nil {
			return err
		}
		p.takeReports(ctx, b)
		if at.Offset = b.Next; len(b.Records) == 0 && b.Lost == 0 {
			continue
		}
		if err := generation.Commit(at); err != nil && !errors.Is(err, kafka.ErrRevoked) {
			p.failed("commit up to where reports were read", err)
		}
	}
}

// takeReports takes in the reports of a batch, and counts those that it refuses or that are lost.
func (p *partition) takeReports(ctx context.Context, b *kafka.Batch) {
	if b.Lost > 0 {
		p.refusedReports.Add(b.Lost)
		p.report(Report{Kind: Refused, Count: b.Next, Err: b.Why})
	}
	for i := range b.Records {
		if err := p.takeReport(ctx, &b.Records[i]); err != nil {
			p.refusedReports.Add(1)
			p.report(Report{Kind: Refused, Count: b.Records[i].Offset, Err: err})
		}
	}
}

// takeReport takes in the report of a record. It waits while the site computes, until ctx ends.
func (p *partition) takeReport(ctx context.Context, in *kafka.Record) error {
	r, err := report.Parse(in.Value)
	switch {
	case err != nil:
		return err
	case string(in.Key) != r.Site:
		return fmt.Errorf("read report: the key is %q, want the site %q", in.Key, r.Site)
	case kafka.PartitionOf(in.Key, p.of) != p.id:
		return fmt.Errorf("read report: site %q belongs to another partition: the topic needs the partitions of the observations", r.Site)
	}
	if err := p.member.reporters.take(r.Reporter, in.Time); err != nil {
		return err
	}
	_, w := p.live()
	if w == nil {
		return report.ErrNoSite
	}
	for {
		if _, err = w.Report(r); !errors.Is(err, report.ErrBusy) || ctx.Err() != nil {
			return err
		}
	}
}
