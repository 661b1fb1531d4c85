package admin

import (
	"net/http"

	"dustbuster/operators/metric"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics answers a scrape with one look at the program's metrics.
func metrics(of func() []metric.Metric, d *door) http.Handler {
	all := prometheus.NewRegistry()
	all.MustRegister(collector(of), d.refused, d.streams.gauge(), d.connections.gauge(),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return promhttp.HandlerFor(all, promhttp.HandlerOpts{MaxRequestsInFlight: 8})
}

// collector writes lists of metrics for Prometheus.
type collector func() []metric.Metric

// Describe sends nothing: only a look at the metrics shows their names. The registry then
// checks each scrape.
func (c collector) Describe(chan<- *prometheus.Desc) {}

// Collect looks at the metrics once.
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
