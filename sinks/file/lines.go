package file

import "fmt"

// Lines is a file to which lines are appended, readable only by its owner. Any
// goroutine may use Lines.
type Lines struct{ appender }

// OpenLines opens or creates the file at a path. If the last line has no newline, as
// after a crash, the next Append ends the line.
func OpenLines(path string) (*Lines, error) { return openLines(path, disk{perm: private}) }

func openLines(path string, files fileSystem) (*Lines, error) {
	l := &Lines{appender{path: path, fs: files}}
	return l, l.open()
}

// Append writes one line, with its newline. After an error the file holds the whole
// line, no part of the line, or a part whose rest the next Append writes. Nothing is
// synced, so a crash of the machine may lose lines.
func (l *Lines) Append(line []byte) error {
	return l.do(func() error {
		if err := l.out.finish(); err != nil {
			return err
		}
		_, err := l.out.write(&chunk{text: line, ends: []int{len(line)}}, 1)
		return err
	})
}

// Reopen opens the path again, after another program has renamed the file. After an
// error the old file stays open.
func (l *Lines) Reopen() error {
	return l.do(func() error {
		lost, err := l.reopen()
		if err != nil {
			return fmt.Errorf("reopen: %w", err)
		}
		return lost
	})
}

// Close closes the file.
func (l *Lines) Close() error { return l.close() }
