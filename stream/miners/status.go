package miners

import (
	"strconv"

	"dustbuster/operators/metric"
)

// UnservedMetric returns the result of Member.Unserved as a metric.
func UnservedMetric(n int) metric.Metric {
	return metric.Gauge("unserved_partitions", "Partitions of the topic of observations without a miner.", n)
}

// Metrics returns the state of a partition as metrics.
func (p *Partition) Metrics() []metric.Metric {
	number := metric.Label{Name: "partition", Value: strconv.Itoa(p.Partition)}
	return append(unlikeMetrics(p.Partition, &p.Unlike),
		metric.Gauge("partition_lag", "Offsets of observations that are not read yet, by partition.", max(0, p.End-p.Position), number),
		metric.Gauge("partition_hanging_offsets", "Offsets that an open transaction has blocked for a minute, by partition.", p.Hanging, number),
		metric.Counter("partition_lost_records_total", "Records deleted from the topic before they were read, by partition.", p.Lost, number),
		metric.Counter("partition_refused_observations_total", "Observations that were rejected, by partition. An unreadable record counts as one.", p.Refused, number),
		metric.Gauge("partition_deleted_offsets", "Offsets before the first record when this member took the partition over. For rules, more than 0 means that records were deleted.", p.Deleted, number, metric.Label{Name: "topic", Value: "observations"}),
		metric.Gauge("partition_deleted_offsets", "Offsets before the first record when this member took the partition over. For rules, more than 0 means that records were deleted.", p.Cut, number, metric.Label{Name: "topic", Value: "rules"}),
		metric.Counter("partition_refused_reports_total", "Reports of crawlers that were rejected, by partition.", p.Reports, number),
	)
}
