// Package git gives any revision of a git repository, its index, other repositories and submodules as read-only trees,
// and answers what a change began from and what it touches.
//
// Nothing is checked out and no program is started: no git, no hook, filter, textconv, fsmonitor, credential helper or
// command of any configuration. Of the configuration only what describes the repository's layout is read, includes are
// not followed, and replace refs and grafts are not believed. Content is what git stores, byte for byte: line endings,
// encodings and filters of .gitattributes are not applied, so trees are to be compared with trees.
//
// What cannot be answered for certain is a Trouble, which says in two languages what is wrong and names the command that
// mends it: a shallow clone that ends too early, an object that a partial clone left out, a submodule that is not here.
//
// Objects are read by package odb, which go-git's storage could not stand in for: it is not safe for concurrent use, holds
// the whole pack index in memory, does not check that an object has its name, reads relative alternates from the wrong
// place, and follows deltas that lead to each other until the stack ends and with it the program. Fetching is go-git's.
package git
