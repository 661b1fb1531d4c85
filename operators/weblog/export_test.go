package weblog

// What the tests from outside of the package share with those inside.
var (
	ReadLines = readLines
	DataFiles = dataFiles
	Extracted = extracted
)

// Source and Line are what the line is and where it is from.
func (e extractedLine) Source() string { return e.source }

// Line is the line.
func (e extractedLine) Line() string { return e.line }
