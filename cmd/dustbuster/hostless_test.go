package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Logs without hosts are of the hosts in their paths, or of one site. Which of both is said in one line, where there is a choice.
func TestLogsWithoutHosts(t *testing.T) {
	const told, folders = "so the host in the path of each log is used: 2 sites, such as a.example", "so the logs of 2 folders count as one site"
	for _, c := range []struct {
		name, paths, flag, want string
	}{
		{"hosts as names of files", "a.example.log b.example.log", "--top=1", told},
		{"hosts as names of folders", "a.example/access_ssl_log b.example/access_ssl_log", "--top=1", told},
		{"folders of IIS", "W3SVC1/u_ex260101.log W3SVC2/u_ex260101.log", "--top=1", folders},
		{"folders of machines", "web1/access.log web2/access.log", "--top=1", folders},
		{"not from the path", "a.example/access_ssl_log b.example/access_ssl_log", "--site-from-path=false", folders},
		{"the site is named", "a.example/access_ssl_log b.example/access_ssl_log", "--site=www.example.org", ""},
		{"one folder", "logs/access.log logs/access.log.1", "--top=1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, args := t.TempDir(), []string{"mine", c.flag}
			for _, name := range strings.Fields(c.paths) {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(hits(20, "/p/%d", "/q/%d")), 0o600); err != nil {
					t.Fatal(err)
				}
				args = append(args, path)
			}
			code, _, errs := program(t.Context(), args...)
			said := strings.Count(errs.String(), "the log lines have no host")
			if code != 0 || !strings.Contains(errs.String(), c.want) || said != min(len(c.want), 1) {
				t.Errorf("ended with %d, and said %d times\n%s", code, said, errs)
			}
		})
	}
}
