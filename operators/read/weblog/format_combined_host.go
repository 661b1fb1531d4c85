package weblog

// combinedHost is combined with the host at its end, in quotes.
var combinedHost = Format{
	Name:        "combined_host",
	Description: "combined with the host at its end, in quotes",
	Pattern:     combined.Pattern + ` "%{Host}i"`,
	Example:     combined.Example + ` "www.example.org"`,
	Size:        combined.Size,
	plausible:   hostAtEnd,
}

// hostAtEnd reports whether the field after the agent is a host. Other servers write addresses,
// times and protocols there.
func hostAtEnd(h *Hit, _ []byte) bool {
	return len(h.Client) > 0 && !words(h.Client) && len(h.Host) > 0 && hostShaped(h.Host) && hostName(h.Host)
}
