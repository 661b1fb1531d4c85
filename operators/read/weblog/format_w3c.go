package weblog

// w3c is the W3C's extended log file format, which IIS writes.
var w3c = Format{
	Name:        "w3c",
	Description: "W3C extended: a #Fields line names the columns, and may come again (IIS; NetScaler, Incapsula, ...)",
	Example:     `2006-01-02 22:04:05 192.0.2.80 GET /a b=1 443 - 192.0.2.7 Mozilla/5.0+(Windows+NT+10.0) - 200 0 0 15`,
	SizeNote: "IIS does not log sc-bytes by default. A '+' in cs-uri-stem is read as a blank, as written by IIS. " +
		"Lines without a #Fields line before them are read with IIS's default columns. To name other columns, give the #Fields line as the format.",
	scanner: func() scanner { return newColumns(iisFields, false) },
}

// The default columns of logs without a #Fields line.
const (
	iisFields = " date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer)" +
		" sc-status sc-substatus sc-win32-status time-taken"
	cloudfrontFields = " date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer)" +
		" cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes" +
		" time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status" +
		" fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len" +
		" sc-range-start sc-range-end"
)
