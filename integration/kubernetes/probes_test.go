package kubernetes

import (
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func text(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return ""
	}
	must(t, err)
	return string(b)
}

// What probes ask for is there, without a token.
func TestProbes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, token := filepath.Join(dir, "access.log"), filepath.Join(dir, "token")
	must(t, os.WriteFile(log, nil, 0o600))
	must(t, os.WriteFile(token, []byte(strings.Repeat("t", 32)), 0o600))
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := free.Addr().String()
	must(t, free.Close())
	cmd := exec.Command(program, "run", "--tail", log, "--state", filepath.Join(dir, "state"), "--admin-listen", address, "--admin-token-file", token)
	must(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	paths := map[string]bool{}
	for _, name := range all {
		_, objects := built(t, name)
		for _, o := range objects {
			for _, c := range slices.Concat(o.Spec.Template.Spec.InitContainers, o.Spec.Template.Spec.Containers) {
				for _, p := range []*probe{c.StartupProbe, c.LivenessProbe, c.ReadinessProbe} {
					if p != nil && p.HTTPGet != nil {
						paths[p.HTTPGet.Path] = p.HTTPGet.Port == "admin"
					}
				}
			}
		}
	}
	for path, ours := range paths {
		var err error
		code := 0
		for began := time.Now(); code != http.StatusOK && time.Since(began) < time.Minute; time.Sleep(50 * time.Millisecond) {
			var r *http.Response
			if r, err = http.Get("http://" + address + path); err == nil {
				code = r.StatusCode
				_ = r.Body.Close()
			}
		}
		if code != http.StatusOK || !ours {
			t.Errorf("%s: %d, %v; at the port admin: %v", path, code, err, ours)
		}
	}
	if len(paths) != 2 {
		t.Errorf("the probes are %v", paths)
	}
}

// A crawler's pod starts once the file of the rules is there and whole.
func TestSubscriberProbe(t *testing.T) {
	t.Parallel()
	_, objects := built(t, "laptop")
	probed := false
	for _, o := range objects {
		for _, c := range o.Spec.Template.Spec.InitContainers {
			if c.StartupProbe == nil {
				continue
			}
			probed = true
			for _, test := range []struct {
				content string
				want    bool
			}{{"", true}, {`{"half`, false}, {"-", false}} {
				file := filepath.Join(t.TempDir(), "rules.jsonl")
				if test.content != "-" {
					must(t, os.WriteFile(file, []byte(test.content), 0o600))
				}
				var args []string
				for _, arg := range c.StartupProbe.Exec.Command[1:] {
					args = append(args, strings.Replace(arg, "/rules/rules.jsonl", file, 1))
				}
				if out, err := exec.Command(program, args...).CombinedOutput(); (err == nil) != test.want || args[1] != "--rules="+file {
					t.Errorf("%q with a file %q: %v\n%s", args, test.content, err, out)
				}
			}
		}
	}
	if !probed {
		t.Error("no container has a probe: is the subscriber in the crawler's pod?")
	}
}

// scaling is the part of a ScaledObject that the manifests have.
type scaling struct {
	ScaleTargetRef                   map[string]string
	MinReplicaCount, MaxReplicaCount int
	PollingInterval                  int
	Advanced                         struct {
		HorizontalPodAutoscalerConfig struct{ Behavior json.RawMessage }
	}
	Triggers []struct {
		Type     string
		Metadata map[string]string
	}
}

// scaled is the ScaledObject, by its name in the cluster.
func scaled(t *testing.T) object {
	t.Helper()
	_, objects := built(t, "platform")
	i := slices.IndexFunc(objects, func(o object) bool { return o.Kind == "ScaledObject" })
	if i < 0 {
		t.Fatal("the platform has no ScaledObject")
	}
	return objects[i]
}

// autoscaler is what KEDA makes of the ScaledObject, for the schemas.
func autoscaler(t *testing.T) string {
	t.Helper()
	o := scaled(t)
	type of map[string]any
	b, err := json.Marshal(of{"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": of{"name": "keda-hpa-" + o.Metadata.Name}, "spec": of{
		"scaleTargetRef": o.Spec.ScaleTargetRef, "minReplicas": o.Spec.MinReplicaCount, "maxReplicas": o.Spec.MaxReplicaCount,
		"behavior": o.Spec.Advanced.HorizontalPodAutoscalerConfig.Behavior,
		"metrics":  []of{{"type": "External", "external": of{"metric": of{"name": "s0-kafka"}, "target": of{"type": "AverageValue", "averageValue": o.Spec.Triggers[0].Metadata["lagThreshold"]}}}}}})
	must(t, err)
	return string(b)
}

// What scales the miners names their set, their group and their topic, and has no member that we do not know.
// The set says no number of its own, which would be set back at each change of the manifests.
func TestScaling(t *testing.T) {
	t.Parallel()
	resources, _ := built(t, "platform")
	for _, r := range resources.Resources() {
		replicas, _ := r.GetFieldValue("spec.replicas")
		switch {
		case r.GetKind() == "StatefulSet" && replicas != nil:
			t.Errorf("%s has %v replicas, and a ScaledObject", r.GetName(), replicas)
		case r.GetKind() == "ScaledObject":
			text, err := r.MarshalJSON()
			must(t, err)
			var whole struct{ Spec json.RawMessage }
			must(t, json.Unmarshal(text, &whole))
			strict := json.NewDecoder(strings.NewReader(string(whole.Spec)))
			strict.DisallowUnknownFields()
			must(t, strict.Decode(&scaling{}))
		}
	}
	o := scaled(t).Spec
	if want := map[string]string{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "dustbuster-miner"}; !maps.Equal(o.ScaleTargetRef, want) {
		t.Errorf("what is scaled is %v, want %v", o.ScaleTargetRef, want)
	}
	help, err := exec.Command(program, "config", "print").CombinedOutput()
	must(t, err)
	trigger := o.Triggers[0].Metadata
	if trigger["bootstrapServersFromEnv"] != "DUSTBUSTER_KAFKA_BROKERS" || !strings.Contains(string(help), "observations: "+trigger["topic"]+"\n") || trigger["consumerGroup"] != "dustbuster" {
		t.Errorf("the trigger is %v, the settings are\n%s", trigger, help)
	}
}

// The site on a laptop logs in the format of deploy/nginx/log.conf.
func TestSiteFormat(t *testing.T) {
	t.Parallel()
	_, format, _ := strings.Cut(text(t, "../../deploy/nginx/log.conf"), "\n\n")
	if format = strings.TrimSpace(format); format == "" || !strings.Contains(text(t, filepath.Join(folder, "laptop/site.conf")), format) {
		t.Errorf("the site does not log in the format\n%s", format)
	}
}
