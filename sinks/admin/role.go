package admin

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// Role is what a client may do: one role, or several joined by OR.
type Role uint8

// The roles.
const (
	Read    Role = 1 << iota // look at everything
	Report                   // post reports
	Operate                  // everything
)

// roleNames are the names of the roles, in their order.
var roleNames = []string{"read", "report", "operate"}

// String returns the names of the roles.
func (r Role) String() string {
	var names []string
	for i, name := range roleNames {
		if r&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " and ")
}

// right is a kind of requests, and the roles that may make them.
type right struct {
	methods []string // nil: every method
	path    string   // "": every path; with a slash at its end: that path and all below
	roles   Role
}

// rights are what each role may do. The first row that matches a request counts.
// docs/admin.md has the same table.
var rights = []right{
	{nil, "/debug/pprof/", Operate}, // a profile shows what is in memory
	{[]string{http.MethodGet, http.MethodHead}, "", Read | Operate},
	{[]string{http.MethodPost}, "/api/v1/report", Report | Operate},
	{nil, "", Operate},
}

func mayAsk(r *http.Request) Role {
	at := slices.IndexFunc(rights, func(x right) bool {
		return (x.methods == nil || slices.Contains(x.methods, r.Method)) && (x.path == "" || x.path == r.URL.Path || strings.HasSuffix(x.path, "/") && strings.HasPrefix(r.URL.Path, x.path))
	})
	return rights[at].roles
}

// rolesKey is the key of the roles in the context of a request.
type rolesKey struct{}

// As returns the context of a request by a client with some roles.
func As(ctx context.Context, roles Role) context.Context {
	return context.WithValue(ctx, rolesKey{}, roles)
}

// Operates reports whether the client of a request may do everything.
func Operates(ctx context.Context) bool {
	roles, _ := ctx.Value(rolesKey{}).(Role)
	return roles&Operate != 0
}
