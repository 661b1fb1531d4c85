package kubernetes

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"sigs.k8s.io/yaml"
)

var rewriteChart = flag.Bool("rewrite-chart", false, "write the templates of the chart anew from the bases")

// chart is the folder of the chart of Helm.
const chart = "../../deploy/helm/dustbuster"

// template is a template of the chart: a base of kustomize, in which each first text has become the second.
type template struct {
	name, base string
	edits      []string
}

const (
	image    = "image: dustbuster:VERSION"
	imageNow = `image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"`
	// Pods start anew when the settings change.
	labels = "    metadata:\n      labels: *labels\n"
	marked = labels + "      annotations: {settings: {{ toJson .Values.settings | sha256sum }}}\n"
	secret = "secretKeyRef: {name: dustbuster,"
	named  = "secretKeyRef: {name: {{ .Values.secret }},"
	mount  = "secretName: dustbuster\n"
	mounts = "secretName: {{ .Values.secret }}\n"
)

var templates = []template{
	{"agent.yaml", "agent/daemonset.yaml", []string{image, imageNow, labels, marked, secret, named, mount, mounts,
		"--tail=/var/log/pods/*/nginx/*.log # NAMESPACE_POD_UID/CONTAINER/N.log", "--tail={{ .Values.agent.tail }}",
		"            requests: {cpu: 50m, memory: 128Mi}\n            limits: {memory: 256Mi}\n", "            {{- toYaml .Values.agent.resources | nindent 12 }}\n"}},
	{"miners.yaml", "miners/statefulset.yaml", []string{image, imageNow, labels, marked, secret, named, mount, mounts,
		"  replicas: 2\n", "  {{- if not .Values.keda.enabled }}\n  replicas: {{ .Values.miners.replicas }}\n  {{- end }}\n",
		"            requests: {cpu: 500m, memory: 1Gi}\n            limits: {memory: 2Gi}\n", "            {{- toYaml .Values.miners.resources | nindent 12 }}\n"}},
	{"lag.yaml", "lag/scaledobject.yaml", []string{"minReplicaCount: 2", "minReplicaCount: {{ .Values.keda.least }}", "maxReplicaCount: 24", "maxReplicaCount: {{ .Values.keda.most }}"}},
}

// under are the values that switch a whole template.
var under = map[string]string{"agent.yaml": "agent", "lag.yaml": "keda"}

// The templates of the chart are the bases of kustomize, with values in them.
func TestChartTemplates(t *testing.T) {
	t.Parallel()
	version := strings.TrimSpace(text(t, "../../VERSION"))
	for _, of := range templates {
		want := text(t, filepath.Join(folder, of.base))
		for i := 0; i < len(of.edits); i += 2 {
			from := strings.ReplaceAll(of.edits[i], "VERSION", version)
			if !strings.Contains(want, from) {
				t.Errorf("%s: no %q in %s", of.name, from, of.base)
			}
			want = strings.ReplaceAll(want, from, of.edits[i+1])
		}
		want = "# Made from deploy/kubernetes/" + of.base + " by: go test . -run Chart -rewrite-chart\n" + want
		if value := under[of.name]; value != "" {
			want = "{{- if .Values." + value + ".enabled }}\n" + want + "{{- end }}\n"
		}
		path := filepath.Join(chart, "templates", of.name)
		if *rewriteChart {
			must(t, os.WriteFile(path, []byte(want), 0o644))
		}
		if text(t, path) != want {
			t.Errorf("%s differs from %s: run go test . -run Chart -rewrite-chart", of.name, of.base)
		}
	}
}

// rendered are the objects of the chart by kind and name.
func rendered(t *testing.T, values string) map[string]map[string]any {
	t.Helper()
	c, err := loader.Load(chart)
	must(t, err)
	given, err := chartutil.ReadValues([]byte(values))
	must(t, err)
	all, err := chartutil.ToRenderValues(c, given, chartutil.ReleaseOptions{Name: "d", Namespace: "dustbuster"}, nil)
	must(t, err)
	files, err := engine.Render(c, all)
	must(t, err)
	objects := map[string]map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for piece := range strings.SplitSeq(files[name], "\n---\n") {
			var o map[string]any
			must(t, yaml.UnmarshalStrict([]byte(piece), &o))
			if o != nil {
				objects[key(o)] = o
			}
		}
	}
	return objects
}

func key(o map[string]any) string {
	return o["kind"].(string) + " " + strings.TrimSuffix(o["metadata"].(map[string]any)["name"].(string), configHash(o))
}

// configHash is what kustomize appends to the name of a ConfigMap.
func configHash(o map[string]any) string {
	if name := o["metadata"].(map[string]any)["name"].(string); o["kind"] == "ConfigMap" {
		return strings.TrimPrefix(name, "dustbuster")
	}
	return ""
}

// With its own values, the chart makes what kustomize makes of the platform, but for the namespace, which Helm
// gives, and for how pods learn of new settings.
func TestChartIsPlatform(t *testing.T) {
	t.Parallel()
	resources, _ := built(t, "platform")
	want, suffix := map[string]map[string]any{}, ""
	for _, r := range resources.Resources() {
		var o map[string]any
		must(t, yaml.Unmarshal([]byte(r.MustYaml()), &o))
		suffix += configHash(o)
		want[key(o)] = o
	}
	got := rendered(t, "")
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Fatalf("the chart has %v\nthe platform has %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	for name, o := range got {
		delete(want[name]["metadata"].(map[string]any), "namespace")
		spec, _ := o["spec"].(map[string]any) // of a ConfigMap, nil
		if template, ok := spec["template"].(map[string]any); ok {
			delete(template["metadata"].(map[string]any), "annotations")
		}
		a, err := json.Marshal(o)
		must(t, err)
		b, err := json.Marshal(want[name])
		must(t, err)
		if g, w := string(a), strings.ReplaceAll(string(b), `"dustbuster`+suffix+`"`, `"dustbuster"`); g != w {
			t.Errorf("%s of the chart is\n%s\nof the platform\n%s", name, g, w)
		}
	}
}

// Helm finds nothing wrong, values say what they are to say, and the API accepts the objects.
func TestChart(t *testing.T) {
	t.Parallel()
	linted := lint.All(chart, nil, "dustbuster", true)
	for _, m := range linted.Messages {
		if m.Severity > 1 { // an icon is only recommended
			t.Error(m)
		}
	}
	const values = `{image: {repository: r.example/d, tag: "7"}, secret: other, settings: {A: b}, agent: {tail: /l}, keda: {enabled: false}, miners: {replicas: 5, resources: {limits: {memory: 9Gi}}}}`
	dir := t.TempDir()
	var files []string
	objects := rendered(t, values)
	for name, o := range objects {
		b, err := yaml.Marshal(o)
		must(t, err)
		files = append(files, written(t, dir, strings.ReplaceAll(name, " ", "-"), string(b)))
	}
	all := text(t, filepath.Join(dir, "StatefulSet-dustbuster-miner.yaml"))
	for _, want := range []string{"image: r.example/d:7", "replicas: 5", "memory: 9Gi", "secretName: other", "name: other"} {
		if !strings.Contains(all, want) {
			t.Errorf("the miners lack %q:\n%s", want, all)
		}
	}
	if all := text(t, filepath.Join(dir, "DaemonSet-dustbuster-agent.yaml")); !strings.Contains(all, "--tail=/l") || len(objects) != 5 {
		t.Errorf("%v, and the agents\n%s", slices.Sorted(maps.Keys(objects)), all)
	}
	if len(rendered(t, "agent: {enabled: false}")) != 5 {
		t.Error("agents that are switched off are there")
	}
	python := validator(t)
	out, err := exec.Command(python, append([]string{"-m", "kubernetes_validate", "--strict", "-k", "1.37"}, files...)...).CombinedOutput()
	if passed := strings.Count(string(out), " passed for resource "); err != nil || passed != len(files) {
		t.Errorf("%d of %d objects are valid: %v\n%s", passed, len(files), err, out)
	}
}
