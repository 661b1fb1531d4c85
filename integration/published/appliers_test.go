package published

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// packed builds the packages of an applier from the copy, and returns their folder.
func packed(t *testing.T, language string, tools ...string) string {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: needs %s: the packages in %s are not built (make deps, make tools)", tool, language)
		}
	}
	to := filepath.Join(scratch, "packages", language)
	shell{t, copied(t), []string{"PYTHON=" + python, "MAVEN_ARGS=" + mavenArgs(t, language)}}.run("", "sh", "sinks/appliers/pack.sh", to, language)
	return to
}

// empty returns a folder with the list and a program.
func empty(t *testing.T, program, text string) shell {
	t.Helper()
	s := shell{t, t.TempDir(), nil}
	s.write("rules.jsonl", list)
	s.write(program, text)
	return s
}

// conforms gives an installed command of an applier all conformance cases.
func conforms(t *testing.T, s shell, command ...string) {
	t.Helper()
	var in bytes.Buffer
	var forms []string
	for _, file := range []string{"by-hand", "cases", "lists"} {
		f, err := os.Open("../../docs/conformance/" + file + ".jsonl")
		must(t, err)
		defer f.Close()
		for lines := bufio.NewReader(f); ; {
			line, err := lines.ReadBytes('\n')
			if len(line) == 0 {
				break
			}
			must(t, err)
			asked, form, ok := conformanceCase(t, line)
			if ok {
				in.WriteString(asked + "\n")
				forms = append(forms, form)
			}
		}
	}
	got := strings.Split(strings.TrimSuffix(s.run(in.String(), append(command, "lists", "--two-labels")...), "\n"), "\n")
	if len(got) != len(forms) || len(got) < 1500 {
		t.Fatalf("%d answers to %d cases", len(got), len(forms))
	}
	for i := range got {
		if got[i] != forms[i] {
			t.Errorf("case %d becomes %q, want %q", i, got[i], forms[i])
		}
	}
	t.Logf("%d cases", len(got))
}

// conformanceCase returns a case as a line of the command lists, and the answer; false if the
// line cannot hold a URL of the case, or the host that its reader names.
func conformanceCase(t *testing.T, text []byte) (line, answer string, ok bool) {
	t.Helper()
	var c struct {
		Rules                        []json.RawMessage
		Host                         string
		List, Base64, URL, Canonical string
		URLs, Forms                  []string
		Refused                      bool
	}
	must(t, json.Unmarshal(text, &c))
	if c.Host != "" {
		return "", "", false
	}
	if c.Rules != nil {
		c.List, c.URLs, c.Forms = string(bytes.Join(asBytes(c.Rules), []byte("\n"))), []string{c.URL}, []string{c.Canonical}
	}
	for _, url := range c.URLs {
		if strings.ContainsAny(url, "\r\n\t") {
			return "", "", false
		}
	}
	if answer = strings.Join(c.Forms, "\t"); c.Refused {
		answer = "refused"
	}
	return cmp.Or(c.Base64, base64.StdEncoding.EncodeToString([]byte(c.List))) + "\t" + strings.Join(c.URLs, "\t"), answer, true
}

func asBytes(messages []json.RawMessage) (all [][]byte) {
	for _, m := range messages {
		all = append(all, m)
	}
	return all
}

// python is a Python with the modules build and twine, as make deps puts it there.
var python = cmp.Or(os.Getenv("DUSTBUSTER_PYTHON"), "python3")

func TestPython(t *testing.T) {
	if err := exec.Command(python, "-c", "import build, twine, mypy").Run(); err != nil {
		t.Skip("SKIPPED: needs the modules build, twine and mypy: the packages in python are not built (make deps)")
	}
	packages := packed(t, "python", python)
	s := empty(t, "crawler.py", `import sys

from dustbuster_rules import follow

rules = follow("rules.jsonl")
for line in sys.stdin:
    key: str = rules.canonical(line.rstrip("\n"))
    print(key)
`)
	s.run("", python, "-m", "venv", "here")
	wheel := filepath.Join(packages, "dustbuster_rules-"+version()+"-py3-none-any.whl")
	installed := filepath.Join(s.dir, "here", "bin", "python")
	s.run("", installed, "-m", "pip", "install", "--quiet", "--no-index", wheel)
	if got := s.run(urls, installed, "crawler.py"); got != want {
		t.Errorf("the crawler prints %q, want %q", got, want)
	}
	conforms(t, s, installed, "-m", "dustbuster_rules")
	s.run("", python, "-m", "mypy", "--strict", "--python-executable", installed, "crawler.py") // the types are part of the package
	// The source distribution has its tests and all that they need.
	s.run("", "tar", "-xf", strings.Replace(wheel, "-py3-none-any.whl", ".tar.gz", 1))
	s.dir = filepath.Join(s.dir, "dustbuster_rules-"+version())
	must(t, os.RemoveAll(filepath.Join(s.dir, "dustbuster_rules"))) // the installed one is tested
	s.run("", installed, "-m", "unittest", "tests.test_conformance", "tests.test_sites", "tests.test_random")
}

func TestJavaScript(t *testing.T) {
	packages := packed(t, "javascript", "node", "npm")
	s := empty(t, "crawler.mjs", `import { createInterface } from "node:readline";
import { Live, open } from "dustbuster-rules";

const live = new Live();
await open(live, "rules.jsonl");
for await (const url of createInterface({ input: process.stdin })) console.log(live.ask(url).canonical);
`)
	s.write("package.json", `{"private": true}`)
	tarball := filepath.Join(packages, "dustbuster-rules-"+version()+".tgz")
	s.run("", "npm", "install", "--silent", "--offline", tarball)
	if got := s.run(urls, "node", "crawler.mjs"); got != want {
		t.Errorf("the crawler prints %q, want %q", got, want)
	}
	conforms(t, s, filepath.Join("node_modules", ".bin", "dustbuster-canon"))
	out := s.run("", "npm", "publish", "--dry-run", "--offline", "--json", tarball)
	for _, file := range []string{"LICENSE", "README.md", "index.d.mts", "index.mjs"} {
		if !strings.Contains(out, `"path": "`+file+`"`) {
			t.Errorf("the package lacks %s: %s", file, out)
		}
	}
	// The types name all that the module exports, and nothing else.
	tsc, err := filepath.Abs("../../bin/tsc/node_modules/typescript/bin/tsc")
	must(t, err)
	if _, err := os.Stat(tsc); err != nil {
		t.Skip("SKIPPED: needs TypeScript: the types are not compiled (make deps)")
	}
	s.write("types.mts", `import * as all from "dustbuster-rules";
const live: all.Live = new all.Live({ share: 4, domain: (host: string) => host });
const asked: { canonical: string; explore: boolean } = live.ask("http://h/");
void all.follow(live, "rules.jsonl", { every: 1000, failed: (error: Error) => { throw error; } });
export const names: Record<keyof typeof all, true> = { Live: true, Rules: true, follow: true, isExplored: true, open: true };
export { asked };
`)
	s.run("", "node", tsc, "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom", "types.mts")
	if got := s.run("", "node", "-p", `import("dustbuster-rules").then((m) => console.log(Object.keys(m).sort().join()))`); !strings.Contains(got, "Live,Rules,follow,isExplored,open\n") {
		t.Errorf("the module exports %s", got)
	}
}

// mavenArgs are arguments for Maven: a store of its own, which begins as a copy of this machine's, so that
// nothing of the copied project stays on the machine.
func mavenArgs(t *testing.T, language string) string {
	t.Helper()
	if language != "java" {
		return ""
	}
	store := filepath.Join(scratch, "m2")
	if _, err := os.Stat(store); err != nil {
		must(t, os.MkdirAll(store, 0o755))
		home, err := os.UserHomeDir()
		must(t, err)
		if here := filepath.Join(home, ".m2", "repository"); exec.Command("test", "-d", here).Run() == nil {
			shell{t, ".", nil}.run("", "cp", "-a", here+"/.", store)
		}
	}
	return "-Dmaven.repo.local=" + store
}

func TestJava(t *testing.T) {
	packages := packed(t, "java", "java", "mvn")
	s := empty(t, "src/main/java/Crawler.java", `import dustbuster.rules.Follower;
import dustbuster.rules.Live;
import java.io.BufferedReader;
import java.io.InputStreamReader;

public class Crawler {
    public static void main(String[] args) throws Exception {
        Live live = new Live();
        new Follower(live, "rules.jsonl", null, null).poll();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String url; (url = in.readLine()) != null; ) {
            System.out.println(live.canonical(url));
        }
    }
}
`)
	s.write("pom.xml", `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example.crawler</groupId>
  <artifactId>crawler</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories>
    <repository>
      <id>packages</id>
      <url>file://`+filepath.Join(packages, "maven")+`</url>
    </repository>
  </repositories>
  <dependencies>
    <dependency>
      <groupId>example.dust.team</groupId>
      <artifactId>dustbuster-rules</artifactId>
      <version>`+version()+`</version>
    </dependency>
  </dependencies>
</project>
`)
	// The compiler and the copier of libraries are the project's own, which are on the machine.
	s.run("", "mvn", "-q", "-B", mavenArgs(t, "java"), "org.apache.maven.plugins:maven-compiler-plugin:3.13.0:compile", "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies")
	library := filepath.Join("target", "dependency", "dustbuster-rules-"+version()+".jar")
	if got := s.run(urls, "java", "-cp", filepath.Join("target", "classes")+":"+library, "Crawler"); got != want {
		t.Errorf("the crawler prints %q, want %q", got, want)
	}
	conforms(t, s, "java", "-jar", library)
	if got := s.run("", "jar", "-tf", library); !strings.Contains(got, "META-INF/LICENSE\n") {
		t.Errorf("the library lacks the licence: %s", got)
	}
	for _, part := range []string{"-sources.jar", "-javadoc.jar", ".pom"} {
		if _, err := os.Stat(filepath.Join(packages, "maven", "example", "dust", "team", "dustbuster-rules", version(), "dustbuster-rules-"+version()+part)); err != nil {
			t.Error(err)
		}
	}
	// The sources have their tests and all that these need.
	s.run("", "tar", "-xf", filepath.Join(packages, "dustbuster-rules-java-"+version()+".tar.gz"))
	s.run("", "mvn", "-q", "-B", mavenArgs(t, "java"), "-f", "dustbuster-rules-java-"+version(), "-pl", "core", "test", "-Dtest=ConformanceTest")
}
