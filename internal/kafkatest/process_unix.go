//go:build unix

package kafkatest

import (
	"os"
	"os/exec"
	"syscall"
)

// Signals to a node.
const (
	stop   = syscall.SIGSTOP
	resume = syscall.SIGCONT
)

// detach has an interrupt at the terminal reach the test and not the command.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func send(pid int, s syscall.Signal) error { return syscall.Kill(pid, s) }

// hold waits for the lock of a file.
func hold(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX) }
