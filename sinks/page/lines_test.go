package page

import (
	"testing"

	"dustbuster/operators/window/admit"
)

// Every reason for which a line does not count has words.
func TestLineWords(t *testing.T) {
	for r := range int(admit.Reasons) {
		if LineWords[admit.Reason(r).String()] == "" {
			t.Errorf("%v has no words", admit.Reason(r))
		}
	}
}
