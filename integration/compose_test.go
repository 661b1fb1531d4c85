package integration

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dustbuster/sinks/admin"

	"go.yaml.in/yaml/v4"
)

const composeKey = "DUSTBUSTER_KEEP_HASH_KEY=000102030405060708090a0b0c0d0e0f"

// compose runs docker-compose over a file, which starts and builds nothing.
func compose(t testing.TB, file string, environment []string, args ...string) (string, error) {
	t.Helper()
	path := need(t, "docker-compose", "docker-compose.yml is not checked")
	none := write(t, ".env", nil) // instead of one that lies in the checkout
	cmd := exec.Command(path, append([]string{"--file", file, "--env-file", none}, args...)...)
	cmd.Dir = ".."
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "DUSTBUSTER_") }), environment...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// The compositions are such as docker-compose takes, and what they tell our program
// is such as it takes. No image is built.
func TestCompose(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"docker-compose.yml", "deploy/docker-compose.one-host.yml"} {
		out, err := compose(t, file, []string{composeKey}, "config")
		if err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
			continue
		}
		var c struct {
			Services map[string]struct {
				Image       string
				Command     []string
				Environment map[string]string
				Volumes     []string
			}
		}
		must(t, yaml.Unmarshal([]byte(out), &c))
		ours := 0
		for name, s := range c.Services {
			if s.Image != "dustbuster" {
				continue
			}
			ours++
			listens := slices.Contains(s.Command, "agent") || slices.Contains(s.Command, "run")
			if token := s.Environment["DUSTBUSTER_ADMIN_TOKEN_FILE"]; listens && s.Environment["DUSTBUSTER_ADMIN_LISTEN"] != "" &&
				(token == "" || !slices.Contains(s.Volumes, "token:"+filepath.Dir(token)+":ro")) {
				t.Errorf("%s: %s: others reach the admin listener, and the token is %q in none of %q", file, name, token, s.Volumes)
			}
			for _, args := range [][]string{append(s.Command, "--help"), {"config", "print"}} {
				cmd := exec.Command(program, args...)
				for k, v := range s.Environment {
					cmd.Env = append(cmd.Env, k+"="+v)
				}
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %s: %q: %v\n%s", file, name, args, err, out)
				}
			}
		}
		if ours == 0 {
			t.Errorf("%s: no service is ours", file)
		}
	}
}

// Without the key that agents and miners share nothing is started, and what to do
// is said.
func TestComposeWithoutKey(t *testing.T) {
	out, err := compose(t, "docker-compose.yml", nil, "config", "--quiet")
	if err == nil || !strings.Contains(out, "is not set. Make it once with openssl rand -hex 16") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The token that docker-compose.yml makes is one that our program takes, and is made once.
func TestComposeToken(t *testing.T) {
	t.Parallel()
	out, err := compose(t, "docker-compose.yml", []string{composeKey}, "config")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var c struct {
		Services struct{ Token struct{ Command []string } }
	}
	must(t, yaml.Unmarshal([]byte(out), &c))
	dir := t.TempDir()
	file := filepath.Join(dir, "admin")
	command := c.Services.Token.Command // in sh, with our folder and user
	script := strings.NewReplacer("/token/", dir+"/", "65532", strconv.Itoa(os.Getuid())).Replace(command[len(command)-1])
	var first []byte
	for range 2 {
		succeed(t, exec.Command("sh", "-c", script))
		if first == nil {
			first = readFile(t, file)
		}
	}
	if _, err := admin.ReadToken(file); err != nil || !bytes.Equal(readFile(t, file), first) {
		t.Errorf("%v; made anew: %v", err, !bytes.Equal(readFile(t, file), first))
	}
}

// The demonstrations publish their rules, which change most URLs of their site: no rule is held.
func TestComposeHoldsNothingBack(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file     string
		services []string
	}{{"docker-compose.yml", []string{"miner-1", "miner-2"}}, {"deploy/docker-compose.one-host.yml", []string{"dustbuster"}}} {
		b, err := os.ReadFile(filepath.Join("..", test.file))
		must(t, err)
		var c struct {
			Services map[string]struct{ Environment map[string]string }
		}
		must(t, yaml.Unmarshal(b, &c))
		for _, name := range test.services {
			cmd := exec.Command(program, "config", "print")
			for k, v := range c.Services[name].Environment {
				if strings.HasPrefix(k, "DUSTBUSTER_VALIDATE_") {
					cmd.Env = append(cmd.Env, k+"="+v)
				}
			}
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "hold_share: 1\n") || !strings.Contains(string(out), "fetch_kinds: any\n") {
				t.Errorf("%s: %s: %v\n%s", test.file, name, err, out)
			}
		}
	}
}
