package cli

import (
	"io"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"time"

	"dustbuster/config"
	"dustbuster/operators/url/secret"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"golang.org/x/term"
)

const (
	malformedSample = 10  // logged lines of a file
	malformedBytes  = 200 // logged bytes of a line
)

// MalformedLog logs the first malformed lines of each file, their bytes quoted, and
// addresses and secrets masked.
func MalformedLog(w io.Writer, veil secret.Veil) func(path string, line []byte, err error) {
	encoder := zapcore.NewConsoleEncoder(zapcore.EncoderConfig{LevelKey: "level", MessageKey: "message",
		EncodeLevel: zapcore.LowercaseLevelEncoder})
	log := zap.New(zapcore.NewCore(encoder, zapcore.AddSync(w), zapcore.DebugLevel))
	seen := map[string]int{}
	return func(path string, line []byte, err error) {
		if seen[path]++; seen[path] <= malformedSample {
			log.Debug("malformed line in " + strconv.Quote(path) + ": " + Masked(err.Error(), veil) + ": " + quoted(line, veil))
		}
	}
}

// MalformedLines returns a function that logs some malformed lines of a daemon in the same
// manner, at most ten a minute. Any goroutine may call it.
func MalformedLines(log *zap.Logger, veil secret.Veil) func(path string, line []byte, err error) {
	log = log.WithOptions(zap.WrapCore(func(core zapcore.Core) zapcore.Core {
		return zapcore.NewSamplerWithOptions(core, time.Minute, malformedSample, 0)
	}))
	return func(path string, line []byte, err error) {
		if entry := log.Check(zap.DebugLevel, "malformed line"); entry != nil {
			entry.Write(zap.String("source", path), zap.String("error", Masked(err.Error(), veil)), zap.String("line", quoted(line, veil)))
		}
	}
}

// quoted is the beginning of a line, masked.
func quoted(line []byte, veil secret.Veil) string {
	text := Masked(string(line), veil) // before the line is cut: half of a secret is not recognized
	return strconv.Quote(text[:min(len(text), malformedBytes)])
}

// Masked is a text of a log without addresses of clients, and without secrets.
func Masked(text string, veil secret.Veil) string { return veil.Mask(mask(text)) }

var maybeAddress = regexp.MustCompile(`[0-9A-Fa-f:.]{3,}`)

// mask takes the addresses of clients out of a text.
func mask(text string) string {
	return maybeAddress.ReplaceAllStringFunc(text, func(s string) string {
		if _, err := netip.ParseAddr(s); err == nil {
			return "ADDRESS"
		}
		if _, err := netip.ParseAddrPort(s); err == nil {
			return "ADDRESS"
		}
		return s
	})
}

// NewLogger returns the daemon's log and its level. The log is text on a terminal, and JSON
// elsewhere. It begins with a warning of variables that seem to be settings and are none. Errors of
// what is tried again are limited: see Retried.
func NewLogger(c *config.Config, w io.Writer) (*zap.Logger, zap.AtomicLevel) {
	level := zap.NewAtomicLevelAt(LevelOf(c))
	o := zap.NewProductionEncoderConfig()
	o.EncodeTime = zapcore.ISO8601TimeEncoder
	encoder := zapcore.NewJSONEncoder(o)
	terminal, ok := w.(*os.File)
	if c.Write.LogFormat == "console" || c.Write.LogFormat == "auto" && ok && term.IsTerminal(int(terminal.Fd())) {
		encoder = zapcore.NewConsoleEncoder(o)
	}
	log := zap.New(newRepeats(zapcore.NewCore(encoder, zapcore.AddSync(w), level)))
	if names := c.Strangers(); len(names) > 0 {
		log.Warn(noSettings, zap.Strings("names", names))
	}
	return log, level
}

// LevelOf returns the level of the log.
func LevelOf(c *config.Config) zapcore.Level {
	level, err := zapcore.ParseLevel(c.Write.LogLevel)
	if err != nil {
		return zapcore.InfoLevel // the configuration has been checked
	}
	return level
}
