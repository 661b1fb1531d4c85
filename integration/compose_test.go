package integration

import (
	"os/exec"
	"testing"
)

// The composition is one that docker-compose takes. No image is built.
func TestCompose(t *testing.T) {
	compose, err := exec.LookPath("docker-compose")
	if err != nil {
		t.Skip("SKIPPED: docker-compose is not installed: docker-compose.yml is not checked")
	}
	cmd := exec.Command(compose, "--file", "docker-compose.yml", "config", "--quiet")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
