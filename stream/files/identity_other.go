//go:build !unix

package files

import "path/filepath"

// identity returns a value that is equal for all paths to one file, hard links apart.
func identity(path string) any {
	if real, err := filepath.EvalSymlinks(path); path != Stdin && err == nil {
		path = real
	}
	if absolute, err := filepath.Abs(path); path != Stdin && err == nil {
		path = absolute
	}
	return path
}
