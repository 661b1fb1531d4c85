package miners

import (
	"errors"

	"dustbuster/operators/report"
)

// TakeReport takes in a crawler's report about a site of an owned partition. The error is
// report.ErrNoSite, report.ErrFull, or a *report.FieldError.
func (m *Member) TakeReport(r *report.Report) error {
	for _, w := range m.Workers() {
		if err := w.Report(r); !errors.Is(err, report.ErrNoSite) {
			return err
		}
	}
	return report.ErrNoSite
}
