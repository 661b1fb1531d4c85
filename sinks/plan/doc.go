// Package plan writes the requests that a run would send to sites, for people and for
// programs. The form for programs is one JSON object a line, with the schema
// docs/schema/plan.schema.json.
package plan
