package weblog

// alb is the access log of AWS Application Load Balancers. Fields after the user agent
// are ignored.
var alb = Format{
	Name:        "alb",
	Description: "AWS Application Load Balancer",
	Pattern: `$skip $time_iso8601 $skip $remote_addr:$remote_port $skip $skip $skip $skip $status_loose $skip $skip $bytes_sent` +
		` "$request" "$http_user_agent" $skip $skip $skip`,
	Example: `https 2006-01-02T22:04:05.123456Z app/my-loadbalancer/50dc6c495c0c9188 192.0.2.7:51234 192.0.2.80:80 0.000 0.003 0.000 200 200 412 5120` +
		` "GET https://www.example.org:443/a?b=1 HTTP/1.1" "Mozilla/5.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:target`,
	plausible: hasClient,
}

func hasClient(h *Hit, _ []byte) bool { return len(h.Client) > 0 }
