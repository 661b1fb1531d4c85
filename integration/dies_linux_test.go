package integration

import (
	"os/exec"
	"syscall"
)

// dies has the kernel kill a command when the test ends, however it ends.
func dies(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
