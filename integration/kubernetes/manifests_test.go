package kubernetes

import (
	"cmp"
	"dustbuster/internal/expect"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// folder has the manifests, seen from here.
const folder = "../../deploy/kubernetes"

// program is the program under test.
var program string

func TestMain(m *testing.M) { expect.Build(m, &program) }

// must ends a test at an error.
var must = expect.NoError

// object is what the tests look at of an object of any kind.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string // of a ConfigMap
	Spec     struct {
		Template struct{ Spec pod }
		scaling
	}
}

type pod struct {
	AutomountServiceAccountToken *bool
	SecurityContext              security
	InitContainers, Containers   []container
	Volumes                      []struct {
		Name   string
		Secret *struct {
			DefaultMode int
			Items       []struct{ Key, Path string }
		}
	}
}

type security struct {
	RunAsNonRoot, ReadOnlyRootFilesystem, AllowPrivilegeEscalation *bool
	SeccompProfile                                                 struct{ Type string }
	Capabilities                                                   struct{ Drop []string }
}

type container struct {
	Name, Image string
	Args        []string
	Env         []struct {
		Name, Value string
		ValueFrom   struct{ SecretKeyRef struct{ Name, Key string } }
	}
	EnvFrom                                     []struct{ ConfigMapRef struct{ Name string } }
	Ports                                       []struct{ ContainerPort int }
	StartupProbe, LivenessProbe, ReadinessProbe *probe
	Resources                                   struct{ Limits map[string]string }
	SecurityContext                             security
	VolumeMounts                                []struct{ Name, MountPath string }
}

type probe struct {
	HTTPGet *struct{ Path, Port string }
	Exec    *struct{ Command []string }
}

// sidecar is a kustomization of the manifest that is none.
const sidecar = "resources: [../sidecar.yaml]\n"

// built are the objects of a folder.
func built(t *testing.T, name string) (resmap.ResMap, []object) {
	t.Helper()
	fs := filesys.MakeFsInMemory()
	must(t, filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return fs.WriteFile(strings.TrimPrefix(path, folder), []byte(text(t, path)))
	}))
	must(t, fs.WriteFile("/sidecar/kustomization.yaml", []byte(sidecar)))
	options := krusty.MakeDefaultOptions()
	options.LoadRestrictions = types.LoadRestrictionsNone // sidecar alone needs it
	if name != "sidecar" {
		options.LoadRestrictions = types.LoadRestrictionsRootOnly
	}
	all, err := krusty.MakeKustomizer(options).Run(fs, "/"+name)
	must(t, err)
	var objects []object
	for _, r := range all.Resources() {
		text, err := r.MarshalJSON()
		must(t, err)
		var o object
		must(t, json.Unmarshal(text, &o))
		objects = append(objects, o)
	}
	return all, objects
}

// all are the folders with everything that is needed.
var all = []string{"platform", "laptop", "sidecar"}

// The API of the oldest release that knows sidecars, and of the newest that the schemas know, accept all objects. A
// ScaledObject belongs to no release: TestScaling has it.
func TestSchemas(t *testing.T) {
	t.Parallel()
	python := validator(t)
	dir := t.TempDir()
	var files []string
	for _, name := range all {
		objects, _ := built(t, name)
		for _, r := range objects.Resources() {
			if r.GetKind() != "ScaledObject" {
				files = append(files, written(t, dir, name+"-"+r.GetKind()+"-"+r.GetName(), r.MustYaml()))
			}
		}
	}
	files = append(files, written(t, dir, "autoscaler", autoscaler(t)))
	for _, release := range []string{"1.29", "1.37"} {
		out, err := exec.Command(python, append([]string{"-m", "kubernetes_validate", "--strict", "-k", release}, files...)...).CombinedOutput()
		if passed := strings.Count(string(out), " passed for resource "); err != nil || passed != len(files) {
			t.Errorf("%s: %d of %d objects are valid: %v\n%s", release, passed, len(files), err, out)
		}
	}
}

// validator is a Python with kubernetes-validate.
func validator(t *testing.T) string {
	t.Helper()
	python := cmp.Or(os.Getenv("DUSTBUSTER_PYTHON"), "python3")
	if out, err := exec.Command(python, "-c", "import kubernetes_validate").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: %s has no kubernetes-validate (name another in DUSTBUSTER_PYTHON): the manifests are not validated\n%s", python, out)
	}
	return python
}

func written(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name+".yaml")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// What a pod tells our program is such as it takes, and its secrets, ports and tokens are there.
func TestCommands(t *testing.T) {
	t.Parallel()
	want := strings.TrimSpace(text(t, "../../VERSION"))
	for _, name := range all {
		_, objects := built(t, name)
		secrets := regexp.MustCompile(`--from-literal=([a-z-]+)=`).FindAllStringSubmatch(text(t, filepath.Join(folder, name, "kustomization.yaml")), -1)
		maps, ours := map[string]map[string]string{}, map[string]bool{}
		for _, o := range objects {
			if o.Kind == "ConfigMap" {
				maps[o.Metadata.Name] = o.Data
			}
		}
		for _, o := range objects {
			p := o.Spec.Template.Spec
			for _, c := range slices.Concat(p.InitContainers, p.Containers) {
				if !strings.Contains(c.Image, "dustbuster") {
					continue
				}
				at := fmt.Sprintf("%s: %s of %s", name, c.Name, o.Metadata.Name)
				ours[c.Args[0]] = true
				if !strings.HasSuffix(c.Image, "dustbuster:"+want) {
					t.Errorf("%s is %s, VERSION has %s: make version", at, c.Image, want)
				}
				env := map[string]string{}
				for _, from := range c.EnvFrom {
					if maps[from.ConfigMapRef.Name] == nil {
						t.Errorf("%s: there is no ConfigMap %s", at, from.ConfigMapRef.Name)
					}
					for k, v := range maps[from.ConfigMapRef.Name] {
						env[k] = v
					}
				}
				for _, v := range c.Env {
					env[v.Name] = v.Value
					if key := v.ValueFrom.SecretKeyRef.Key; key != "" {
						env[v.Name] = strings.Repeat("00", 16)
						if !slices.ContainsFunc(secrets, func(made []string) bool { return made[1] == key }) {
							t.Errorf("%s: the head of the kustomization makes no secret %s", at, key)
						}
					}
				}
				for _, args := range [][]string{append(slices.Clone(c.Args), "--help"), {"config", "print"}} {
					cmd := exec.Command(program, args...)
					for k, v := range env {
						cmd.Env = append(cmd.Env, k+"="+v)
					}
					if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "are no settings") {
						t.Errorf("%s: %q: %v\n%s", at, args, err, out)
					}
				}
				for k, v := range env {
					if strings.HasSuffix(k, "_TOKEN_FILE") && !mounted(p, c, v) {
						t.Errorf("%s: no secret is mounted as %s, the value of %s", at, v, k)
					}
				}
				if listens := env["DUSTBUSTER_ADMIN_LISTEN"]; listens != "" {
					if len(c.Ports) != 1 || !strings.HasSuffix(listens, fmt.Sprint(":", c.Ports[0].ContainerPort)) || env["DUSTBUSTER_ADMIN_TOKEN_FILE"] == "" {
						t.Errorf("%s listens on %s, its ports are %v, its token %q", at, listens, c.Ports, env["DUSTBUSTER_ADMIN_TOKEN_FILE"])
					}
				}
			}
		}
		if (name == "sidecar") == ours["agent"] || !ours["run"] || (name == "laptop") != ours["subscribe"] {
			t.Errorf("%s has the commands %v", name, ours)
		}
	}
}

// mounted reports whether a container has a secret as the file, which others than its owner's group cannot read.
func mounted(p pod, c container, file string) bool {
	dir, base := filepath.Split(file)
	for _, m := range c.VolumeMounts {
		for _, v := range p.Volumes {
			if v.Name != m.Name || m.MountPath+"/" != dir || v.Secret == nil || v.Secret.DefaultMode != 0o440 {
				continue
			}
			for _, item := range v.Secret.Items {
				if item.Path == base {
					return true
				}
			}
			return v.Secret.Items == nil // all keys
		}
	}
	return false
}

// No container of ours may do more than it needs, and each has a bound of memory.
func TestConfined(t *testing.T) {
	t.Parallel()
	yes := func(b *bool) bool { return b != nil && *b }
	for _, name := range all {
		_, objects := built(t, name)
		for _, o := range objects {
			p := o.Spec.Template.Spec
			for _, c := range slices.Concat(p.InitContainers, p.Containers) {
				at, s := fmt.Sprintf("%s: %s of %s", name, c.Name, o.Metadata.Name), c.SecurityContext
				if p.AutomountServiceAccountToken == nil || *p.AutomountServiceAccountToken {
					t.Errorf("%s has a token of the API", at)
				}
				if s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || !slices.Equal(s.Capabilities.Drop, []string{"ALL"}) || p.SecurityContext.SeccompProfile.Type != "RuntimeDefault" {
					t.Errorf("%s may gain privileges", at)
				}
				if !strings.Contains(c.Image, "dustbuster") {
					continue
				}
				if !yes(s.ReadOnlyRootFilesystem) || !yes(s.RunAsNonRoot) && !yes(p.SecurityContext.RunAsNonRoot) || c.Resources.Limits["memory"] == "" {
					t.Errorf("%s may be root, write to its own files, or take all memory", at)
				}
			}
		}
	}
}
