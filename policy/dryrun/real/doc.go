// Package real plays scenarios on the real HAProxy and NGINX, on loopback, so that dry-runs can be held against them.
// It is for tests only, which are built with the tag "real" and need both programs:
//
//	go test -tags real ./policy/dryrun/real
package real
