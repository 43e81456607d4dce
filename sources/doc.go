// Package sources holds what readers of configuration formats share: what goes in, what comes out, and nothing of any
// format. One package an adapter lies below it, by side; package all lists them.
package sources
