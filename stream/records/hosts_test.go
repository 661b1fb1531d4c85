package records_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/files"
	"dustbuster/stream/records"
)

// TestHostsOfPaths: lines that name no host are of the host in the path of their log, for one reader
// and for a team.
func TestHostsOfPaths(t *testing.T) {
	dir := t.TempDir()
	const line = `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET %s HTTP/1.1" 200 %d "-" "ua"` + "\n"
	for _, c := range []struct{ name, target string }{{"a.example.log", "/a"}, {"b.example.log", "http://c.example/a"}, {"access.log", "/a"}} {
		text := strings.Repeat(fmt.Sprintf(line, c.target, 12), 10)
		if err := os.WriteFile(filepath.Join(dir, c.name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		hosts  bool
		team   bool
		hosted int
		want   map[string]int
	}{
		{"off", false, false, 0, map[string]int{"": 20, "c.example": 10}},
		{"on", true, false, 10, map[string]int{"a.example": 10, "c.example": 10, "": 10}},
		{"team", true, true, 10, map[string]int{"a.example": 10, "c.example": 10, "": 10}},
	} {
		t.Run(c.name, func(t *testing.T) {
			logs, err := files.Open([]string{dir}, files.Options{Hosts: c.hosts})
			if err != nil {
				t.Fatal(err)
			}
			got, o := map[string]int{}, records.Options{Admit: admit.Defaults(), Hosts: logs.Hosts()}
			if c.team {
				o.Team, err = records.NewTeam(o.Admit, []records.Fold{func(site string, _ *evidence.Observation) bool { got[site]++; return true }})
				if err != nil {
					t.Fatal(err)
				}
			}
			r, err := records.New(logs, o)
			if err != nil {
				t.Fatal(err)
			}
			var sum records.Counts
			for {
				b, err := r.Read(context.Background())
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				sum.Add(&b.Counts)
				for i := range b.Records {
					got[b.Records[i].Site]++
				}
				b.Release()
			}
			if o.Team != nil {
				o.Team.Close()
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
			if !maps.Equal(got, c.want) || sum.Hosted != c.hosted {
				t.Errorf("%v, %d of paths; want %v, %d", got, sum.Hosted, c.want, c.hosted)
			}
		})
	}
}
