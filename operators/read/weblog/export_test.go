package weblog

// Helpers shared with the external tests of the package.
var (
	ReadLines = readLines
	DataFiles = dataFiles
	Extracted = extracted
)

// Source returns the origin of the line.
func (e extractedLine) Source() string { return e.source }

// Line returns the line.
func (e extractedLine) Line() string { return e.line }
