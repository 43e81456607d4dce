package odb_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/poolproof/poolproof/sources/tree/git/gittest"
	"github.com/poolproof/poolproof/sources/tree/git/odb"
)

func open(t testing.TB, r *gittest.Repo) *odb.Store {
	t.Helper()
	s, err := odb.Open(r.Path(".git/objects"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// versions makes a repository in which a file and a folder have many versions, so that git packs them as deltas.
func versions(t testing.TB) *gittest.Repo {
	r := gittest.New(t)
	rng := rand.New(rand.NewSource(1))
	lines := make([]string, 400)
	for v := range 25 {
		for range 40 {
			lines[rng.Intn(len(lines))] = fmt.Sprintf("line %d of version %d", rng.Int(), v)
		}
		r.Write("big.txt", strings.Join(lines, "\n"))
		r.Write(fmt.Sprintf("many/file-%02d", v), lines[v])
		r.Save("deep/down/small", fmt.Sprint(v))
	}
	r.Git("tag", "-a", "-m", "annotated", "v1")
	return r
}

// same compares every object with what git says.
func same(t *testing.T, r *gittest.Repo) {
	t.Helper()
	s := open(t, r)
	list := strings.Split(r.Git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype) %(objectsize)"), "\n")
	if len(list) < 120 {
		t.Fatalf("only %d objects", len(list))
	}
	var wait sync.WaitGroup
	for part := range 4 {
		wait.Go(func() {
			for i := part; i < len(list); i += 4 {
				name, want, _ := strings.Cut(list[i], " ")
				id := plumbing.NewHash(name)
				typ, data, err := s.Read(id, 1<<20)
				if got := fmt.Sprintf("%s %d", typ, len(data)); err != nil || got != want {
					t.Errorf("%s: %s, %v; git says %s", name, got, err, want)
				}
				typ, size, err := s.Size(id)
				if got := fmt.Sprintf("%s %d", typ, size); err != nil || got != want {
					t.Errorf("size of %s: %s, %v; git says %s", name, got, err, want)
				}
				if size > 10 {
					if _, _, err := s.Read(id, size-1); !errors.Is(err, odb.ErrTooLarge) {
						t.Errorf("%s beyond the limit: %v", name, err)
					}
				}
			}
		})
	}
	wait.Wait()
}

func TestObjectsAreWhatGitSays(t *testing.T) {
	r := versions(t)
	t.Run("loose", func(t *testing.T) { same(t, r) })
	r.Git("repack", "-q", "-a", "-d", "--depth=50", "--window=50")
	if deltas := r.Shell("git verify-pack -v .git/objects/pack/*.idx | grep -c '^chain length'"); deltas == "0" {
		t.Fatal("nothing was packed as a delta")
	}
	t.Run("packed", func(t *testing.T) { same(t, r) })
	r.Git("-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-a", "-d", "-f", "--depth=200")
	t.Run("bases by name", func(t *testing.T) { same(t, r) })
	r.Git("-c", "pack.packSizeLimit=1m", "-c", "core.compression=0", "repack", "-q", "-a", "-d", "-F", "--write-midx")
	t.Run("several packs", func(t *testing.T) { same(t, r) })
	r.Shell("p=$(ls .git/objects/pack/*.pack | head -1); git index-pack --index-version=2,0x40 -o ${p%.pack}.idx2 $p >/dev/null; mv -f ${p%.pack}.idx2 ${p%.pack}.idx")
	t.Run("64-bit offsets", func(t *testing.T) { same(t, r) })
}

func TestAlternates(t *testing.T) {
	r := versions(t)
	for _, how := range []string{"--shared", "--reference=" + r.Dir} {
		c := filepath.Join(t.TempDir(), "c")
		gittest.Run(t, r.Dir, "clone", "-q", how, r.Dir, c)
		if _, err := os.Stat(filepath.Join(c, ".git/objects/info/alternates")); err != nil {
			t.Fatal(err)
		}
		same(t, gittest.At(t, c))
	}
	// A relative one, one on another host, one that is gone, and one that leads back.
	rel := gittest.New(t)
	to, err := filepath.Rel(rel.Path(".git/objects"), r.Path(".git/objects"))
	if err != nil {
		t.Fatal(err)
	}
	rel.Write(".git/objects/info/alternates", "//host/share\n/gone\n"+to+"\n"+rel.Path(".git/objects")+"\n")
	r.Write(".git/objects/info/alternates", rel.Path(".git/objects")+"\n")
	if _, _, err := open(t, rel).Read(plumbing.NewHash(r.Rev("HEAD")), 1<<20); err != nil {
		t.Error(err)
	}
}

func TestPrefix(t *testing.T) {
	r := versions(t)
	check := func() {
		t.Helper()
		s := open(t, r)
		full := r.Rev("HEAD")
		for _, n := range []int{6, 7, 12, 39, 40} {
			if got := s.Prefix(full[:n], 10); len(got) != 1 || got[0].String() != full {
				t.Errorf("%s: %v", full[:n], got)
			}
		}
		for _, none := range []string{"", full[:3], "zzzz", "ffffffffff"} {
			if got := s.Prefix(none, 10); len(got) != 0 {
				t.Errorf("%s: %v", none, got)
			}
		}
	}
	check()
	r.Git("gc", "-q")
	check()
}

func TestNewPacksAreFound(t *testing.T) {
	r := versions(t)
	r.Git("gc", "-q")
	s := open(t, r)
	if _, _, err := s.Read(plumbing.NewHash(r.Rev("HEAD")), 1<<20); err != nil {
		t.Fatal(err)
	}
	next := r.Save("later", "later")
	r.Git("gc", "-q")
	if _, _, err := s.Read(plumbing.NewHash(next), 1<<20); err != nil {
		t.Error(err)
	}
}

func TestDamage(t *testing.T) {
	r := versions(t)
	blob := r.Rev("HEAD:big.txt")
	id := plumbing.NewHash(blob)
	loose := r.Path(".git/objects/" + blob[:2] + "/" + blob[2:])
	sound, err := os.ReadFile(loose)
	if err != nil {
		t.Fatal(err)
	}
	other := r.Rev("HEAD:deep/down/small")
	swapped, err := os.ReadFile(r.Path(".git/objects/" + other[:2] + "/" + other[2:]))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(sound)
	flipped[len(flipped)/2] ^= 0x40
	for name, data := range map[string][]byte{"empty": {}, "cut": sound[:len(sound)/2], "flipped": flipped, "another": swapped, "text": []byte("blob 3\x00abc")} {
		os.Remove(loose)
		if err := os.WriteFile(loose, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := open(t, r).Read(id, 1<<20); !errors.Is(err, odb.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	os.Remove(loose)
	if _, _, err := open(t, r).Read(id, 1<<20); !errors.Is(err, odb.ErrMissing) {
		t.Errorf("removed: %v", err)
	}
}

// pack writes a pack of hand-made entries and an index that names them.
func pack(t *testing.T, entries []string, names []plumbing.Hash) *odb.Store {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "pack"), 0o755); err != nil {
		t.Fatal(err)
	}
	data := "PACK\x00\x00\x00\x02\x00\x00\x00\x01"
	var list, offs bytes.Buffer
	for i, e := range entries {
		list.Write(names[i][:])
		binary.Write(&offs, binary.BigEndian, uint32(len(data)))
		data += e
	}
	var x bytes.Buffer
	x.WriteString("\xfftOc\x00\x00\x00\x02")
	for b := range 256 {
		n := 0
		for _, name := range names {
			if int(name[0]) <= b {
				n++
			}
		}
		binary.Write(&x, binary.BigEndian, uint32(n))
	}
	x.Write(list.Bytes())
	x.Write(make([]byte, 4*len(names)))
	x.Write(offs.Bytes())
	x.Write(make([]byte, 40))
	for ending, content := range map[string]string{".pack": data + strings.Repeat("\x00", 20), ".idx": x.String()} {
		if err := os.WriteFile(filepath.Join(dir, "pack", "pack-x"+ending), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := odb.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestHostilePacks has packs that no git writes: each must end in an error, soon.
func TestHostilePacks(t *testing.T) {
	zipped := func(body string) string {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		w.Write([]byte(body))
		w.Close()
		return b.String()
	}
	empty := zipped("")
	one := zipped("\x01\x01\x01x") // a delta from one byte to the byte x
	a, b := plumbing.Hash{1}, plumbing.Hash{2}
	for name, entries := range map[string][]string{
		"a delta of itself":              {"\x70" + string(a[:]) + empty},
		"two deltas of each other":       {"\x70" + string(b[:]) + empty, "\x70" + string(a[:]) + empty},
		"a sound delta of itself":        {"\x74" + string(a[:]) + one},
		"two sound deltas of each other": {"\x74" + string(b[:]) + one, "\x74" + string(a[:]) + one},
		"a delta of nothing":             {"\x74" + string(b[:]) + one},
		"a delta of another base":        {"\x74" + string(b[:]) + one, "\x32" + zipped("ab")},
		"a copy from beyond the base":    {"\x74" + string(b[:]) + zipped("\x01\x02\x90\x02"), "\x31" + zipped("a")},
		"a delta that writes too much":   {"\x74" + string(b[:]) + zipped("\x01\x01\x02xy"), "\x31" + zipped("a")},
		"a reserved instruction":         {"\x73" + string(b[:]) + zipped("\x01\x01\x00"), "\x31" + zipped("a")},
		"a name that is not its own":     {"\x31" + zipped("a")},
		"a base before the pack":         {"\x60\xff\xff\xff\x7f" + empty},
		"a base at no distance":          {"\x60\x00" + empty},
		"a size without end":             {strings.Repeat("\xff", 40)},
		"no type":                        {"\x00" + empty},
		"a size that lies":               {"\xbf\xff\xff\x07" + empty},
		"not packed":                     {"\x3fxxxxxxxxxxxxxxxxxxxxxxx"},
		"nothing":                        {""},
	} {
		names := []plumbing.Hash{a, b}[:len(entries)]
		s := pack(t, entries, names)
		if _, _, err := s.Read(a, 1<<30); !errors.Is(err, odb.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := s.Size(a); err != nil && !errors.Is(err, odb.ErrCorrupt) {
			t.Errorf("size of %s: %v", name, err)
		}
	}
	if _, _, err := pack(t, []string{"\xbf\xff\xff\xff\xff\xff\xff\x07" + empty}, []plumbing.Hash{a}).Read(a, 1<<40); !errors.Is(err, odb.ErrTooLarge) {
		t.Errorf("a size of terabytes: %v", err)
	}
}

func FuzzPack(f *testing.F) {
	f.Add([]byte("\xbf\xff\xff\x07x\x9c\x03\x00\x00\x00\x00\x01"))
	f.Fuzz(func(t *testing.T, entry []byte) {
		a := plumbing.Hash(sha1.Sum(entry))
		s := pack(t, []string{string(entry)}, []plumbing.Hash{a})
		if _, data, err := s.Read(a, 1<<16); err == nil {
			t.Errorf("%q was read as %q, whose name cannot be right", entry, data)
		}
		s.Size(a)
	})
}
