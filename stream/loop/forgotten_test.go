package loop_test

import (
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/records"
)

// Clients that do not compare are missing until the last observation of them has left the window, also
// after a restart.
func TestForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := lookOptions()
		o.Miner.Table.Window, o.Miner.Table.Pane = 86400, 7200
		now := time.Now().Unix()
		batch := see(1, 1, 7, 1, "/a")
		batch.Records[0].Time = now
		batch.Forgot(now - 7200)
		dir := t.TempDir()
		store := openPane(t, dir, 7200)
		until := time.Unix(now-7200+7200+86400, 0).UTC()
		l := start(t, o, store, &recorder{})
		must(t, l.Run(t.Context(), &script{batches: []*records.Batch{batch, nil}, pause: time.Second}))
		if f := l.State().Status.Forgotten; f == nil || !f.Until.Equal(until) {
			t.Errorf("%+v, want until %v", f, until)
		}
		must(t, store.Close())
		l = start(t, o, openPane(t, dir, 7200), &recorder{})
		if f := l.State().Status.Forgotten; f == nil || !f.Until.Equal(until) {
			t.Errorf("after a restart: %+v, want until %v", f, until)
		}
		time.Sleep(25 * time.Hour)
		must(t, l.Run(t.Context(), &script{batches: []*records.Batch{nil}}))
		if l.State().Status.Forgotten != nil {
			t.Errorf("a day later: %+v", l.State().Status.Forgotten)
		}
	})
}
