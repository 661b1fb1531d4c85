package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows on a terminal how much of the input has been read, at what
// rate, and how long the rest will take. Anywhere else it shows nothing.
type progress struct {
	w     io.Writer
	lines chan string // to be said above it
	end   chan struct{}
	done  chan struct{}
}

const progressStep = 100 * time.Millisecond

// startProgress shows what is being done and what read says of it, in bytes,
// until stop is called. A nil read says nothing: only time passes.
func startProgress(w io.Writer, what string, read func() (done, total int64)) *progress {
	p := &progress{w, make(chan string), make(chan struct{}), make(chan struct{})}
	if file, ok := w.(*os.File); !ok || !term.IsTerminal(int(file.Fd())) {
		close(p.done)
		return p
	}
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
		progressbar.OptionSetSpinnerChangeInterval(0), // else the library starts a goroutine that never ends
	}
	if read != nil {
		if _, known := read(); known > 0 {
			total = known
		}
		options = append(options, progressbar.OptionShowBytes(true), progressbar.OptionShowCount())
	}
	return progressbar.NewOptions64(total, options...)
}

func (p *progress) show(bar *progressbar.ProgressBar, read func() (done, total int64)) {
	defer close(p.done)
	bar.StartWithoutRender()
	step := time.NewTicker(progressStep)
	defer step.Stop()
	for {
		select {
		case <-step.C: // a terminal that goes away is no reason to stop
			if read == nil {
				_ = bar.RenderBlank()
				continue
			}
			done, _ := read()
			_ = bar.Set64(done)
		case line := <-p.lines:
			_ = bar.Clear()
			fmt.Fprintln(p.w, line)
		case <-p.end:
			_ = bar.Clear()
			return
		}
	}
}

// say writes a line without spoiling the bar.
func (p *progress) say(line string) {
	select {
	case p.lines <- line:
	case <-p.done:
		fmt.Fprintln(p.w, line)
	}
}

// stop takes the bar off the screen.
func (p *progress) stop() {
	close(p.end)
	<-p.done
}
