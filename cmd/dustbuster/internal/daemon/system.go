package daemon

import (
	"errors"
	"runtime"
)

// errWindows is the error for commands that follow logs or keep a state directory.
var errWindows = errors.New("follow logs: not supported on Windows, where a log that is open cannot be renamed, and the file of the state cannot be replaced\n" +
	"read finished logs there with dustbuster mine or validate, or follow them on Linux or macOS")

// windows reports whether the program runs on Windows, which also has no SIGHUP.
const windows = runtime.GOOS == "windows"
