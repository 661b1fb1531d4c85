package weblog

// ingressHAProxy is the default of HAProxy's own Kubernetes ingress controller.
var ingressHAProxy = Format{
	Name:        "ingress_haproxy",
	Description: "HAProxy Kubernetes Ingress Controller's default: method, host and path in the request's place",
	Pattern:     haproxyHead + `"$request_method $host$uri $server_protocol"`,
	Example:     haproxyExample + `"GET www.example.org/a HTTP/1.1"`,
	SizeNote:    haproxyCut + haproxyZone + " The default omits the queries, so URLs differ by their paths only: log %HU instead of %[var(txn.base)].",
	escaping:    &hashed,
	plausible: func(h *Hit, _ []byte) bool {
		return len(h.Client) > 0 && len(h.Host) > 0 && h.Host[len(h.Host)-1] != ':'
	},
}
