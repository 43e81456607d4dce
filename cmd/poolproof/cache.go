package main

import "github.com/poolproof/poolproof/sources/load"

// openCache returns the cache of results, nil where there is none.
func (o *options) openCache() load.Cache { return nil }
