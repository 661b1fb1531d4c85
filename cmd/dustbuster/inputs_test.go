package main

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// A path without a log causes a warning.
func TestWarnOfNone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "access.log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(dir, "acess.log")
	core, seen := observer.New(zap.WarnLevel)
	warnOfNone([]string{filepath.Join(dir, "access.log"), filepath.Join(dir, "*.log"), none}, zap.New(core))
	if all := seen.All(); len(all) != 1 || all[0].ContextMap()["path"] != none {
		t.Errorf("told %v", all)
	}
}
