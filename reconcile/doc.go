// Package reconcile finds out which copies speak of the same pool and on which values they differ. It yields data and
// holds no opinion: which copy is right, and whether a difference matters, is decided in package policy.
package reconcile
