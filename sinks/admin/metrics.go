package admin

import (
	"net/http"
	"sync"

	"dustbuster/operators/metric"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics answers a scrape with one look at the program's metrics.
func metrics(of func() []metric.Metric, d *door) http.Handler {
	all := prometheus.NewRegistry()
	all.MustRegister(collector(of), d.refused,
		gauge("streams", "Streams of changes that are open.", &d.streams.mu, func() int { return d.streams.all }),
		gauge("connections", "Open connections to this listener.", &d.connections.mu, func() int { return len(d.connections.open) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(all, promhttp.HandlerOpts{MaxRequestsInFlight: 8})
}

// gauge is a number that a lock guards.
func gauge(name, help string, mu *sync.Mutex, number func() int) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "dustbuster_admin_" + name, Help: help}, func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return float64(number())
	})
}

// collector writes lists of metrics for Prometheus.
type collector func() []metric.Metric

// Describe sends nothing: only a look at the metrics shows their names. The registry then
// checks each scrape.
func (c collector) Describe(chan<- *prometheus.Desc) {}

func (c collector) Collect(out chan<- prometheus.Metric) {
	for _, m := range c() {
		kind := prometheus.GaugeValue
		if m.Counter {
			kind = prometheus.CounterValue
		}
		var names, values []string
		for _, l := range m.Labels {
			names, values = append(names, l.Name), append(values, l.Value)
		}
		made, err := prometheus.NewConstMetric(prometheus.NewDesc("dustbuster_"+m.Name, m.Help, names, nil), kind, m.Value, values...)
		if err != nil {
			made = prometheus.NewInvalidMetric(prometheus.NewInvalidDesc(err), err)
		}
		out <- made
	}
}
