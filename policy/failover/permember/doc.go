// Package permember puts one circuit breaker before each member of a pool: what a client library does that knows its
// endpoints. A request goes to the first tier in which a breaker permits one, there by weight in smooth round robin, and
// to another member if the attempt fails and the copy says that it may.
//
// The breakers are those of package breaker: three-state, adaptive, blacklist and resilience4j. A breaker that is open is
// Cooling; one that is half-open, or an adaptive one that drops calls, is Ramping: its member gets less than its share.
//
// Not modelled: retry budgets, and verdicts over less than a whole member (by interface or region).
package permember
