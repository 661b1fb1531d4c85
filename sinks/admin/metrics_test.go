package admin

import (
	"strings"
	"sync/atomic"
	"testing"

	"dustbuster/operators/metric"
)

// Metrics are written as their packages name them, next to those of Go and the process.
func TestMetrics(t *testing.T) {
	_, _, body := get(t, local(t, show(full())), "/metrics")
	for _, want := range []string{`# HELP dustbuster_rules Rules.
# TYPE dustbuster_rules gauge
dustbuster_rules 136
`, `# HELP dustbuster_lines_total Lines.
# TYPE dustbuster_lines_total counter
dustbuster_lines_total{result="blank"} 7
dustbuster_lines_total{result="other"} 8
`, `# HELP dustbuster_lag_seconds Lag.
# TYPE dustbuster_lag_seconds gauge
dustbuster_lag_seconds{file="/a",topic="a\"b"} 1.5
`, "\ngo_goroutines ", "\nprocess_resident_memory_bytes ", "\ndustbuster_admin_streams 0\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
}

// Metrics that contradict each other are an error of the scrape, not a wrong number.
func TestMetricsThatContradict(t *testing.T) {
	one := metric.Gauge("a", "A.", 1)
	for name, other := range map[string]metric.Metric{
		"twice":       one,
		"other help":  metric.Gauge("a", "B.", 1, metric.Label{Name: "x", Value: "y"}),
		"other type":  metric.Counter("a", "A.", 1, metric.Label{Name: "x", Value: "y"}),
		"no name":     metric.Gauge("b c\xff", "B.", 1),
		"no UTF-8":    metric.Gauge("b", "B.", 1, metric.Label{Name: "x", Value: "\xff"}),
		"label twice": metric.Gauge("b", "B.", 1, metric.Label{Name: "x", Value: "y"}, metric.Label{Name: "x", Value: "z"}),
	} {
		if code, _, body := get(t, local(t, show(fixed{metrics: []metric.Metric{one, other}})), "/metrics"); code != 500 {
			t.Errorf("%s: %d %s", name, code, body)
		}
	}
}

// counted counts the calls of Metrics.
type counted struct {
	*shown
	asked atomic.Int32
}

func (c *counted) Metrics() []metric.Metric { c.asked.Add(1); return c.shown.Metrics() }

func TestScrapeLooksOnce(t *testing.T) {
	c := &counted{shown: show(full())}
	h := local(t, c)
	get(t, h, "/metrics")
	if n := c.asked.Load(); n != 1 {
		t.Errorf("one scrape asked %d times", n)
	}
}
