package weblog

// s3 is the server access log of Amazon S3. The bucket counts as the host, since the bucket of
// a web site is named after its host. The fields of newer logs after the user agent are
// ignored.
var s3 = Format{
	Name:        "s3",
	Description: "Amazon S3 server access log; the bucket's name stands for the host",
	Pattern: `%{owner}n %v %t %h %{requester}n %{id}n %{operation}n %{key}n "%r" %>s %{error}n %b` +
		` %{object}n %{total}n %{turnaround}n "%{Referer}i" "%{User-Agent}i"`,
	Example: `79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be www.example.org [02/Jan/2006:15:04:05 -0700] 192.0.2.7 - 3E57427F3EXAMPLE` +
		` WEBSITE.GET.OBJECT a "GET /a?b=1 HTTP/1.1" 200 - 5120 5120 7 6 "-" "Mozilla/5.0"`,
	Size: SizeBody,
}
