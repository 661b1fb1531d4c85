// Package kubernetes tests the manifests of deploy/kubernetes: kustomize builds them, the API's schemas accept
// them, and what they tell our program is such as it takes. It is a module of its own, for kustomize. No cluster
// is needed.
package kubernetes
