package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"dustbuster/stream/checkpoint"
	"dustbuster/stream/files"
	"dustbuster/stream/journal"
	"dustbuster/stream/kafka"
	"dustbuster/stream/records"
)

// Files are finished logs, read one after the other: a Source that ends. A journal keeps which
// files have arrived, and up to which byte of its unpacked text the present file has. A file that
// has changed since is read whole. So is a pipe.
type Files struct {
	reader  *records.Reader
	paths   []string         // as the reader names them
	journal *journal.Journal // nil: every run reads all files whole
	sent    sentFiles

	mu    sync.Mutex
	wrong map[string]bool // files of which not everything could be read
}

// sentFiles is what the journal keeps, as JSON.
type sentFiles struct {
	Topic string     `json:"topic"`
	ID    string     `json:"id"`    // of the topic
	Files []sentFile `json:"files"` // in the order in which they are read
}

type sentFile struct {
	Path     string    `json:"path"` // absolute
	Size     int64     `json:"size"` // -1: no regular file
	Modified time.Time `json:"modified"`
	Sent     int64     `json:"sent"` // bytes of the unpacked text, or files.Whole
}

// OpenFiles returns the source of a reader's files for a topic. anew reports that the journal tells of
// another topic, or of one of that name that was deleted: then all files are read whole. The caller
// closes the journal, which may be nil, after the source.
func OpenFiles(logs *files.Reader, o records.Options, j *journal.Journal, topic string, id kafka.TopicID) (f *Files, anew bool, err error) {
	f = &Files{paths: logs.Files(), journal: j, sent: sentFiles{Topic: topic, ID: id.String()}, wrong: map[string]bool{}}
	var before sentFiles
	if j != nil {
		positions, err := checkpoint.LoadPositions(j)
		if err == nil && positions != nil {
			err = json.Unmarshal(positions, &before)
		}
		if err != nil {
			return nil, false, fmt.Errorf("read which files were sent: %w", err)
		}
	}
	if anew = before.Topic != "" && (before.Topic != topic || id.Another(kafka.ParseTopicID(before.ID))); anew {
		before.Files = nil
	}
	sent := map[string]sentFile{}
	for _, file := range before.Files {
		sent[file.Path] = file
	}
	var offsets []int64
	for _, path := range f.paths {
		file := look(path)
		if b, ok := sent[file.Path]; ok && b.Size == file.Size && b.Modified.Equal(file.Modified) {
			file.Sent = b.Sent
		}
		f.sent.Files, offsets = append(f.sent.Files, file), append(offsets, file.Sent)
	}
	logs.Resume(offsets)
	o.Hosts = logs.Hosts()
	f.reader, err = records.New(logs, o)
	return f, anew, err
}

// look returns a file as it is now, with nothing sent.
func look(path string) sentFile {
	file := sentFile{Path: path, Size: -1}
	if whole, err := filepath.Abs(path); err == nil {
		file.Path = whole
	}
	if info, err := os.Stat(path); err == nil && path != files.Stdin && info.Mode().IsRegular() {
		file.Size, file.Modified = info.Size(), info.ModTime()
	}
	return file
}

// Whole returns the number of files of which nothing is left to send.
func (f *Files) Whole() (n int) {
	for i := range f.sent.Files {
		if f.sent.Files[i].Sent == files.Whole {
			n++
		}
	}
	return n
}

// Read returns the next lines.
func (f *Files) Read(ctx context.Context) (*records.Batch, error) {
	b, err := f.reader.Read(ctx)
	if err == nil {
		return b, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var torn *files.FileError
	var format *records.FormatError
	switch {
	case errors.As(err, &torn):
		f.wrong[torn.Path] = true
	case errors.As(err, &format):
		f.wrong[format.Path] = true
	}
	return b, err
}

// Commit saves what has arrived: since files are read in their order, all files before the last.
func (f *Files) Commit(_ context.Context, ends map[uint64]int64) error {
	last := 0
	for file, end := range ends {
		last = max(last, int(file))
		if at := &f.sent.Files[file]; at.Size >= 0 {
			at.Sent = max(at.Sent, end)
		}
	}
	return f.save(last)
}

// Finish saves that the files have arrived, once Run has ended without an error and before its ctx.
// It reports whether all could be read: some may be damaged or in no known format.
func (f *Files) Finish() (all bool, err error) {
	return len(f.wrong) == 0, f.save(len(f.sent.Files))
}

// save saves that so many files have arrived, apart from files with errors.
func (f *Files) save(whole int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.sent.Files[:whole] {
		if file := &f.sent.Files[i]; file.Size >= 0 && !f.wrong[f.paths[i]] {
			file.Sent = files.Whole
		}
	}
	if f.journal == nil {
		return nil
	}
	positions, err := json.Marshal(&f.sent)
	if err != nil {
		return err
	}
	return savePositions(f.journal, positions)
}

// Close ends the reading.
func (f *Files) Close() error { return f.reader.Close() }
