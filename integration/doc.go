// Package integration holds the tests that no package can do by itself: of the
// whole program on real logs, and of the architecture (policy_test.go).
//
// Tests on real logs that may not be shipped read them from the folder that
// the environment variable DUSTBUSTER_DATA names and are skipped without it.
// What is shipped lies in testdata.
package integration
