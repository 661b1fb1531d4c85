// Package audit keeps a file of every request made by the program, every compared pair of
// URLs, and every verdict on a rule. An outcome that is judged anew for a verdict is written again. Each record is one JSON object on a line, with the
// schema docs/schema/audit.schema.json. Only the file's owner can read the file, since URLs
// may hold private data.
package audit
