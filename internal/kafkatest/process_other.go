//go:build !unix

package kafkatest

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Signals to a node; no node can be started.
const stop, resume syscall.Signal = 0, 0

func detach(*exec.Cmd) {}

func send(int, syscall.Signal) error { return errors.ErrUnsupported }

func hold(*os.File) error { return errors.ErrUnsupported }
