package integration

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// javaApplier is the applier in Java, which follows a topic with kafka-clients.
func javaApplier(t *testing.T, source string) *exec.Cmd {
	t.Helper()
	for _, tool := range []string{"java", "mvn"} {
		need(t, tool, "the applier in Java does not follow a topic (Debian: apt-get install maven default-jdk-headless)")
	}
	must(t, packJava())
	target := filepath.Join("..", "sinks", "appliers", "java", "kafka", "target")
	path := strings.Join([]string{filepath.Join(target, "*"), filepath.Join(target, "lib", "*")}, string(filepath.ListSeparator))
	return exec.Command("java", "-Xmx128m", "-cp", path, "dustbuster.rules.kafka.Main", "canon", "--rules", source)
}

// The applier in Java holds the owner's set as well.
func TestJavaApplierOnKafka(t *testing.T) {
	t.Parallel()
	followsOwners(t, javaApplier)
}
