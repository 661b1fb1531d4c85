package admin

import (
	"net/http"
	"slices"
)

// rulesPath is the path that pages of other origins may read.
const rulesPath = "/api/v1/rules"

// share lets the pages of allowed origins read the rules (CORS). done is true if the request
// was a browser's question whether it may ask, which needs no token. A cookie does not count in
// requests by such pages: a page shows a token, or there is none.
func (d *door) share(w http.ResponseWriter, r *http.Request) (done bool) {
	if r.URL.Path != rulesPath || len(d.origins) == 0 {
		return false
	}
	h, origin := w.Header(), r.Header.Get("Origin")
	h.Add("Vary", "Origin")
	if !slices.Contains(d.origins, origin) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "ETag")
	if r.Method != http.MethodOptions {
		return false
	}
	h.Set("Access-Control-Allow-Methods", http.MethodGet)
	h.Set("Access-Control-Allow-Headers", "Authorization, If-None-Match")
	h.Set("Access-Control-Max-Age", "600") // seconds
	w.WriteHeader(http.StatusNoContent)
	return true
}
