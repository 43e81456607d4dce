package change

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/load"
	"github.com/poolproof/poolproof/sources/tree/git"
)

// Unread says that the repository lacks what some files hold: a partial clone, a submodule or a file of Git LFS that was not
// fetched, a damaged object. What they say of the pools of the change is not known.
type Unread struct {
	// Files are their paths, sorted.
	Files []string
	// Why is that of the first, with what mends it.
	Why *git.Trouble
}

// Error is the English text.
func (u *Unread) Error() string { return u.Text().En }

// In is Text in one language.
func (u *Unread) In(lang string) string { return u.Text().In(lang) }

// Unwrap returns the reason.
func (u *Unread) Unwrap() error { return u.Why }

// Text says in both languages what could not be read.
func (u *Unread) Text() schema.Text {
	why := u.Why.Text()
	t := schema.Textf("not all could be compared: %s: %s", "未能比较全部内容：%s：%s", u.Files[0], why.En)
	t.Zh = schema.Textf("", "未能比较全部内容：%s：%s", u.Files[0], why.Zh).Zh
	if more := len(u.Files) - 1; more > 0 {
		t.En = fmt.Sprintf("not all could be compared: %d more files and %s: %s", more, u.Files[0], why.En)
		t.Zh = fmt.Sprintf("未能比较全部内容：%s 及另外 %d 个文件：%s", u.Files[0], more, why.Zh)
	}
	return t
}

// missed notes the files of which git lacks the content.
func (c *Change) missed(files []*load.File) {
	for _, f := range files {
		var t *git.Trouble
		if other, _ := f.Other(); other != nil || !errors.As(f.Lacks(), &t) || t.Kind == git.BadTree {
			continue // what git forbids is in the change itself, and nothing would mend it
		}
		if c.Unread == nil {
			c.Unread = &Unread{Files: []string{f.Path}, Why: t}
			continue
		}
		if f.Path < c.Unread.Files[0] {
			c.Unread.Why = t
		}
		if at, known := slices.BinarySearchFunc(c.Unread.Files, f.Path, cmp.Compare[string]); !known {
			c.Unread.Files = slices.Insert(c.Unread.Files, at, f.Path)
		}
	}
}

// passOver leaves out the submodules that are not here, that only a wide pattern leads into, and that the change leaves as
// they are: most likely they hold no pool. It is said that they are.
func (c *Change) passOver() {
	for _, e := range []*End{&c.Base, &c.Head} {
		e.list.Files = slices.DeleteFunc(e.list.Files, func(f *load.File) bool {
			if !f.Aside() || c.Changed[f.Path] {
				return false
			}
			e.list.Skipped = append(e.list.Skipped, load.Skip{What: f.Path, Why: reason(f.Failure())})
			return true
		})
	}
}

func reason(err error) schema.Text {
	var t *git.Trouble
	if errors.As(err, &t) {
		return t.Text()
	}
	return schema.Textf("%v", "%v", err)
}
