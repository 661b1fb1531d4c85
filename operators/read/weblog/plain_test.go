package weblog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Plain readers of the formats: regular expressions with named groups, encoding/json and
// splitting. They share no code with the package.

const (
	plainQuoted = `"(?:[^"\\]|\\.)*"`
	plainStart  = `(?P<client>\S+) .*?\[(?P<time>[^]]+)\] "(?P<request>(?:[^"\\]|\\.)*)" (?P<status>\d{3}) (?P<size>\d+|-)`
	plainEnd    = ` ` + plainQuoted + ` "(?P<agent>(?:[^"\\]|\\.)*)"`
)

var plainLines = map[string]*regexp.Regexp{
	"combined":       regexp.MustCompile(`^` + plainStart + plainEnd),
	"combinedio":     regexp.MustCompile(`^` + plainStart + plainEnd),
	"ingress_nginx":  regexp.MustCompile(`^` + plainStart + plainEnd),
	"traefik":        regexp.MustCompile(`^` + plainStart + plainEnd),
	"vhost_combined": regexp.MustCompile(`^(?P<host>\S+) ` + plainStart + plainEnd),
	"common":         regexp.MustCompile(`^` + plainStart),
	"common_vhost":   regexp.MustCompile(`^(?P<host>\S+) ` + plainStart),
	"lighttpd":       regexp.MustCompile(`^(?P<client>\S+) (?P<host>\S+) .*?\[(?P<time>[^]]+)\] "(?P<request>(?:[^"\\]|\\.)*)" (?P<status>\d{3}) (?P<size>\d+|-)` + plainEnd),
	"gandi":          regexp.MustCompile(`^(?P<host>\S+) (?P<client>\S+) .*?\[(?P<time>[^]]+)\] \(\d+ s\) "(?P<request>(?:[^"\\]|\\.)*)" (?P<status>\d{3}) (?P<size>\d+|-)` + plainEnd),
	"haproxy_clf":    regexp.MustCompile(`^(?P<client>\S+) - - \[(?P<time>[^]]+)\] "(?P<request>[^"]*)" (?P<status>-1|\d+) (?P<size>\d+) "" "" \d+ \d+ "`),
	"haproxy":        regexp.MustCompile(`(?P<peer>\S+) \[(?P<time>[^]]+)\] \S+ \S+ \S+ (?P<status>-1|\d+) (?P<size>\d+) \S+ \S+ \S+ \S+ \S+ .*?"(?P<request>[^"]*)"$`),
	"alb":            regexp.MustCompile(`^\S+ (?P<time>\S+) \S+ (?P<peer>\S+) \S+ \S+ \S+ \S+ (?P<status>\S+) \S+ \S+ (?P<size>\S+) "(?P<request>[^"]*)" "(?P<agent>[^"]*)" `),
	"elb":            regexp.MustCompile(`^(?P<time>\S+) \S+ (?P<peer>\S+) \S+ \S+ \S+ \S+ (?P<status>\S+) \S+ \S+ (?P<size>\S+) "(?P<request>[^"]*)" "(?P<agent>[^"]*)" `),
	"s3":             regexp.MustCompile(`^\S+ (?P<host>\S+) \[(?P<time>[^]]+)\] (?P<client>\S+) \S+ \S+ \S+ \S+ "(?P<request>[^"]*)" (?P<status>\d+) \S+ (?P<size>\S+) \S+ \S+ \S+ ` + plainQuoted + ` "(?P<agent>[^"]*)"`),
}

// plainPaths lists the paths of the fields in JSON. The first path present counts.
var plainPaths = map[string]map[string]string{
	"caddy": {"host": "request.host", "method": "request.method", "target": "request.uri", "client": "request.client_ip request.remote_ip",
		"agent": "request.headers.User-Agent", "status": "status", "size": "size", "time": "ts", "headers": "resp_headers"},
	"traefik_json": {"host": "RequestHost", "method": "RequestMethod", "target": "RequestPath", "client": "ClientHost", "agent": "request_User-Agent",
		"status": "DownstreamStatus", "size": "DownstreamContentSize", "time": "time"},
	"cloudflare": {"host": "ClientRequestHost", "method": "ClientRequestMethod", "target": "ClientRequestURI", "client": "ClientIP",
		"agent": "ClientRequestUserAgent", "status": "EdgeResponseStatus", "size": "EdgeResponseBytes", "time": "EdgeStartTimestamp"},
	"nginx_json": {"host": "host", "target": "path", "client": "ip", "agent": "user_agent", "status": "status", "size": "length", "time": "date"},
}

// plainReader reads the lines of one file.
type plainReader struct {
	format  string
	columns []string // of the last #Fields line
	date    string   // of the last #Date line
}

// read returns the expected hit of a line, or an error if the plain reader cannot read it.
func (r *plainReader) read(line string) (w want, err error) {
	switch {
	case plainPaths[r.format] != nil:
		return r.readJSON(line)
	case r.format == "w3c" || r.format == "cloudfront":
		return r.readColumns(line)
	}
	m := plainLines[r.format].FindStringSubmatch(line)
	if m == nil {
		return w, fmt.Errorf("no plain reading")
	}
	group := map[string]string{}
	for i, name := range plainLines[r.format].SubexpNames() {
		group[name] = m[i]
	}
	request, client := plainUnescape(group["request"]), dash(group["client"])
	if peer := group["peer"]; peer != "" {
		client = strings.Trim(peer[:strings.LastIndexByte(peer, ':')], "[]")
	}
	p := plainRequest.FindStringSubmatch(request)
	if strings.HasPrefix(request, "/") {
		p[1] = "GET"
	}
	w = want{host: dash(group["host"]), method: p[1], target: p[2], agent: plainAgent(dash(plainUnescape(group["agent"]))), client: client}
	w.status, _ = strconv.Atoi(strings.TrimPrefix(group["status"], "-1"))
	w.size, _ = strconv.ParseInt(group["size"], 10, 64)
	w.time = plainTime(group["time"])
	return w, nil
}

func dash(s string) string {
	if s == "-" {
		return ""
	}
	return s
}

// plainTime parses a time in any of the servers' layouts, and returns 0 for other texts.
func plainTime(s string) int64 {
	for _, layout := range []string{"02/Jan/2006:15:04:05 -0700", "02/Jan/2006:15:04:05.000", time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05.000"} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.Unix()
		}
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		for f > 1e11 {
			f /= 1000
		}
		return int64(f)
	}
	return 0
}

func (r *plainReader) readJSON(line string) (w want, err error) {
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return w, err
	}
	get := func(field string) string {
		for _, path := range strings.Fields(plainPaths[r.format][field]) {
			if v := lookup(object, strings.Split(path, ".")); v != nil {
				return fmt.Sprint(v)
			}
		}
		return ""
	}
	w = want{host: get("host"), method: get("method"), target: get("target"), agent: plainAgent(get("agent")), client: get("client"), time: plainTime(get("time"))}
	if w.method == "" {
		w.method = "GET"
	}
	w.status, _ = strconv.Atoi(get("status"))
	w.size, _ = strconv.ParseInt(get("size"), 10, 64)
	if headers, ok := object[plainPaths[r.format]["headers"]].(map[string]any); ok {
		w.class = ClassIdentity
		if v := lookup(headers, []string{"Content-Encoding"}); v != nil {
			w.class = map[string]uint8{"gzip": ClassGzip, "br": ClassBrotli, "zstd": ClassZstd}[fmt.Sprint(v)]
		}
	}
	return w, nil
}

// lookup follows a path, and returns the first value of a list.
func lookup(v any, path []string) any {
	for _, key := range path {
		o, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = o[key]
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		return list[0]
	}
	return v
}

var plainValues = regexp.MustCompile(`"(?:[^"]|"")*"|\S+`)

func (r *plainReader) readColumns(line string) (w want, err error) {
	if strings.HasPrefix(line, "#") {
		if names, ok := strings.CutPrefix(line, "#Fields:"); ok {
			r.columns = strings.Fields(names)
		}
		if date, ok := strings.CutPrefix(line, "#Date: "); ok {
			r.date = date[:10]
		}
		return w, ErrDirective
	}
	values, tabs := plainValues.FindAllString(line, -1), strings.Contains(line, "\t")
	if tabs {
		values = strings.Split(line, "\t")
	}
	if len(values) != len(r.columns) {
		return w, fmt.Errorf("%d values, %d columns", len(values), len(r.columns))
	}
	row := map[string]string{"date": r.date}
	for i, name := range r.columns {
		name = strings.TrimSuffix(strings.ToLower(name), "-local")
		if row[name] = strings.Trim(values[i], `"`); name != "cs-uri-stem" { // "-" is a target, as in a request line
			row[name] = dash(row[name])
		}
		switch {
		case tabs && (name == "cs-uri-stem" || name == "cs-uri-query" || name == "cs(user-agent)"):
			row[name], _ = url.PathUnescape(row[name])
		case values[i][0] != '"' && (name == "cs-uri-stem" || name == "cs(user-agent)"):
			row[name] = strings.ReplaceAll(row[name], "+", " ")
		}
	}
	first := func(names ...string) string {
		for _, name := range names {
			if row[name] != "" {
				return row[name]
			}
		}
		return ""
	}
	w = want{host: first("x-host-header", "cs-host", "cs(host)"), method: row["cs-method"], target: first("cs-uri-stem", "cs-uri"),
		agent: plainAgent(row["cs(user-agent)"]), client: first("c-ip"), time: plainTime(row["date"] + " " + row["time"])}
	if row["cs-uri-query"] != "" {
		w.target += "?" + row["cs-uri-query"]
	}
	if w.host == "" && strings.Contains(w.target, "/") && w.target[0] != '/' {
		w.host, w.target, _ = strings.Cut(w.target, "/")
		w.target = "/" + w.target
	}
	if w.method == "" {
		w.method = "GET"
	}
	w.status, _ = strconv.Atoi(first("sc-status", "c-status"))
	w.size, _ = strconv.ParseInt(first("sc-content-len", "sc-bytes", "bytes"), 10, 64)
	return w, nil
}

// TestFilesPlainly compares every parsed line of the files in formats with the plain
// readers.
func TestFilesPlainly(t *testing.T) {
	for _, name := range dataFiles(t) {
		if strings.HasPrefix(name, "logs") || strings.HasSuffix(name, ".tsv") {
			continue // covered by TestRealLogsOracle; extracted lines are below
		}
		t.Run(name, func(t *testing.T) { compareFile(t, readLines(t, name), strings.Contains(name, "rawquirks")) })
	}
	for _, e := range extracted(t, readLines(t, "formats/extracted_lines.tsv")) {
		compareFile(t, [][]byte{[]byte(e.Line)}, false)
	}
}

func compareFile(t *testing.T, lines [][]byte, quirks bool) {
	best, ok := Detect(lines).Best()
	if !ok {
		return
	}
	p, r := mustNew(t, best.Format.Name), &plainReader{format: best.Format.Name}
	var h Hit
	unread := 0
	for _, line := range lines {
		err := p.Parse(&h, line)
		w, plainly := r.read(string(bytes.TrimSuffix(line, []byte("\r"))))
		switch {
		case err != nil:
		case plainly != nil && quirks: // such as a request with raw quotes, which the plain readers do not read
			unread++
		case plainly != nil:
			t.Errorf("%q: read, but plainly: %v", line, plainly)
		case found(&h) != w:
			t.Errorf("%q as %s:\n got %+v\nwant %+v", line, best.Format.Name, found(&h), w)
		}
	}
	if unread*20 > len(lines) {
		t.Errorf("%d of %d lines have no plain reading", unread, len(lines))
	}
}

// found returns a hit as strings.
func found(h *Hit) want {
	return want{host: string(h.Host), method: string(h.Method), target: string(h.Target), agent: string(h.Agent),
		client: string(h.Client), status: h.Status, size: h.Size, class: h.Class, time: h.Time}
}

// TestFilesExpected compares lines of other programs' tests with the expectations of
// these tests.
func TestFilesExpected(t *testing.T) {
	compared := 0
	for _, e := range extracted(t, readLines(t, "formats/extracted_lines.tsv")) {
		var expected map[string]any
		if e.expected == "" {
			continue
		}
		if err := json.Unmarshal([]byte(strings.TrimRight(e.expected, ") \n,")), &expected); err != nil {
			t.Logf("%s: expectation is no JSON: %v", e.Source, err)
			continue
		}
		best, ok := Detect([][]byte{[]byte(e.Line)}).Best()
		if !ok {
			continue // a line of an error log
		}
		compared++
		var h Hit
		must(t, mustNew(t, best.Format.Name).Parse(&h, []byte(e.Line)))
		for _, c := range []struct {
			keys string
			got  any
		}{
			{"host client remote_addr", string(h.Client)}, {"status", float64(h.Status)}, {"agent http_user_agent", string(h.Agent)},
			{"size body_bytes_size", float64(h.Size)}, {"path", string(h.Target)}, {"method", string(h.Method)},
		} {
			for _, key := range strings.Fields(c.keys) {
				if want := expected[key]; want != nil && want != c.got {
					t.Errorf("%q: %s is %v, want %v", e.Line, key, c.got, want)
				}
			}
		}
		if at, ok := expected["timestamp"].(string); ok && plainTime(at) != h.Time {
			t.Errorf("%q: time is %d, want %s", e.Line, h.Time, at)
		}
	}
	if compared < 5 {
		t.Errorf("%d lines compared", compared)
	}
}

// plainAgent is an agent without quotes around it.
func plainAgent(agent string) string {
	if inner, ok := strings.CutPrefix(agent, `"`); ok && strings.HasSuffix(inner, `"`) {
		return dash(strings.TrimSuffix(inner, `"`))
	}
	return agent
}
