package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/config"
	"dustbuster/operators/window/admit"
	"dustbuster/stream/agent"
	"dustbuster/stream/files"
	"dustbuster/stream/journal"
	"dustbuster/stream/kafka"

	"github.com/dchest/siphash"
	"go.uber.org/zap"
)

var (
	errOnceInputs  = errors.New("--once sends the files given as arguments: leave out --tail, --lines-topic, read.inputs and kafka.lines")
	errInterrupted = errors.New("interrupted: not all lines were sent\nrun the command again; with --state DIR each time it goes on where it was")
	errNotAll      = errors.New("some input could not be read; the rest was sent")
	errMadeAnew    = errors.New("the topic of observations was recreated meanwhile: run the command again to send everything")
)

// sendOnce returns an agent that sends finished logs and ends. Its log goes to stderr, and so does
// the sentence about what was sent.
func sendOnce(paths []string) func(context.Context, Options, io.Writer) error {
	return func(ctx context.Context, o Options, stderr io.Writer) error {
		c, err := o.Load()
		switch {
		case err != nil:
			return err
		case len(c.Kafka.Brokers) == 0:
			return cli.ErrNoBrokers
		case len(c.Read.Inputs)+len(c.Kafka.Topics.Lines) > 0:
			return errOnceInputs
		}
		c.Once()
		from := c.Files()
		from.Stdin = o.Stdin
		logs, err := files.Open(paths, from)
		if err != nil {
			return cli.WrongUsage(err)
		}
		show := cli.StartProgress(stderr, "sending", logs.Progress)
		if show.Live && c.Write.LogFormat == "auto" {
			c.Write.LogFormat = "console"
		}
		log, _ := cli.NewLogger(&c, show)
		r := &courier{config: &c, log: log, logs: logs}
		if !show.Live {
			defer r.logProgress()()
		}
		err = r.run(ctx)
		show.Stop()
		if r.files != nil {
			fmt.Fprintln(stderr, "dustbuster: "+r.sentence())
		}
		return err
	}
}

// progressEvery is the interval of the lines of a log about the progress.
const progressEvery = 10 * time.Second

// logProgress logs the progress now and then, until the returned function is called.
func (r *courier) logProgress() (stop func()) {
	end := make(chan struct{})
	go func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				read, of := r.logs.Progress()
				r.log.Info("sending", zap.Int64("bytes_read", read), zap.Int64("of", of))
			case <-end:
				return
			}
		}
	}()
	return func() { close(end) }
}

// send sends the finished logs.
func (r *courier) send(ctx context.Context, cluster *kafka.Cluster) (err error) {
	c, topic := r.config, r.config.Kafka.Topics.Observations
	id, err := cluster.ID(ctx, topic)
	if err != nil {
		return err
	}
	var store *journal.Journal
	if c.Keep.State != "" {
		store, err = journal.Open(journal.Options{Dir: c.Keep.State, Pane: paneLength(c), Key: siphash.Hash(r.key[0], r.key[1], []byte("finished logs"))})
		if err != nil {
			return err
		}
		defer store.Close()
	}
	o := c.Records(config.Input{}, r.key)
	o.Malformed, o.DeadLetters = r.agent.Malformed, c.Kafka.Topics.DeadLetters != ""
	watchLines(&o, r.log)
	source, anew, err := agent.OpenFiles(r.logs, o, store, topic, id)
	if err != nil {
		return cli.WrongUsage(err)
	}
	defer source.Close()
	if anew {
		r.log.Warn("earlier runs sent to another topic or to a deleted one, so all files are sent again", zap.String("topic", topic))
	}
	r.files, r.whole = source, source.Whole()
	unserve, err := r.serve("sending finished logs", zap.Int("files", len(r.logs.Files())), zap.Int("sent_before", r.whole), zap.String("topic", topic))
	if err != nil {
		return err
	}
	defer unserve()
	err = r.agent.Run(ctx, source)
	if ctx.Err() != nil {
		return cmp.Or(err, errInterrupted)
	}
	if err != nil {
		return err
	}
	return r.finish(ctx, cluster, id)
}

// finish returns an error unless all was sent to the topic with the id.
func (r *courier) finish(ctx context.Context, cluster *kafka.Cluster, id kafka.TopicID) error {
	now, err := cluster.ID(ctx, r.config.Kafka.Topics.Observations)
	switch {
	case err != nil:
		return err
	case now.Another(id):
		return errMadeAnew
	}
	all, err := r.files.Finish()
	if err == nil && !all {
		err = errNotAll
	}
	return err
}

// sentence says what was sent.
func (r *courier) sentence() string {
	s, n := r.agent.Status(), len(r.logs.Files())
	text := fmt.Sprintf("%d lines of %d files read, %d requests counted; Kafka acknowledged %d observations in topic %s",
		s.Counts.Lines, n-r.whole, s.Counts.Reasons[admit.Admitted], s.Sent.Observations, r.config.Kafka.Topics.Observations)
	if bad := s.Counts.Malformed + s.Counts.Unknown + s.Counts.Oversized; bad > 0 {
		text += fmt.Sprintf("; %d lines could not be read", bad)
	}
	if r.whole > 0 {
		text += fmt.Sprintf("; %d files were sent before", r.whole)
	}
	return text
}
