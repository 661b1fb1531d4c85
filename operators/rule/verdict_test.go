package rule

import "testing"

func TestControlsJoin(t *testing.T) {
	a, b := Control{Mixed: 9, Quantile: 0.95}, Control{Mixed: 3, Equal: 3, Quantile: 0.2, Strict: true}
	if got, want := a.Join(b), (Control{Mixed: 9, Equal: 3, Quantile: 0.95, Strict: true}); got != want || b.Join(a) != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
