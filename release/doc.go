// Package release builds what is released (release.sh), and tests the packages: a module of its own,
// for its tools.
package release
