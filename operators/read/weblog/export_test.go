package weblog

// Helpers shared with the external tests of the package.
var (
	ReadLines = readLines
	DataFiles = dataFiles
	Extracted = extracted
)
