package weblog

// unquoted removes the quotes around a user agent. Shippers that cut Apache's lines by patterns
// leave them in the value.
func unquoted(agent []byte) []byte {
	n := len(agent)
	if n < 2 || agent[0] != '"' || agent[n-1] != '"' {
		return agent
	}
	return present(agent[1 : n-1])
}
