// Package dryrun plays a pool through traffic and faults in virtual time and judges what its engine did.
//
// A run is exact: every request, attempt and probe is played, and nothing depends on the machine. The same copy,
// scenario and seed give the same bytes on any number of cores.
//
// What a run takes for granted, besides what Result.Assumed says: a connection is made or refused within a tenth of a
// millisecond; clients wait for as long as it takes; each request has a connection of its own; all requests of one
// tenant come from one address.
package dryrun
