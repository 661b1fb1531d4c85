package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	alertRules = "../deploy/prometheus/dustbuster.rules.yml"
	dashboard  = "../deploy/grafana/dashboard.json"
	unchecked  = "deploy/prometheus and deploy/grafana are not checked"
)

// promtool accepts the alerts, and each alert fires when its cause is there and not before.
func TestPrometheusAlerts(t *testing.T) {
	t.Parallel()
	need(t, "prometheus", unchecked)
	need(t, "promtool", unchecked)
	rules, err := filepath.Abs(alertRules)
	must(t, err)
	hour, week := string(readFile(t, "testdata/alerts.test.yml")), string(readFile(t, "testdata/alerts_week.test.yml"))
	for _, alert := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(string(readFile(t, rules)), -1) {
		if !strings.Contains(hour+week, `alertname="`+alert[1]+`"`) {
			t.Errorf("no test makes %s fire", alert[1])
		}
	}
	commands := [][]string{{"check", "rules", "--lint-fatal", rules}}
	for _, tests := range []string{hour, week} {
		commands = append(commands, []string{"test", "rules", write(t, "alerts.yml", []byte(strings.Replace(tests, "RULES", rules, 1)))})
	}
	for _, args := range commands {
		if out, err := exec.Command("promtool", args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", args, err, out)
		}
	}
}

// expressions are the expressions of the dashboard by panel, as Grafana would send them.
func expressions(t *testing.T) map[string][]string {
	t.Helper()
	var d struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct {
				Type  string
				Query any
			}
		}
	}
	must(t, json.Unmarshal(readFile(t, dashboard), &d))
	all := map[string][]string{}
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			expr := strings.NewReplacer("$instance", ".*", "$__rate_interval", "10s", "$__range", "30s").Replace(target.Expr)
			if strings.Contains(expr, "$") {
				t.Errorf("%s: a variable that this test does not know: %s", p.Title, expr)
			}
			all[p.Title] = append(all[p.Title], expr)
		}
	}
	labels := regexp.MustCompile(`^label_values\((\w+), (\w+)\)$`)
	for _, v := range d.Templating.List {
		if query, ok := v.Query.(map[string]any); ok && v.Type == "query" {
			m := labels.FindStringSubmatch(fmt.Sprint(query["query"]))
			if m == nil {
				t.Fatalf("a variable's query is not known: %v", query)
			}
			all["variable"] = append(all["variable"], fmt.Sprintf("count by (%s) (%s)", m[2], m[1]))
		}
	}
	return all
}

// startPrometheus starts a Prometheus that scrapes a daemon as docs/admin.md says, with the
// alerts.
func startPrometheus(t *testing.T, daemon, token string) (address string) {
	t.Helper()
	dir, address := t.TempDir(), freeAddress(t)
	rules, err := filepath.Abs(alertRules)
	must(t, err)
	config := filepath.Join(dir, "prometheus.yml")
	writeFile(t, config, fmt.Appendf(nil, `global: {scrape_interval: 1s, evaluation_interval: 1s}
rule_files: [%s]
scrape_configs:
  - job_name: dustbuster
    authorization: {credentials_file: %s}
    static_configs: [{targets: [%q]}]
`, rules, token, daemon))
	launch(t, address, exec.Command("prometheus", "--config.file", config, "--storage.tsdb.path", filepath.Join(dir, "data"), "--web.listen-address", address))
	return address
}

// seriesOf returns the results of a query: its series with finite values.
func seriesOf(t *testing.T, address, query string) (series int) {
	t.Helper()
	code, text := ask(address, "/api/v1/query?query="+url.QueryEscape(query))
	if code == 0 || code == http.StatusServiceUnavailable { // it begins
		return 0
	}
	var got struct {
		Status, Error string
		Data          struct {
			Result []struct{ Value [2]any }
		}
	}
	must(t, json.Unmarshal([]byte(text), &got))
	if got.Error != "" {
		t.Fatalf("%s: %s", query, got.Error)
	}
	for _, r := range got.Data.Result {
		if value := fmt.Sprint(r.Value[1]); value != "NaN" && !strings.HasSuffix(value, "Inf") {
			series++
		}
	}
	return series
}

// Each expression of the dashboard has an answer on a real Prometheus that scrapes a real
// daemon, which tries rules. Prometheus evaluates all alerts without an error.
func TestGrafanaDashboard(t *testing.T) {
	t.Parallel()
	need(t, "prometheus", unchecked)
	need(t, "promtool", unchecked)
	_, origin, log := startLive(t)
	token := write(t, "token", []byte(strings.Repeat("0123456789abcdef", 2)))
	must(t, os.Chmod(token, 0o600))
	d := trier(t, origin, log, t.TempDir(), "--admin-token-file", token)
	address := startPrometheus(t, d.admin, token)
	const held = `count_over_time(dustbuster_held_updates[20s]) > 3 and dustbuster_held_updates > 0 and dustbuster_valid_rules > 0`
	await(t, 2*patience, held, func() (int, bool) { n := seriesOf(t, address, held); return n, n > 0 }, d)
	n := 0
	for title, all := range expressions(t) {
		for _, expr := range all {
			if n++; seriesOf(t, address, expr) == 0 {
				t.Errorf("%s: an empty answer to %s", title, expr)
			}
		}
	}
	if n < 20 {
		t.Errorf("%d expressions", n)
	}
	if seriesOf(t, address, `dustbuster_no_such_metric`) != 0 {
		t.Error("anything has an answer")
	}
	_, text := ask(address, "/api/v1/rules")
	var rules struct {
		Data struct {
			Groups []struct {
				Rules []struct{ Name, Health, LastError string }
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &rules); err != nil || len(rules.Data.Groups) != 1 {
		t.Fatal(err, rules)
	}
	for _, r := range rules.Data.Groups[0].Rules {
		if r.Health != "ok" {
			t.Errorf("%s: %s: %s", r.Name, r.Health, r.LastError)
		}
	}
}
