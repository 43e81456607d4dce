package main

import "testing"

// TestBlobName holds the name of content against git's own, as "git hash-object" gives it.
func TestBlobName(t *testing.T) {
	for text, want := range map[string]string{
		"":        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
		"hello\n": "ce013625030ba8dba906f756967f9e9ca394464a",
	} {
		if got := blobName([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
