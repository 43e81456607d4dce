// Package real plays scenarios on the real HAProxy and NGINX, on loopback in front of members that fail as a scenario
// says, and holds what it sees against what the dry-run foretells: each change of state and its time, and the shares,
// statuses and latencies of the answers between them. It is for tests only.
package real
