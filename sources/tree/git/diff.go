package git

// Version is what one side of a change has at a path; the zero Version means that it has nothing there.
type Version struct {
	ID   Hash
	Mode Mode
}

// Change is a path at which two trees differ.
type Change struct {
	Path          string
	Before, After Version
	// Err says why what is below the path could not be compared, such as a submodule that is not here; else nil.
	Err error
}

// Diff returns the files, links and submodules whose content or mode differs, in byte order of their paths within each
// folder. Only folders that differ are read. Links are compared as links; a submodule whose commit differs is compared
// file by file where both commits are here, and is one change with Err where they are not. What is renamed is removed in
// one place and added in another.
//
// An error means that there is no end to the trees.
func Diff(a, b *Tree) ([]Change, error) {
	d := differ{left: maxEntries}
	d.folders(".", &a.root, &b.root, 0)
	if d.left < 0 {
		return nil, endless()
	}
	return d.changes, nil
}

type differ struct {
	changes []Change
	left    int // how many entries may still be looked at
}

// folders compares two folders, either of which may be nil.
func (d *differ) folders(dir string, a, b *spot, depth int) {
	var left, right []node
	for _, side := range []struct {
		at    *spot
		nodes *[]node
	}{{a, &left}, {b, &right}} {
		if side.at == nil {
			continue
		}
		*side.nodes = side.at.nodes
		if side.at.err != nil {
			d.changes = append(d.changes, Change{Path: dir, Err: side.at.err})
		}
	}
	for len(left)+len(right) > 0 && d.left >= 0 {
		d.left--
		var x, y *node
		switch {
		case len(right) == 0 || len(left) > 0 && left[0].name < right[0].name:
			x, left = &left[0], left[1:]
		case len(left) == 0 || right[0].name < left[0].name:
			y, right = &right[0], right[1:]
		default:
			x, y, left, right = &left[0], &right[0], left[1:], right[1:]
		}
		d.entry(dir, a, b, x, y, depth)
	}
}

// entry compares what two folders hold under one name.
func (d *differ) entry(dir string, a, b *spot, x, y *node, depth int) {
	if x != nil && y != nil && x.mode == y.mode && x.id == y.id && x.dir == nil && y.dir == nil && (x.err == nil) == (y.err == nil) {
		return
	}
	c := Change{Path: join(dir, name(x, y)), Before: version(x), After: version(y)}
	below := [2]*spot{}
	deep := [2]bool{}
	for i, side := range []struct {
		at *spot
		n  *node
	}{{a, x}, {b, y}} {
		if side.n == nil || side.n.err != nil {
			if side.n != nil {
				c.Err = side.n.err
			}
			continue
		}
		if side.n.mode != Folder && side.n.mode != Module {
			continue
		}
		deep[i] = true
		next, err := side.at.open(*side.n)
		if err != nil {
			c.Err = err
			continue
		}
		below[i] = &next
	}
	flat := Change{Path: c.Path, Err: c.Err}
	if !deep[0] {
		flat.Before = c.Before
	}
	if !deep[1] {
		flat.After = c.After
	}
	switch {
	case c.Err != nil || depth > maxFolderDepth:
		d.changes = append(d.changes, c)
	default:
		if flat.Before != flat.After {
			d.changes = append(d.changes, flat)
		}
		if deep[0] || deep[1] {
			d.folders(c.Path, below[0], below[1], depth+1)
		}
	}
}

// maxFolderDepth bounds how deep folders are compared; a change below is one of the folder.
const maxFolderDepth = 1000

func name(x, y *node) string {
	if x != nil {
		return x.name
	}
	return y.name
}

func version(n *node) Version {
	if n == nil {
		return Version{}
	}
	return Version{n.id, n.mode}
}
