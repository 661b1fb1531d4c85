package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress shows on a terminal how much of the input has been read, the rate, and the
// remaining time. Anywhere else it shows nothing.
type Progress struct {
	w     io.Writer
	Live  bool        // there is a terminal
	lines chan string // lines to print above the bar
	what  chan string // the activity
	end   chan struct{}
	done  chan struct{}
}

const progressStep = 100 * time.Millisecond

// StartProgress shows the activity and its progress in bytes, as returned by read, until
// stop is called. With a nil read, only the time is shown.
func StartProgress(w io.Writer, what string, read func() (done, total int64)) *Progress {
	p := &Progress{w: w, lines: make(chan string), what: make(chan string, 1), end: make(chan struct{}), done: make(chan struct{})}
	if file, ok := w.(*os.File); !ok || !term.IsTerminal(int(file.Fd())) {
		close(p.done)
		return p
	}
	p.Live = true
	go p.show(newBar(w, what, read), read)
	return p
}

func newBar(w io.Writer, what string, read func() (done, total int64)) *progressbar.ProgressBar {
	total := int64(-1) // not known
	options := []progressbar.Option{
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0), // without this option the library starts a goroutine that never ends
	}
	if read != nil {
		if _, known := read(); known > 0 {
			total = known
		}
		options = append(options, progressbar.OptionShowBytes(true), progressbar.OptionShowCount())
	}
	return progressbar.NewOptions64(total, options...)
}

func (p *Progress) show(bar *progressbar.ProgressBar, read func() (done, total int64)) {
	defer close(p.done)
	bar.StartWithoutRender()
	step := time.NewTicker(progressStep)
	defer step.Stop()
	for {
		select {
		case <-step.C: // a terminal that goes away does not stop the program
			if read == nil {
				_ = bar.RenderBlank()
				continue
			}
			done, _ := read()
			_ = bar.Set64(done)
		case line := <-p.lines:
			_ = bar.Clear()
			fmt.Fprintln(p.w, line)
		case what := <-p.what:
			bar.Describe(Shorten(what, p.Room()))
		case <-p.end:
			_ = bar.Clear()
			return
		}
	}
}

// Say prints a line without spoiling the bar.
func (p *Progress) Say(line string) {
	select {
	case p.lines <- line:
	case <-p.done:
		fmt.Fprintln(p.w, line)
	}
}

// Write prints a line of a log without spoiling the bar.
func (p *Progress) Write(line []byte) (int, error) {
	p.Say(strings.TrimSuffix(string(line), "\n"))
	return len(line), nil
}

// Stop takes the bar off the screen.
func (p *Progress) Stop() {
	close(p.end)
	<-p.done
}

// Describe replaces the activity. The newest description wins.
func (p *Progress) Describe(what string) {
	select {
	case <-p.what:
	default:
	}
	select {
	case p.what <- what:
	default:
	}
}

// reserved is the number of columns that the bar needs beside the activity: a mark that turns,
// and the time.
const reserved = 14

// Room returns the number of columns for the activity.
func (p *Progress) Room() int { return p.width() - reserved }

// width returns the number of columns of the terminal.
func (p *Progress) width() int {
	if file, ok := p.w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			return columns
		}
	}
	return 80
}

// Shorten returns a text of at most n characters, with a mark where the end is missing.
func Shorten(text string, n int) string {
	runes := []rune(text)
	if n < 1 || len(runes) <= n {
		return text
	}
	return string(runes[:n-1]) + "…"
}
