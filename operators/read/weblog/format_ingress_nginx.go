package weblog

// ingressNginx is the default of Kubernetes' ingress-nginx.
var ingressNginx = Format{
	Name:        "ingress_nginx",
	Description: "Kubernetes ingress-nginx's default: combined and what its upstreams did",
	Pattern: `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"` +
		` $request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name] $upstream_addr` +
		` $upstream_response_length $upstream_response_time $upstream_status $req_id`,
	Example: combined.Example + ` 412 0.003 [shop-web-80] [] 192.0.2.80:8080 5120 0.003 200 752178adb17130b291aefd8c386279e7`,
}
