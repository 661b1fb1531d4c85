package weblog

// combinedHostBare is combined with the host at its end, without quotes.
var combinedHostBare = Format{
	Name:        "combined_host_bare",
	Description: "combined with the host at its end, without quotes",
	Pattern:     combined.Pattern + ` %{Host}i`,
	Example:     combined.Example + ` www.example.org`,
	Size:        combined.Size,
	plausible:   hostAtEnd,
}
