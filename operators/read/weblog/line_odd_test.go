package weblog

import (
	"strings"
	"testing"
)

// TestQuickAtOddSeparators: custom formats may have a separator that may also be part of
// a value.
func TestQuickAtOddSeparators(t *testing.T) {
	for _, c := range []struct{ format, line string }{
		{`$remote_addr-$host "$request" $status`, `--x "GET / HTTP/1.1" 200`},
		{`$remote_addr-$host "$request" $status`, `192.0.2.7-x "GET / HTTP/1.1" 200`},
		{`"$request" ${status_loose}1$host`, `"GET / HTTP/1.1" 2001x`},
		{`"$request" $status ${body_bytes_sent}0$host`, `"GET / HTTP/1.1" 200 11111111111111111101x`},
		{`"$request" $status ${body_bytes_sent}-$host`, `"GET / HTTP/1.1" 200 --x`},
	} {
		checkInvariants(t, c.format, []byte(c.line))
	}
}

// TestErrorsSayWhatIsWanted: an error names the expectation, for every way of reading a
// field.
func TestErrorsSayWhatIsWanted(t *testing.T) {
	checkInvariants(t, `{"r":"$request_whole","s":"$status"}`, []byte(`{"r":"GET /cut","s":"200"}`))
}

// TestBufferOfEncodedColumns: values that CloudFront encodes are copied once, with tabs
// or, after an export, with blanks between values, and '+' is not a blank.
func TestBufferOfEncodedColumns(t *testing.T) {
	p := mustNew(t, "w3c")
	var h Hit
	_ = p.Parse(&h, []byte("#Fields: x-edge-location cs-uri-stem sc-status cs-uri-query"))
	line := []byte("x /%7E" + strings.Repeat("+", 100) + " 200 b")
	if err := p.Parse(&h, line); err != nil || string(h.Target) != "/~"+strings.Repeat("+", 100)+"?b" {
		t.Fatalf("%q, %v", h.Target, err)
	}
	checkBounds(t, p, &h, line)
}
