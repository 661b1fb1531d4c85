package weblog

// googleStorage is the usage log of Google Cloud Storage: CSV, with a line of names
// before the records. The bucket is part of the URL or, for web sites, the host.
var googleStorage = Format{
	Name:        "google_storage",
	Description: "Google Cloud Storage usage log (CSV)",
	Pattern: `"$msec","$remote_addr","$skip","$skip","$request_method","$request_uri","$status","$skip","$bytes_sent","$skip",` +
		`"$host","$http_referer","$http_user_agent","$skip","$skip","$skip","$skip"`,
	Example: `"1136239445123456","192.0.2.7","1","","GET","/a?b=1","200","0","5120","3000",` +
		`"www.example.org","","Mozilla/5.0","AAANsUkQfY","GET_Object","www.example.org","a"`,
	Size:     SizeUnknown,
	SizeNote: "The field is sc_bytes. Its documentation says only: the bytes sent in the response.",
	escaping: &doubled,
	header:   `"time_micros",`,
}
