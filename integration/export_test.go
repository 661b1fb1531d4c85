package integration

import (
	"bufio"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/sinks/export"
)

// exportServers start the servers that have modules for an export, with its file.
var exportServers = map[string]func(t *testing.T, file string) (address string){
	"nginx":    func(t *testing.T, file string) string { return exportNginx(t, file, "") },
	"apache":   exportApache,
	"htaccess": exportHtaccess,
	"caddy":    exportCaddy,
	"haproxy":  exportHAProxy,
}

// startRedirecting starts a server that redirects: nginx with the line that the export's comment asks for.
func startRedirecting(t *testing.T, format, file string) (address string) {
	t.Helper()
	if format != "nginx" {
		return exportServers[format](t, file)
	}
	line := regexp.MustCompile(`(?m)^#\s+(if .*)$`).FindSubmatch(readFile(t, file))
	if line == nil {
		t.Fatalf("no line to copy in\n%.500s", readFile(t, file))
	}
	return exportNginx(t, file, string(line[1]))
}

// serverSample returns the cases of sites that a server is asked for, a request each. Without -long some are left out.
func serverSample(t *testing.T, sites []export.Site) []exportCase {
	t.Helper()
	return sampled(exportCases(t, sites), rounds(10, 1))
}

// serverCases returns the sites for a server and their cases. Caddy gets the rules that need no looks, and no
// URL that it refuses. A server that redirects gets the rules by which nothing is lost.
func serverCases(t *testing.T, format string, redirect bool) (sites []export.Site, cases []exportCase) {
	t.Helper()
	if sites = exportSites(); format == "caddy" || redirect {
		sites = expressible(t, format, sites, redirect)
	}
	if format != "caddy" {
		return sites, serverSample(t, sites)
	}
	return sites, slices.DeleteFunc(serverSample(t, sites), func(c exportCase) bool {
		_, err := url.ParseRequestURI(c.url)
		return err != nil
	})
}

// A real server reports the canonical form of each URL, and redirects to it.
func TestExportServers(t *testing.T) {
	t.Parallel()
	for format, start := range exportServers {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			sites, cases := serverCases(t, format, false)
			address := start(t, exported(t, format, sites, export.Options{}))
			for _, c := range cases {
				checkReport(t, address, c)
			}
		})
		t.Run(format+"/redirect", func(t *testing.T) {
			t.Parallel()
			sites, cases := serverCases(t, format, true)
			address := startRedirecting(t, format, exportedFor(t, format, sites, export.Options{Redirect: true}))
			for _, c := range cases {
				checkRedirect(t, address, c, format == "apache" || format == "htaccess")
			}
		})
	}
}

// A real Varnish asks the server behind for the canonical form.
func TestExportVarnish(t *testing.T) {
	t.Parallel()
	sites := exportSites()
	address := exportVarnish(t, exported(t, "varnish", sites, export.Options{}))
	for _, c := range serverSample(t, sites) {
		checkHeader(t, address, c.host, c.url, "X-Asked", c.want)
	}
}

// And it redirects, within the host.
func TestExportVarnishRedirect(t *testing.T) {
	t.Parallel()
	sites := expressible(t, "varnish", exportSites(), true)
	address := exportVarnish(t, exportedFor(t, "varnish", sites, export.Options{Redirect: true}))
	for _, c := range serverSample(t, sites) {
		if c.want == c.url {
			c.want = ""
		}
		checkHeader(t, address, c.host, c.url, "Location", c.want)
	}
}

// All forms of a page are one object of Varnish's cache, and a POST is passed on as it is.
func TestExportVarnishCache(t *testing.T) {
	t.Parallel()
	sites := []export.Site{{Host: "a.test", Rules: []rule.Rule{{Edit: rule.Drop{Param: "n"}}}}}
	address := exportVarnish(t, exported(t, "varnish", sites, export.Options{}))
	first := asked(t, address, "a.test", "/p?n=1").Header.Get("X-Answer")
	for _, c := range []struct {
		url  string
		same bool
	}{{"/p", true}, {"/p?n", true}, {"/p?n=2&n=3", true}, {"/p?m", false}, {"/q?n=1", false}} {
		if answer := asked(t, address, "a.test", c.url).Header.Get("X-Answer"); answer == "" || (answer == first) != c.same {
			t.Errorf("%s is answered by %q, /p?n=1 by %q", c.url, answer, first)
		}
	}
	answer, err := http.Post("http://"+address+"/p?n=1", "text/plain", nil)
	must(t, err)
	defer answer.Body.Close()
	if got := answer.Header.Get("X-Asked"); got != "/p?n=1" {
		t.Errorf("a POST of /p?n=1 asks for %s", got)
	}
}

// Varnish rewrites and redirects GET and HEAD alone.
func TestExportVarnishMethods(t *testing.T) {
	t.Parallel()
	sites := []export.Site{{Host: "a.test", Rules: []rule.Rule{{Edit: rule.Substring{From: "/old/", To: "/new/"}}}}}
	for _, redirect := range []bool{false, true} {
		address := exportVarnish(t, exported(t, "varnish", sites, export.Options{Redirect: redirect}))
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
			answer := askedBy(t, method, address, "a.test", "/old/")
			if answer == nil {
				continue
			}
			safe := method == "GET" || method == "HEAD"
			if moved := answer.StatusCode == http.StatusMovedPermanently; moved != (safe && redirect) {
				t.Errorf("redirect %t, %s: %s", redirect, method, answer.Status)
			}
			want := "/old/"
			if safe {
				want = "/new/"
			}
			if got := answer.Header.Get("X-Asked"); (!safe || !redirect) && got != want {
				t.Errorf("redirect %t, %s asks for %q, want %q", redirect, method, got, want)
			}
		}
	}
}

// Servers claim nothing for a parameter in too many places, for bytes that no
// mined string has, and for other hosts. Ports, case and a last dot do not make
// another host.
func TestExportServersEdges(t *testing.T) {
	t.Parallel()
	sites := []export.Site{
		{Host: "a.test", Rules: []rule.Rule{{Edit: rule.Drop{Param: "n"}}, {Edit: rule.Set{Param: "m", Value: "0"}}, {Edit: rule.Substring{From: "_", To: "-"}}}},
		{Host: "a.test:8080", Rules: []rule.Rule{{Edit: rule.Substring{From: "_", To: "+"}}}},
		{Host: "long.test", Rules: manyRules(300)},
		{Host: "c.test", Rules: []rule.Rule{{Edit: rule.Substring{From: "/index/", To: "/", AtStart: true}}, {Edit: rule.Substring{From: "_", To: "-"}}}},
	}
	for name, start := range exportServers {
		t.Run(name, func(t *testing.T) {
			address := start(t, exported(t, name, sites, export.Options{Unroll: 2}))
			for _, c := range []exportCase{
				{"a.test", "/p?" + strings.Repeat("k&n&", export.Places) + "k", "/p?" + strings.Repeat("k&", export.Places) + "k"},
				{"a.test", "/p_q?" + strings.Repeat("k&n&", export.Places+1) + "k", ""},
				{"a.test", "/p?" + strings.Repeat("m&", export.Places-1) + "m=1", "/p?" + strings.Repeat("m=0&", export.Places-1) + "m=0"},
				{"a.test", "/p_q?" + strings.Repeat("m&", export.Places) + "m=1", ""},
				{"a.test", "/p?" + strings.Repeat("m=0&", 30) + "m=0", ""},
				{"a.test", "/caf\xc3\xa9_1", ""},
				{"a.test", `/a_"`, ""},
				{"A.TEST:80", "/a_b", "/a-b"},
				{"a.test.", "/a_b", "/a-b"},
				{"a.test:8080", "/a_b", "/a+b"},
				{"www.a.test", "/a_b", ""},
				{"axtest", "/a_b", ""},
				{"a.test", "http://a.test/a_b?x", "/a-b?x"},
				{"long.test", "/t0/x", "/t300/x"},
				{"c.test", "/index/a_b", "/a-b"},
				{"c.test", "/index//evil.test/a_b", ""},
				{"c.test", "//evil.test/a_b", ""}, // a reference to a form with // would begin with a host
				{"a.test", "/a_b" + strings.Repeat("x", rule.MaxBytes-4), "/a-b" + strings.Repeat("x", rule.MaxBytes-4)},
				{"a.test", "/a_b" + strings.Repeat("x", rule.MaxBytes-3), ""},
				{"long.test", "/t98/" + strings.Repeat("x", rule.MaxBytes-5), ""}, // t99 has as many bytes, t100 more
			} {
				if name == "htaccess" && len(c.url) > rule.MaxBytes/2 && !strings.Contains(c.url, "?") {
					c.want = "" // no file has such a name: Apache does not look for .htaccess
				}
				checkCanonical(t, address, c.host, c.url, c.want)
			}
		})
	}
}

// manyRules is a chain of rules, each of which edits what the one before left.
func manyRules(n int) []rule.Rule {
	var rules []rule.Rule
	for i := range n {
		rules = append(rules, rule.Rule{Edit: rule.Substring{From: fmt.Sprintf("/t%d/", i), To: fmt.Sprintf("/t%d/", i+1)}})
	}
	return rules
}

// checkReport asks a server that reports.
func checkReport(t *testing.T, address string, c exportCase) {
	t.Helper()
	if c.want == c.url || strings.HasPrefix(c.want, "//") {
		c.want = ""
	}
	checkCanonical(t, address, c.host, c.url, c.want)
}

// checkCanonical asks for a target, and looks at the canonical form that the answer names; "": none.
func checkCanonical(t *testing.T, address, host, target, want string) {
	t.Helper()
	if want != "" {
		want = "<" + want + `>; rel="canonical"`
	}
	checkHeader(t, address, host, target, "Link", want)
}

// checkRedirect asks a server that redirects, which Apache cannot to a bare
// question mark.
func checkRedirect(t *testing.T, address string, c exportCase, bareMark bool) {
	t.Helper()
	want := "http://" + c.host + c.want
	if c.want == c.url || bareMark && strings.HasSuffix(c.want, "?") {
		want = ""
	}
	checkHeader(t, address, c.host, c.url, "Location", want)
}

// A server answers GET and HEAD alone with a canonical form: a redirect would lose the body of a POST.
func TestExportMethods(t *testing.T) {
	t.Parallel()
	sites := []export.Site{{Host: "a.test", Rules: []rule.Rule{{Edit: rule.Substring{From: "/old/", To: "/new/"}}}}}
	for format, start := range exportServers {
		for _, redirect := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/redirect %v", format, redirect), func(t *testing.T) {
				file, header, want := exported(t, format, sites, export.Options{Redirect: redirect}), "Link", `</new/>; rel="canonical"`
				if redirect {
					header, want = "Location", "http://a.test/new/"
					start = func(t *testing.T, file string) string { return startRedirecting(t, format, file) }
				}
				address := start(t, file)
				for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
					answer := askedBy(t, method, address, "a.test", "/old/")
					if answer == nil {
						continue
					}
					want := want
					if method != "GET" && method != "HEAD" {
						want = ""
					}
					if got := answer.Header.Get(header); got != want {
						t.Errorf("%s: %s, %s %q, want %q", method, answer.Status, header, got, want)
					}
				}
			})
		}
	}
}

// checkHeader asks for a target, and looks at one header of the answer.
func checkHeader(t *testing.T, address, host, target, name, want string) {
	t.Helper()
	answer := asked(t, address, host, target)
	if answer == nil {
		return
	}
	if got := answer.Header.Get(name); got != want {
		t.Errorf("%s %s: %s, %s %q, want %q", host, target, answer.Status, name, got, want)
	}
}

// asked sends a GET as it is, which no client library would. nil: there is no answer,
// which has been told.
func asked(t *testing.T, address, host, target string) *http.Response {
	t.Helper()
	return askedBy(t, "GET", address, host, target)
}

// askedBy sends a request of any method.
func askedBy(t *testing.T, method, address, host, target string) *http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(patience)))
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", method, target, host)
	answer, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Errorf("%s %s: %v", host, target, err)
		return nil
	}
	answer.Body.Close()
	return answer
}

// reported is the URL that a server reports as the canonical one, with the host as it was
// asked for.
func reported(t *testing.T, address, url string) string {
	t.Helper()
	host, target, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	answer := asked(t, address, host, "/"+target)
	if answer == nil || answer.Header.Get("Link") == "" {
		return url
	}
	return "http://" + host + strings.TrimSuffix(answer.Header.Get("Link")[1:], `>; rel="canonical"`)
}

const exportNginxConfig = `daemon off;
user root; # or whoever starts it
pid %[1]s/nginx.pid;
error_log %[1]s/error.log;
events {}
http {
	access_log off;
	client_body_temp_path %[1]s; proxy_temp_path %[1]s; fastcgi_temp_path %[1]s; uwsgi_temp_path %[1]s; scgi_temp_path %[1]s;
	include %[3]s;
	server {
		listen %[2]s;
		root %[1]s/none;
		%[4]s
	}
}
`

// exportNginx starts nginx with maps, and a line in its server.
func exportNginx(t *testing.T, maps, line string) (address string) {
	t.Helper()
	need(t, "nginx", "its export is not tried")
	dir, conf := t.TempDir(), filepath.Join(t.TempDir(), "nginx.conf")
	address = freeAddress(t)
	writeFile(t, conf, fmt.Appendf(nil, exportNginxConfig, dir, address, maps, line))
	launch(t, address, exec.Command("nginx", "-c", conf, "-e", filepath.Join(dir, "error.log")))
	return address
}

const exportApacheConfig = `ServerRoot %[1]s
ServerName localhost
PidFile %[1]s/apache.pid
ErrorLog %[1]s/error.log
Listen %[2]s
LoadModule mpm_event_module %[3]s/mod_mpm_event.so
LoadModule authz_core_module %[3]s/mod_authz_core.so
LoadModule rewrite_module %[3]s/mod_rewrite.so
LoadModule headers_module %[3]s/mod_headers.so
DocumentRoot %[1]s
Include %[4]s
`

// exportApache starts Apache with rewrite rules.
func exportApache(t *testing.T, rules string) (address string) {
	t.Helper()
	const modules = "/usr/lib/apache2/modules"
	need(t, "apache2", "its export is not tried")
	dir, conf := t.TempDir(), filepath.Join(t.TempDir(), "apache.conf")
	address = freeAddress(t)
	writeFile(t, conf, fmt.Appendf(nil, exportApacheConfig, dir, address, modules, rules))
	launch(t, address, exec.Command("apache2", "-f", conf, "-DFOREGROUND"))
	return address
}

// exportHtaccess starts Apache with rewrite rules in the file of its document root.
func exportHtaccess(t *testing.T, rules string) (address string) {
	t.Helper()
	need(t, "apache2", "its export is not tried")
	dir, conf := t.TempDir(), filepath.Join(t.TempDir(), "apache.conf")
	address = freeAddress(t)
	empty, root := write(t, "empty.conf", nil), filepath.Join(dir, "site")
	must(t, os.Mkdir(root, 0o755))
	must(t, os.Chmod(dir, 0o755))
	writeFile(t, filepath.Join(root, ".htaccess"), readFile(t, rules))
	text := fmt.Sprintf(exportApacheConfig, dir, address, "/usr/lib/apache2/modules", empty)
	text = strings.Replace(text, "DocumentRoot "+dir, "DocumentRoot "+root, 1) + "<Directory " + root + ">\nAllowOverride FileInfo\nOptions FollowSymLinks\n</Directory>\n"
	writeFile(t, conf, []byte(text))
	launch(t, address, exec.Command("apache2", "-f", conf, "-DFOREGROUND"))
	return address
}

const exportCaddyConfig = `{
	admin off
	auto_https off
}
:%[1]s {
	bind 127.0.0.1
	root * %[2]s/none
	import %[3]s
	file_server
}
`

// exportCaddy starts Caddy with maps.
func exportCaddy(t *testing.T, maps string) (address string) {
	t.Helper()
	need(t, "caddy", "its export is not tried")
	dir, conf := t.TempDir(), filepath.Join(t.TempDir(), "Caddyfile")
	address = freeAddress(t)
	_, port, err := net.SplitHostPort(address)
	must(t, err)
	writeFile(t, conf, fmt.Appendf(nil, exportCaddyConfig, port, dir, maps))
	cmd := exec.Command("caddy", "run", "--config", conf, "--adapter", "caddyfile")
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir)
	launch(t, address, cmd)
	return address
}

// exportHAProxyConfig has the lines of a file in a frontend that answers by itself.
const exportHAProxyConfig = `defaults
	mode http
	timeout client 30s
	timeout server 30s
	timeout connect 30s
frontend all
	bind %[1]s
%[2]s
	http-request return status 200 content-type text/plain string ok
`

// exportHAProxy starts HAProxy with lines of a frontend.
func exportHAProxy(t *testing.T, lines string) (address string) {
	t.Helper()
	need(t, "haproxy", "its export is not tried")
	address = freeAddress(t)
	conf := write(t, "haproxy.cfg", fmt.Appendf(nil, exportHAProxyConfig, address, readFile(t, lines)))
	launch(t, address, exec.Command("haproxy", "-db", "-f", conf))
	return address
}

// exportVarnish starts Varnish with a file of VCL, before a server that says in headers what it was
// asked for, and the number of its answer.
func exportVarnish(t *testing.T, file string) (address string) {
	t.Helper()
	need(t, "varnishd", "its export is not tried")
	host, port, err := net.SplitHostPort(asking(t))
	must(t, err)
	conf := write(t, "main.vcl", fmt.Appendf(nil, "vcl 4.1;\nbackend origin { .host = %q; .port = %q; }\ninclude %q;\n", host, port, file))
	address = freeAddress(t)
	launch(t, address, exec.Command("varnishd", "-F", "-j", "none", "-a", address, "-f", conf, "-n", filepath.Join(t.TempDir(), "work"), "-s", "malloc,16m"))
	return address
}

// asking starts a server that answers any target, and says in headers what it was asked for, and the
// number of its answer.
func asking(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	var serving sync.WaitGroup
	t.Cleanup(func() {
		_ = l.Close()
		serving.Wait()
	})
	serving.Go(func() {
		for answers := 1; ; answers++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() {
				defer conn.Close()
				in := bufio.NewReader(conn)
				line, _ := in.ReadString('\n')
				for head := line; len(head) > 2; {
					head, _ = in.ReadString('\n')
				}
				if asked := strings.Fields(line); len(asked) == 3 {
					fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nX-Asked: %s\r\nX-Answer: %d\r\nCache-Control: max-age=600\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", asked[1], answers)
				}
			})
		}
	})
	return l.Addr().String()
}

var stormCrawler = flag.String("stormcrawler", "", "class path of storm-crawler-core 1.16, with which TestExportJava tries StormCrawler's own class as well")

// Java's expressions, as Nutch, StormCrawler and Heritrix use them, give the
// canonical form. Each case meets the rules of all sites.
func TestExportJava(t *testing.T) {
	t.Parallel()
	java := need(t, "java", "the exports for Nutch, StormCrawler and Heritrix are not tried")
	sites := exportSites()
	cases := sampled(exportCases(t, sites), rounds(40, 1))
	for _, format := range []string{"nutch", "stormcrawler", "heritrix"} {
		t.Run(format, func(t *testing.T) {
			file := exported(t, format, sites, export.Options{})
			normalize(t, cases, java, filepath.Join("testdata", "export", "Normalize.java"), format, file)
		})
	}
	if *stormCrawler != "" {
		t.Run("class", func(t *testing.T) {
			file := exported(t, "stormcrawler", sites, export.Options{})
			normalize(t, cases, java, "-cp", *stormCrawler+":"+filepath.Dir(file), filepath.Join("testdata", "export", "StormCrawler.java"), filepath.Base(file))
		})
	}
}

// The real duplicate-url-discarder drops the parameters, of one host alone. Of
// itself it leaves out what is empty in a query, so the cases have nothing empty.
func TestExportDiscarder(t *testing.T) {
	t.Parallel()
	sites, cases := discarderCases(t)
	file := exported(t, "dud", sites, export.Options{})
	normalize(t, cases, python(t), filepath.Join("testdata", "export", "discard.py"), file)
}

// Where ; separates parameters the real one gets no rule: it would take two pages for one.
func TestExportDiscarderSemicolons(t *testing.T) {
	t.Parallel()
	shown := []deviation{{url: "http://a.test/p?sid=9;id=1"}, {url: "http://a.test/p?sid=9;id=2"}}
	for _, c := range []struct {
		separators urlnorm.Separators
		merges     bool
	}{{urlnorm.Ampersand, true}, {urlnorm.Semicolon, false}, {urlnorm.Ampersand | urlnorm.Semicolon, false}} {
		sites := []export.Site{{Host: "a.test", Rules: []rule.Rule{{Edit: rule.Drop{Param: "sid"}}}, Separators: []*urlnorm.Separators{&c.separators}}}
		list := write(t, "rules.jsonl", published(t, sites))
		file, report := runExport(t, "dud", "--rules", list)
		made := rewrites(t, []string{python(t), filepath.Join("testdata", "export", "discard.py"), file}, shown)
		if one := made(shown[0].url) == made(shown[1].url); one != c.merges || strings.Contains(report, "left out of \"a.test\", rule 1: ignore the parameter sid") == c.merges {
			t.Errorf("with %q: %s and %s, reported\n%s", c.separators, made(shown[0].url), made(shown[1].url), report)
		}
	}
}

// python is a Python that has duplicate-url-discarder.
func python(t *testing.T) string {
	t.Helper()
	python := "python3"
	if p := os.Getenv("DUSTBUSTER_PYTHON"); p != "" {
		python = p
	}
	if out, err := exec.Command(python, "-c", "import duplicate_url_discarder").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: %s has no duplicate-url-discarder (name another in DUSTBUSTER_PYTHON): its export is not tried\n%s", python, out)
	}
	return python
}

func discarderCases(t *testing.T) (sites []export.Site, cases []exportCase) {
	t.Helper()
	root := rule.Scope{}
	root.Path, root.HasPath = "/", true
	under := rule.Scope{Prefix: "/1/"}
	for _, host := range []string{"a.test", "www.a.test", "b.a.test", "a.test:8080", "www.b.test", "127.0.0.1"} {
		separators := urlnorm.Ampersand
		sites = append(sites, export.Site{Host: host, Separators: slices.Repeat([]*urlnorm.Separators{&separators}, 5), Rules: []rule.Rule{
			{Edit: rule.Drop{Param: "n" + host}}, {Edit: rule.Drop{Param: "sid"}}, {Edit: rule.Drop{Param: "x[]"}},
			{Edit: rule.Drop{Param: "page"}, Scope: root}, {Edit: rule.Drop{Param: "sort"}, Scope: under},
		}})
	}
	for _, host := range []string{"a.test", "www.a.test", "b.a.test", "a.test:8080", "www.b.test", "b.test", "other.test", "127.0.0.1"} {
		var rules []rule.Rule
		for _, s := range sites {
			if s.Host == host {
				rules = s.Rules
			}
		}
		c, err := canon.Compile(rules)
		must(t, err)
		for _, path := range []string{"/", "/1/", "/1/2", "/1", "/a/", "/$", "/%7E", "/a;b"} {
			for _, query := range []string{"", "?sid=1", "?a=1&sid=2&b", "?sid&sid=2&a", "?SID=1&x[]=2&x%5B%5D=3", "?page=2&sort=a", "?sort&page", "?nb.a.test=1&na.test=2", "?na.test:8080&a=%7E", `?a=\$1&sid="`} {
				out, _ := c.Canon(nil, []byte(path+query))
				cases = append(cases, exportCase{host, path + query, string(out)})
			}
		}
	}
	return sites, cases
}

// normalize has a program read URLs and compares what it writes.
func normalize(t *testing.T, cases []exportCase, program string, args ...string) {
	t.Helper()
	var in, want strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&in, "http://%s%s\n", c.host, c.url)
		fmt.Fprintf(&want, "http://%s%s\n", c.host, c.want)
	}
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader(in.String())
	compareLines(t, in.String(), succeed(t, cmd).stdout, want.String())
}

func compareLines(t *testing.T, in, got, want string) {
	t.Helper()
	from, is, to := strings.Split(in, "\n"), strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(is) != len(to) {
		t.Fatalf("%d lines, want %d", len(is), len(to))
	}
	for i := range to {
		if is[i] != to[i] {
			t.Errorf("%s: %s, want %s", from[i], is[i], to[i])
		}
	}
}
