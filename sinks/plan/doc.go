// Package plan writes what would be fetched of sites, for people and for programs. The
// latter is one JSON object a line, as docs/schema/plan.schema.json says.
package plan
