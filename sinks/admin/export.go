package admin

import (
	"errors"
	"net/http"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/sinks/export"
)

// ErrNoRules is the error of State.Export for a site without published rules.
var ErrNoRules = errors.New("no rule of this site is published")

// exported responds with the published rules of a site as a file of another tool.
func exported(s State) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		site, redirect := query.Get("site"), query.Get("redirect")
		format, err := export.Find(query.Get("format"))
		switch {
		case err != nil:
			refuse(w, http.StatusBadRequest, "format", err.Error())
		case redirect != "" && redirect != "yes" && redirect != "no":
			refuse(w, http.StatusBadRequest, "redirect", "redirect is yes or no")
		case redirect == "yes" && !format.Server:
			refuse(w, http.StatusBadRequest, "redirect", "only a server redirects")
		case !query.Has("site"):
			refuse(w, http.StatusBadRequest, "site", "missing")
		default:
			made, err := s.Export(r.Context(), site, format.Name, redirect == "yes")
			switch {
			case err == nil:
				w.Header().Set("X-Content-Type-Options", "nosniff")
				writeText(w, http.StatusOK, string(made.Text))
			case !errors.Is(err, ErrNoRules):
				http.Error(w, err.Error(), http.StatusInternalServerError)
			case mine(w, r, s, site): // else mine has refused the request
				refuse(w, http.StatusNotFound, "site", err.Error())
			}
		}
	}
}

// dropExport takes in that an exported file is no longer in use, so nothing need tell when it is outdated.
func dropExport(s State) http.HandlerFunc {
	return withAsk(func(w http.ResponseWriter, r *http.Request, ask struct {
		Site     *string `json:"site"`
		Format   string  `json:"format"`
		Redirect bool    `json:"redirect"`
	}) {
		format, err := export.Find(ask.Format)
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST, "format": FORMAT}, and "redirect": true for a file that redirects`)
		case err != nil:
			refuse(w, http.StatusBadRequest, "format", err.Error())
		case mine(w, r, s, *ask.Site): // else mine has refused the request
			answerWish(w, s.Wish(*ask.Site, book.Wish{Drop: &book.File{Format: format.Name, Redirect: ask.Redirect}}), "format")
		}
	})
}
