package params

import "dustbuster/operators/url/query"

// Rest returns a URL without a parameter, and reports whether the URL has the parameter.
// O(bytes).
func Rest(url []byte, param string) (rest []byte, has bool) { return query.Rest(url, param) }
