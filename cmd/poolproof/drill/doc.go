// Package drill holds what a dry-run found out about pools, and writes it: for a terminal, as JSON, and as one HTML page
// with plots that needs nothing but itself.
package drill
