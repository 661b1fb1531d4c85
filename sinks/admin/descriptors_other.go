//go:build !unix

package admin

// mostFiles is the number of descriptors that the default of connections asks for. Windows has
// no limit to ask for.
func mostFiles() int { return ofFiles * DefaultConnections }
