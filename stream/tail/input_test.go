package tail

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/read/input"
)

// said is the part of a log's state that does not depend on the file system.
func said(s *input.State, dir string) string {
	size := int64(-1)
	if s.Size != nil {
		size = *s.Size
	}
	text := fmt.Sprintf("%s %d/%d, %d behind", strings.TrimPrefix(s.Name, dir), s.Offset, size, *s.LagBytes)
	for _, b := range s.Behind {
		text += fmt.Sprintf(", %s %d/%d", strings.TrimPrefix(b.File, dir), b.Offset, b.Size)
	}
	if s.CaughtUp {
		text += ", caught up"
	}
	return text
}

// Inputs describes each followed log: before its lines are processed, while its rotated
// generations are, and if it is missing or cannot be read.
func TestInputs(t *testing.T) {
	dir := t.TempDir()
	path, missing := filepath.Join(dir, "access.log"), filepath.Join(dir, "missing.log")
	put(t, path+".1", "one\n")
	put(t, path, "two\nhalf a line")
	o := quick(path)
	o.Paths = append(o.Paths, missing, filepath.Join(dir, "none", "*.log"))
	r, _ := open(t, o, nil)
	got, _ := texts(t, r, 2)
	want(t, got, "one", "two")
	expect := func(what string, all ...string) {
		t.Helper()
		eventually(t, what, func() bool {
			var last []string
			for _, s := range r.Inputs() {
				last = append(last, said(&s, dir))
			}
			return fmt.Sprint(last) == fmt.Sprint(all)
		})
	}
	none := []string{"/missing.log 0/-1, 0 behind, caught up", "/none/*.log 0/-1, 0 behind, caught up"}
	expect("all is behind", append([]string{"/access.log 0/15, 19 behind, /access.log.1 0/4"}, none...)...)
	r.Positions(map[uint64]int64{1: 4, 2: 4})
	expect("all is read", append([]string{"/access.log 4/15, 11 behind, caught up"}, none...)...)
	if s := r.Inputs()[0]; s.Generation == "" || s.File != path || s.LastError != "" || s.LagSeconds < 0 {
		t.Errorf("%+v", s)
	}
}

// The last error of a log is shown: of the path itself, of its rotated files and of its
// directory.
func TestInputsTrouble(t *testing.T) {
	one := followed{path: "/logs/access.log"}
	for path, about := range map[string]bool{"/logs/access.log": true, "/logs/access.log.1": true, "/logs": true, "/logs/other.log": false, "/": false} {
		r := &registry{trouble: map[string]trouble{}}
		r.troubled(path, os.ErrPermission)
		s := r.input(&one)
		if (s.LastError != "") != about || (s.LastErrorAt > 0) != about {
			t.Errorf("%s: %+v", path, s)
		}
		if r.follow([]followed{one}); (len(r.trouble) > 0) != about {
			t.Errorf("%s: kept %v", path, r.trouble)
		}
	}
	if got := lossError(Lost, 7, ErrGone).Error(); got != "lost: 7 bytes are lost: "+ErrGone.Error() {
		t.Error(got)
	}
	if got := lossError(Truncated, 7, nil).Error(); got != "truncated: 7 bytes are lost" {
		t.Error(got)
	}
}
