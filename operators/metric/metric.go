// Package metric is the vocabulary in which a package states its counts: plain numbers with
// names. A package returns its numbers as a list; the program joins the lists of all its
// packages, and whoever writes the numbers knows none of the packages.
package metric

// Metric is one number.
type Metric struct {
	Name    string // without the name of the program; names follow the conventions of Prometheus
	Help    string // the same for all metrics of a name
	Counter bool   // the number only grows; otherwise the number is a gauge
	Labels  []Label
	Value   float64
}

// Label tells metrics of one name apart. All metrics of a name have the same label names.
// Values are names from the program itself, or paths and numbers from its configuration.
// Names of sites and rules are never values, because any client can invent such names.
type Label struct{ Name, Value string }

type number interface{ ~int | ~int64 | ~float64 }

// Counter returns a number that only grows.
func Counter[N number](name, help string, value N, labels ...Label) Metric {
	return Metric{name, help, true, labels, float64(value)}
}

// Gauge returns a number that grows and shrinks.
func Gauge[N number](name, help string, value N, labels ...Label) Metric {
	return Metric{name, help, false, labels, float64(value)}
}
