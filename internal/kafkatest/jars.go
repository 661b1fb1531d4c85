package kafkatest

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

//go:embed pom.xml server.properties log4j2.properties
var files embed.FS

// copier is pinned: the plugin that Maven would choose changes with its version.
const copier = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"

// jars returns the folder of Kafka's jars. The first call fetches them.
func jars(t testing.TB) string {
	t.Helper()
	if os.Getenv(wanted) == "" {
		t.Skipf("NO KAFKA TEST RUNS: set %s=1 to have a real Kafka started (it needs Java and Maven, and fetches 44 MB once), or name running brokers in %s", wanted, environment)
	}
	for _, tool := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NO KAFKA TEST RUNS: %s is missing (Debian: apt-get install maven default-jdk-headless), or name running brokers in %s", tool, environment)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("NO KAFKA TEST RUNS: no folder to keep its jars in: %v", err)
	}
	pom, err := files.ReadFile("pom.xml")
	if err != nil {
		t.Fatal(err)
	}
	libs := filepath.Join(cache, "dustbuster", fmt.Sprintf("kafka-%x", sum(pom)))
	if err := fetchJars(libs, pom); err != nil {
		t.Fatalf("fetch Kafka's jars with Maven: %v", err)
	}
	return libs
}

func fetchJars(libs string, pom []byte) error {
	if err := os.MkdirAll(filepath.Dir(libs), 0o755); err != nil {
		return err
	}
	lock, err := os.Create(libs + ".lock") // other packages' tests fetch at the same time
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := hold(lock); err != nil {
		return err
	}
	if _, err := os.Stat(libs); err == nil {
		return nil
	}
	work, err := os.MkdirTemp(filepath.Dir(libs), "fetch")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.WriteFile(filepath.Join(work, "pom.xml"), pom, 0o644); err != nil {
		return err
	}
	mvn := exec.Command("mvn", "-q", "-B", "-f", filepath.Join(work, "pom.xml"), copier,
		"-DincludeScope=runtime", "-DoutputDirectory="+filepath.Join(work, "jars"))
	if out, err := mvn.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return os.Rename(filepath.Join(work, "jars"), libs)
}
