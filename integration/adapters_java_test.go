package integration

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// javaCrawler builds the crawlers in Java, in a copy of their folders, and returns the folder of one. Another test
// may run what stands in the folders themselves.
func (s *openShop) javaCrawler(t *testing.T, name string) string {
	t.Helper()
	for _, tool := range []string{"java", "mvn"} {
		need(t, tool, name+" does not crawl (Debian: apt-get install maven default-jdk-headless)")
	}
	examples := filepath.Join(s.dir, "integration", "examples", "java")
	if _, err := os.Stat(examples); err != nil {
		for _, dir := range []string{"sinks/appliers/java", "integration/examples/java"} {
			copyUnbuilt(t, filepath.Join("..", dir), filepath.Join(s.dir, dir))
		}
		succeed(t, exec.Command("mvn", "-q", "-B", "-f", examples, "-pl", "stormcrawler,nutch", "-am", "package", "-DskipTests"))
	}
	return filepath.Join(examples, name)
}

// copyUnbuilt copies a folder without what Maven has built in it.
func copyUnbuilt(t *testing.T, from, to string) {
	t.Helper()
	must(t, filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(to, name), text, 0o600)
		}
		if entry.Name() == "target" {
			return filepath.SkipDir
		}
		return os.MkdirAll(filepath.Join(to, name), 0o700)
	}))
}

// java runs the crawler of a folder, with more folders of classes and resources.
func java(dir string, classes []string, args ...string) *exec.Cmd {
	path := strings.Join(append(classes, "target/*", "target/lib/*"), string(filepath.ListSeparator))
	cmd := exec.Command("java", append([]string{"-Xmx512m", "-cp", path}, args...)...)
	cmd.Dir = dir
	return cmd
}

func (s *openShop) stormCrawler(t *testing.T, rules string) *exec.Cmd {
	t.Helper()
	dir, conf := s.javaCrawler(t, "stormcrawler"), t.TempDir()
	writeFile(t, filepath.Join(conf, "urlfilters.json"), fmt.Appendf(nil, `{"com.digitalpebble.stormcrawler.filtering.URLFilters": [
		{"class": "dustbuster.rules.stormcrawler.DustbusterURLFilter", "name": "dustbuster", "params": {"rules": %q, "host": %q}}]}`, rules, s.host))
	// From Java 14 on, Storm 1.2 looks up its own servers by this odd name.
	name, err := os.Hostname()
	must(t, err)
	hosts := filepath.Join(conf, "hosts")
	writeFile(t, hosts, []byte("127.0.0.1 localhost\n127.0.0.1 localhost/<unresolved>\n127.0.0.1 "+name+"\n"))
	return java(dir, []string{conf}, "-Djdk.net.hosts.file="+hosts, "example.Crawl", s.start, "0")
}

func (s *openShop) nutch(t *testing.T, rules string) *exec.Cmd {
	t.Helper()
	return java(s.javaCrawler(t, "nutch"), nil, "example.Crawl", s.start, t.TempDir(), rules, s.host, "0")
}
