// Package proof holds the breakers against the libraries that embody them: gobreaker v2.4.0, failsafe-go v0.9.8 and
// aegis v0.2.0, call by call on one fake clock. It has tests only.
//
// The same random operations go to both sides and every verdict is compared; settings are such that both mean the same,
// and what no setting can make equal is kept from the other side: to failsafe-go late results and cancelled trials, to
// gobreaker failures whose part has left a rolling window. Where the two differ on purpose is listed in one table, in the documentation of package breaker and in this package's
// tests, which play each row and find both verdicts as listed.
package proof
