package weblog

// cloudfront is Amazon CloudFront's standard log, W3C extended with tabs.
var cloudfront = Format{
	Name:        "cloudfront",
	Description: "Amazon CloudFront's standard log (W3C extended with tabs)",
	Example: "2006-01-02\t22:04:05\tFRA2\t5489\t192.0.2.7\tGET\td111111abcdef8.cloudfront.net\t/a\t200\t-\tMozilla/5.0%20(X11)\tb=1\t-\tHit\t" +
		"MRVMF7KydIvxMWfJIglgwHQwZsbG2IhRJ07sn9AkKUFSHS9EXAMPLE==\twww.example.org\thttps\t217\t0.001\t-\tTLSv1.3\tTLS_AES_128_GCM_SHA256\tHit\tHTTP/2.0\t" +
		"-\t-\t51234\t0.001\tHit\ttext/html\t5120\t-\t-",
	SizeNote: "If sc-content-len is logged (not for responses sent in chunks), the size is sc-content-len: the body, without headers.",
	scanner:  func() scanner { return newColumns(cloudfrontFields, true) },
}
