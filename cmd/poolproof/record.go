package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/report"
	"github.com/poolproof/poolproof/policy/audit"
	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/all"
	"github.com/poolproof/poolproof/sources/cache"
	"github.com/poolproof/poolproof/sources/cache/codec"
	"github.com/poolproof/poolproof/sources/load"
)

// record is the outcome of the last whole check of a root: where nothing changed since, it is the outcome again. A nil
// record keeps and finds nothing.
type record struct {
	o    *options
	file *cache.Record
}

// outcome is what a record holds besides the findings.
type outcome struct {
	Manifest [32]byte
	Inputs   load.Inputs
	// From and Until bound the time for which the outcome holds; a zero bound is none.
	From, Until time.Time
	Summary     report.Summary
	Missing     *schema.Text

	findings []schema.Finding
}

// openRecord returns the record of a root. Runs that look at a part of it, or have no manifest, have none.
func (o *options) openRecord(w *workspace) *record {
	if o.noCache || w.manifest.File == "" || w.below != "" || len(o.pools) > 0 || len(o.rules) > 0 || o.poolEnv != "" {
		return nil
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	root, err := filepath.Abs(w.root)
	if err != nil {
		return nil
	}
	name, err := json.Marshal([]any{root, w.manifest.File, "check", w.notes})
	if err != nil {
		return nil
	}
	return &record{o, cache.OpenRecord(filepath.Join(folder, "poolproof"), build(), string(name))}
}

// find returns the outcome that was kept, if everything that it rests on is as it was.
func (r *record) find(ctx context.Context, w *workspace, now time.Time) *outcome {
	if r == nil {
		return nil
	}
	data, ok := r.file.Get()
	if !ok || len(data) < 4 {
		return nil
	}
	size := binary.LittleEndian.Uint32(data)
	if uint64(size) > uint64(len(data)-4) {
		return nil
	}
	var kept outcome
	if err := json.Unmarshal(data[4:4+size], &kept); err != nil {
		return nil
	}
	if kept.Manifest != sha256.Sum256(w.manifestText) || now.Before(kept.From) || !kept.Until.IsZero() && !now.Before(kept.Until) {
		return nil
	}
	progress := r.o.progress("reading")
	same, err := kept.Inputs.Unchanged(ctx, w.tree, &w.manifest, load.Options{Adapters: all.Adapters(), Progress: progress.set})
	progress.done()
	if err != nil || !same {
		return nil
	}
	var d codec.Decoder
	if kept.findings, err = d.DecodeFindings(data[4+size:]); err != nil {
		return nil
	}
	return &kept
}

// keep writes the outcome of a run, which must have its findings sorted and placed.
func (r *record) keep(w *workspace, now time.Time, l *load.Loaded, res *audit.Result, run *report.Run, missing *schema.Text) {
	if r == nil {
		return
	}
	kept := outcome{Manifest: sha256.Sum256(w.manifestText), Inputs: l.Inputs(), Summary: run.Summary, Missing: missing}
	if kept.Inputs.Unsure {
		return
	}
	for _, t := range res.Moments {
		switch {
		case !t.After(now) && t.After(kept.From):
			kept.From = t
		case t.After(now) && (kept.Until.IsZero() || t.Before(kept.Until)):
			kept.Until = t
		}
	}
	head, err := json.Marshal(&kept)
	if err != nil {
		r.o.note("the outcome is not kept: %v", err)
		return
	}
	var e codec.Encoder
	data := append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head...)
	if err := r.file.Put(append(data, e.EncodeFindings(run.Findings)...)); err != nil {
		r.o.note("%v", err)
	}
}
