package export

// Difference is a difference between the readers of a format and package canon, for any
// rules. A Difference is a line of the report.
type Difference string

// The differences.
const (
	EditsLong      Difference = "URLs of more than 2,048 bytes from the path on, and URLs that a rule makes so long, are edited as well"
	EditsOften     Difference = "URLs that never settle are edited as often as the list is written"
	AnyPort        Difference = "a host with port 80 or 443 is the site's over http and https alike"
	PassesPort     Difference = "of a site of one host, URLs that write the default port are left alone"
	PassesDot      Difference = "URLs whose host ends with a dot are left alone"
	PassesCase     Difference = "URLs whose host or scheme has capitals can be left alone"
	PassesNoPath   Difference = "URLs without a path are left alone"
	PassesRaw      Difference = "URLs with bytes that belong percent-encoded are left alone"
	PassesFragment Difference = "URLs with a fragment are left alone by the rules that drop or set parameters, or that are templates"
	PassesPlaces   Difference = "URLs that one rule of parameters or syntax would edit in more than 7 separate places are left alone"
	LeavesPlaces   Difference = "what one rule of parameters or syntax would edit in more than 7 separate places of a URL stays"
	KeepsRaw       Difference = "fragments, empty paths and bytes that belong percent-encoded stay as they are"
	KeepsFragment  Difference = "fragments stay"
	EmptyPieces    Difference = "empty pieces of an edited query go, too, as in ?a&&b"
	WritesAnew     Difference = "what is left of an edited query is written anew: ?a= becomes ?a, and + becomes %20"
	CountsLong     Difference = "the parameters mean nothing in URLs of more than 2,048 bytes either"
	AnyHost        Difference = "the lines are for every host and port that answers with them, with a dot at the end or without"
	Decodes        Difference = "names and values are compared decoded, so that %73id is sid and ?a is ?a=; empty pieces do not count"
)

// Differences shared by formats of one kind.
var (
	serverDiffers = []Difference{EditsLong, EditsOften, AnyPort, PassesRaw, PassesPlaces}
	javaDiffers   = []Difference{EditsLong, EditsOften, PassesPort, PassesDot, PassesCase, KeepsRaw}
)
