// Package audit keeps a file of every request that the program makes, every pair of URLs
// that it compares, and every verdict on a rule: one JSON object a line, as
// docs/schema/audit.schema.json says. Nobody but the file's owner can read it, since URLs
// may tell what is private.
package audit
