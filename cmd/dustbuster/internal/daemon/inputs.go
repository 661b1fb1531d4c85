package daemon

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/trials"
	"dustbuster/config"
	"dustbuster/operators/url/secret"
	"dustbuster/stream/files"
	"dustbuster/stream/loop"
	"dustbuster/stream/pipe"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"

	"go.uber.org/zap"
	"golang.org/x/term"
)

// inputs opens logs and pipes.
type inputs struct {
	stdin     io.Reader
	pipes     *pipe.Set // of the process: they outlive a change of the configuration
	log       *zap.Logger
	malformed func(path string, line []byte, err error) // called with lines that cannot be parsed; may be nil
	carries   bool                                      // lines are read for others, which may try rules
}

func newInputs(stdin io.Reader, log *zap.Logger) *inputs {
	return &inputs{stdin: stdin, pipes: pipe.NewSet(stdin), log: log}
}

// newCarrier is newInputs for an agent, whose lines are mined elsewhere.
func newCarrier(stdin io.Reader, log *zap.Logger) *inputs {
	i := newInputs(stdin, log)
	i.carries = true
	return i
}

// try returns an error if the inputs of a configuration cannot be opened.
func (i inputs) try(c *config.Config, key [2]uint64) error {
	i.log = zap.NewNop()
	all, err := i.open(c, nil, key)
	if err != nil {
		return err
	}
	return all.Close()
}

// open opens the logs and pipes of a configuration at the saved positions. A file matched
// by two inputs belongs to the first input.
func (i *inputs) open(c *config.Config, saved loop.Saved, key [2]uint64) (*loop.Inputs, error) {
	var all []loop.Input
	var before []string
	var pipes []*pipe.Pipe
	for _, in := range c.Read.Inputs {
		logs, piped, err := i.sort(in.Paths)
		if err != nil {
			return nil, cli.WrongUsage(err)
		}
		for _, p := range piped {
			if slices.Contains(pipes, p) {
				i.log.Warn("a pipe is read once, though it was named twice", zap.String("path", p.Path()))
				continue
			}
			pipes = append(pipes, p)
			one, err := i.pipe(c, in, p, key)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
		if len(logs) == 0 {
			continue
		}
		one, err := i.logs(c, in, logs, before, saved, key)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
		before = append(before, logs...)
	}
	return loop.NewInputs(all), nil
}

// keep closes the pipes that are missing in a new configuration.
func (i *inputs) keep(c *config.Config) {
	var pipes []*pipe.Pipe
	for _, in := range c.Read.Inputs {
		if _, piped, err := i.sort(in.Paths); err == nil {
			pipes = append(pipes, piped...)
		}
	}
	i.pipes.Keep(pipes...)
}

// logs opens the logs among the paths of an input.
func (i *inputs) logs(c *config.Config, in config.Input, logs, before []string, saved loop.Saved, key [2]uint64) (loop.Input, error) {
	if err := checkOlddir(c.Read.Olddir); err != nil {
		return loop.Input{}, cli.WrongUsage(err)
	}
	warnOfNone(logs, i.log)
	name := strings.Join(in.Paths, " ")
	o := c.Tail(in)
	o.Paths, o.Others = logs, before
	o.News = func(n tail.News) {
		i.log.Info("log "+string(n.Step), zap.String("path", n.Path), zap.String("file", n.File), zap.Int64("offset", n.Offset), zap.Int64("size", n.Size))
	}
	o.Audit = func(a tail.Audit) {
		i.log.Warn("log "+string(a.Kind), zap.String("file", a.Path), zap.Int64("bytes", a.Bytes), cli.Cause(a.Err))
	}
	positions := saved.Of(name, logs)
	t, err := tail.Open(o, positions)
	if err != nil {
		return loop.Input{}, cli.WrongUsage(err)
	}
	r, err := i.records(t, c, in, key)
	if err != nil {
		return loop.Input{}, err
	}
	for _, p := range positions {
		r.Recall(p.Path, p.Format)
	}
	return loop.Input{Name: name, Tail: t, Records: r}, nil
}

// pipe opens a pipe among the paths of an input.
func (i *inputs) pipe(c *config.Config, in config.Input, p *pipe.Pipe, key [2]uint64) (loop.Input, error) {
	i.log.Warn("a crash loses the lines of a pipe that were read after the last checkpoint",
		zap.String("path", p.Path()), zap.Duration("checkpoint_interval", c.Pace.CheckpointInterval))
	ended := func() { i.log.Warn("standard input has ended") }
	reader := pipe.NewReader(p, pipe.Options{MaxLine: c.Read.MaxLine, Ended: ended})
	r, err := i.records(reader, c, in, key)
	return loop.Input{Name: p.Path(), Pipe: reader, Records: r}, err
}

func (i *inputs) records(source records.Source, c *config.Config, in config.Input, key [2]uint64) (*records.Reader, error) {
	o := c.Records(in, key)
	o.Live, o.Malformed, o.Agentless = true, i.malformed, agentless(c, i.carries, i.log)
	o.DeadLetters = c.Kafka.Topics.DeadLetters != ""
	watchLines(&o, i.log)
	r, err := records.New(source, o)
	if err != nil {
		return nil, cli.WrongUsage(err)
	}
	return r, nil
}

// agentless returns a warning function for formats without user agents, with which
// dustbuster's own fetches may come back as lines of the log; nil if own fetches cannot
// come back, or clients are left out.
func agentless(c *config.Config, carries bool, log *zap.Logger) func(path, format string) {
	if len(c.Read.IgnoreClients) > 0 || !carries && !c.Validate.Tries() {
		return nil
	}
	return func(path, format string) {
		log.Warn(trials.NoAgents, zap.String("file", path), zap.String("format", format))
	}
}

// watchLines logs the formats of lines, and their changes.
func watchLines(o *records.Options, log *zap.Logger) {
	o.Found = func(path, format string) {
		log.Info("format of the lines", zap.String("path", path), zap.String("format", format))
	}
	o.Detected = func(path, format string) {
		log.Warn("a file has lines in another format, which are read as well", zap.String("path", path), zap.String("format", format))
	}
	o.Unreadable = func(path string, err *records.UnreadableError) {
		if err == nil {
			log.Info("lines can be read again", zap.String("path", path))
			return
		}
		log.Warn("most new lines cannot be read; they are read again once their format is known", zap.String("path", path), zap.String("error", cli.Masked(cli.Advised(err).Error(), secret.Veil{})))
	}
}

// unread returns an error if a log was never found, or its lines are not read as they should be.
func unread(of interface {
	Missing() []string
	Unreadable() []*records.UnreadableError
}) error {
	if missing := of.Missing(); len(missing) > 0 {
		return fmt.Errorf("no log found at %d of the paths, such as %q: check its name and permissions", len(missing), missing[0])
	}
	return unreadable(of.Unreadable())
}

// unreadable returns an error if lines are not read as they should be; nil otherwise.
func unreadable(all []*records.UnreadableError) error {
	if len(all) == 0 {
		return nil
	}
	return errors.New(cli.Masked(cli.Advised(all[0]).Error(), secret.Veil{}))
}

// sort separates pipes from logs, patterns and directories of logs. A path that cannot be
// followed is an error.
func (i *inputs) sort(paths []string) (logs []string, pipes []*pipe.Pipe, err error) {
	for _, path := range paths {
		piped, err := isPipe(path)
		switch {
		case err != nil:
		case !piped:
			logs = append(logs, path)
			continue
		case slices.Contains(stdinPaths, path):
			path, err = files.Stdin, checkStdin(i.stdin)
		}
		var p *pipe.Pipe
		if err == nil {
			p, err = i.pipes.Open(path)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("follow %q: %w", path, err)
		}
		pipes = append(pipes, p)
	}
	return logs, pipes, nil
}

// stdinPaths are the names of standard input.
var stdinPaths = []string{files.Stdin, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}

var (
	errDevice  = errors.New("it is a device\ngive a log, a pattern, a directory of logs, a named pipe, or - for standard input")
	errSocket  = errors.New("it is a socket\nhave the server write to a file or a named pipe, or pipe its output into dustbuster run --tail -")
	errNoStdin = errors.New("standard input is a directory, a device such as /dev/null, or closed\npipe lines into it, as in: journalctl -f -o cat -u nginx | dustbuster run --tail -")
)

// isPipe reports whether a path is read as a pipe. The error is for a path that cannot be
// followed at all.
func isPipe(path string) (bool, error) {
	if slices.Contains(stdinPaths, path) {
		return true, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return false, nil // the file may come, or the path is a pattern
	}
	switch mode := info.Mode(); {
	case mode&fs.ModeNamedPipe != 0:
		return true, nil
	case mode&fs.ModeDevice != 0:
		return false, errDevice
	case mode&fs.ModeSocket != 0:
		return false, errSocket
	}
	return false, nil
}

// checkStdin returns an error if standard input holds no lines: a service has /dev/null.
func checkStdin(stdin io.Reader) error {
	file, ok := stdin.(*os.File)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil || info.IsDir() || info.Mode()&fs.ModeDevice != 0 && !term.IsTerminal(int(file.Fd())) {
		return errNoStdin
	}
	return nil
}

// checkOlddir returns an error if a directory of rotated logs is not a directory. The
// directory need not exist yet.
func checkOlddir(dirs []string) error {
	for _, dir := range dirs {
		if info, err := os.Stat(dir); filepath.IsAbs(dir) && err == nil && !info.IsDir() {
			return fmt.Errorf("find rotated logs: --olddir %q is no directory", dir)
		}
	}
	return nil
}

// warnOfNone warns of paths without a log. Before a server's first request the log may be
// missing. Later that is mostly a mistake.
func warnOfNone(paths []string, log *zap.Logger) {
	for _, path := range paths {
		if names, err := os.ReadDir(path); err == nil {
			if !slices.ContainsFunc(names, func(e fs.DirEntry) bool { return files.IsLog(e.Name()) }) {
				log.Warn("no file in this directory is named like an access log yet, such as access.log", zap.String("path", path))
			}
			continue
		}
		if found, err := filepath.Glob(path); err == nil && len(found) == 0 {
			log.Warn("the log does not exist yet or cannot be read; it is followed as soon as it can", zap.String("path", path))
		}
	}
}
