package records

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/read/input"
	"dustbuster/stream/files"
)

// Each path is described by its own lines.
func TestDescribe(t *testing.T) {
	good := write(t, "log", fmt.Sprintf(combinedLine, 1)+"nonsense\n"+fmt.Sprintf(combinedLine, 2)+fmt.Sprintf(combinedLine, 3))
	prose := write(t, "prose", "It was\na dark night\n")
	r := open(t, Options{}, files.Options{}, good, prose)
	defer r.Close()
	for {
		b, err := r.Read(t.Context())
		if err != nil && !AboutOneFile(err) {
			break
		}
		if err == nil {
			b.Release()
		}
	}
	describe := func(path string) (s input.State, bytes int64) {
		bytes = r.Describe(&s, path)
		return s, bytes
	}
	s, bytes := describe(good)
	if s.Format != "combined" || s.Lines["all"] != 4 || s.Lines["malformed"] != 1 || s.Malformed["malformed"] != 0.25 || s.ReadAt == 0 ||
		!strings.Contains(s.LastError, `found "nonsense"`) || s.LastErrorAt == 0 || bytes != int64(3*len(fmt.Sprintf(combinedLine, 1))+9) {
		t.Errorf("%+v, %d bytes", s, bytes)
	}
	if s, _ := describe(prose); s.Format != "" || s.Lines["unknown_format"] != 2 || s.Malformed["unknown_format"] != 1 || s.LastError == "" {
		t.Errorf("%+v", s)
	}
	if s, bytes := describe("/none"); s.Format != "" || s.Lines["all"] != 0 || s.LastError != "" || s.ReadAt != 0 || bytes != 0 {
		t.Errorf("%+v, %d bytes", s, bytes)
	}
}

// The facts of a bounded number of paths are kept.
func TestFactsAreBounded(t *testing.T) {
	w := ward{facts: map[string]*facts{}}
	for i := range mostPaths + 10 {
		w.of(fmt.Sprint(i)).read = time.Unix(int64(i), 0)
	}
	if len(w.facts) != mostPaths || w.facts["9"] != nil || w.facts["10"] == nil {
		t.Errorf("%d paths", len(w.facts))
	}
}
