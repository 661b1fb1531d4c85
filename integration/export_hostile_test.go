package integration

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/sinks/export"
)

// hostileSites are sites whose rules hold what a hostile client would write into a log: quotes, comments,
// ends of blocks, variables, commands and expressions.
func hostileSites() (sites []export.Site) {
	texts := append([]string{
		`";}`, `'`, "`", `${env}`, `{$PATH}`, `{http.request.host}`, `%{HTTP_HOST}`, `$1\1&2`, `"}C{system("id");}C{"`, `#`, `--`, `\`, `\\"`, `*/`, `/*`, `//`, `(?#`, `\Q`, `[`, `(`, `)`, `{2,1}`, `+*?`, `]]>`, `;`,
		strings.Repeat(`"$`, 500), strings.Repeat("a", 1500),
	}, oddFolders...)
	for i, text := range texts {
		but, err := rule.NewExcept(nil, []string{"/?" + text})
		if err != nil {
			continue // no URL holds such a byte as it is
		}
		s := export.Site{Host: fmt.Sprintf("h%d.example", i)}
		for _, r := range []rule.Rule{
			{Edit: rule.Substring{From: "/" + text + "/", To: "/new/"}}, {Edit: rule.Substring{From: "/new/", To: "/" + text + "/"}}, {Edit: rule.Substring{From: text, To: "x", AtEnd: true}},
			{Edit: rule.Drop{Param: text}}, {Edit: rule.Set{Param: "n", Value: text}}, {Edit: rule.Drop{Param: "n"}, Scope: rule.Scope{Prefix: "/" + text}},
			{Edit: rule.Drop{Param: "n"}, Scope: rule.Scope{Path: "/" + text, HasPath: true}}, {Edit: rule.Drop{Param: "n"}, Except: but},
		} {
			if r.Validate() == nil {
				s.Rules = append(s.Rules, r)
			}
		}
		if len(s.Rules) > 0 {
			sites = append(sites, s)
		}
	}
	for _, host := range hostileHosts {
		sites = append(sites, export.Site{Host: host, Rules: []rule.Rule{{Edit: rule.Drop{Param: "n"}}, {Edit: rule.Substring{From: "/old/", To: "/new/"}}}})
	}
	return sites
}

// hostileHosts are names of sites as a list may hold them that somebody else has written.
var hostileHosts = []string{
	`a";}.example`, "b\n}\n.example", "c\" { }.example", "${env}.example", "{$HOME}.example", "{http.request.host}", "%{HTTP_HOST}.example", "*/.example", "--d.example",
	"e.example # x", "f.example'", "g`.example", `h\.example`, "ü.example", "i.example:80;", `j.example"}C{system("id");}C{"`, "k -->", "l{}.example", "[2001:db8::1]:8080", "(", "*",
}

// The servers themselves find nothing wrong with files made from a hostile log, whole or as the URLs
// need them, with the header or with redirects.
func TestExportOfHostileLog(t *testing.T) {
	t.Parallel()
	sites := hostileSites()
	if len(sites) < 30 {
		t.Fatalf("%d sites", len(sites))
	}
	list := write(t, "rules.jsonl", published(t, sites))
	var log strings.Builder
	for _, s := range sites {
		for _, r := range s.Rules {
			fmt.Fprintf(&log, "http://%s/%s?%s=1&n=2\n", s.Host, strings.TrimPrefix(r.Sides().From, "/"), r.Params().Param)
		}
	}
	urls := write(t, "urls.txt", []byte(log.String()))
	for _, c := range []struct {
		format string
		check  func(t *testing.T, file string) *exec.Cmd
	}{{"nginx", checkNginx}, {"apache", checkApache}, {"caddy", checkCaddy}, {"varnish", checkVarnish}, {"haproxy", checkHAProxy}} {
		for _, args := range [][]string{{"--rounds", "1"}, {"--urls", urls}, {"--urls", urls, "--redirect"}} {
			t.Run(c.format+" "+args[0]+fmt.Sprint(len(args)), func(t *testing.T) {
				file, _ := runExport(t, append([]string{c.format, "--rules", list}, args...)...)
				for line := range strings.Lines(string(readFile(t, file))) {
					if !strings.HasPrefix(strings.TrimSpace(line), "#") && strings.Contains(line, "system(") {
						t.Errorf("a text of the log is a command: %.200s", line)
					}
				}
				if out, err := c.check(t, file).CombinedOutput(); err != nil {
					t.Errorf("%v\n%.2000s", err, out)
				}
			})
		}
	}
}

func checkNginx(t *testing.T, file string) *exec.Cmd {
	t.Helper()
	need(t, "nginx", "its export is not checked")
	dir := t.TempDir()
	conf := write(t, "nginx.conf", fmt.Appendf(nil, exportNginxConfig, dir, "127.0.0.1:1", file, ""))
	return exec.Command("nginx", "-t", "-c", conf, "-e", filepath.Join(dir, "error.log"))
}

func checkApache(t *testing.T, file string) *exec.Cmd {
	t.Helper()
	need(t, "apache2", "its export is not checked")
	conf := write(t, "apache.conf", fmt.Appendf(nil, exportApacheConfig, t.TempDir(), "127.0.0.1:1", "/usr/lib/apache2/modules", file))
	return exec.Command("apache2", "-t", "-f", conf)
}

func checkCaddy(t *testing.T, file string) *exec.Cmd {
	t.Helper()
	need(t, "caddy", "its export is not checked")
	dir := t.TempDir()
	conf := write(t, "Caddyfile", fmt.Appendf(nil, exportCaddyConfig, "1", dir, file))
	cmd := exec.Command("caddy", "validate", "--config", conf, "--adapter", "caddyfile") // adapts, and compiles the expressions too
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	return cmd
}

func checkHAProxy(t *testing.T, file string) *exec.Cmd {
	t.Helper()
	need(t, "haproxy", "its export is not checked")
	return exec.Command("haproxy", "-c", "-f", write(t, "haproxy.cfg", fmt.Appendf(nil, exportHAProxyConfig, "127.0.0.1:1", readFile(t, file))))
}

func checkVarnish(t *testing.T, file string) *exec.Cmd {
	t.Helper()
	need(t, "varnishd", "its export is not checked")
	host, port, err := net.SplitHostPort("127.0.0.1:1")
	must(t, err)
	conf := write(t, "main.vcl", fmt.Appendf(nil, "vcl 4.1;\nbackend origin { .host = %q; .port = %q; }\ninclude %q;\n", host, port, file))
	return exec.Command("varnishd", "-j", "none", "-C", "-f", conf, "-n", filepath.Join(t.TempDir(), "work"))
}
