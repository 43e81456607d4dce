package git

import (
	"bytes"
	"container/heap"
	"sort"
)

// MergeBase finds the commit that a change began from: the newest of the best common ancestors of base and head, and of
// several of the same date the one whose name comes first. With the merge commit that CI checks out as head, this is
// base itself.
//
// Where a shallow clone ends before that is certain, or where the histories have nothing in common, it is a Trouble.
func (r *Repo) MergeBase(base, head Commit) (Commit, error) {
	if base == head {
		_, err := r.commit(base.ID)
		return base, err
	}
	found, cut, err := r.ancestors(base.ID, head.ID)
	if err == nil {
		found, err = r.best(found)
	}
	if err != nil {
		return Commit{}, err
	}
	for _, end := range cut {
		hidden := len(found) == 0
		if !hidden {
			e, err := r.commit(end)
			if err != nil {
				return Commit{}, err
			}
			b, err := r.commit(found[0])
			if err != nil {
				return Commit{}, err
			}
			hidden = e.date >= b.date
		}
		if hidden {
			return Commit{}, r.shallow("the commit that %.12s and %.12s have in common cannot be found", "无法找到 %.12s 与 %.12s 的共同祖先",
				base.String(), head.String())
		}
	}
	if len(found) == 0 {
		return Commit{}, trouble(Unrelated, "", nil,
			"commits %.12s and %.12s have no history in common, so there is no change to look at; rebase the branch, or name another base",
			"提交 %.12s 与 %.12s 没有共同历史,因而没有可检查的变更;请变基该分支,或指定其他基准", base.String(), head.String())
	}
	return Commit{found[0]}, nil
}

// paint says from which side a commit was reached.
type paint byte

const (
	ofBase paint = 1 << iota
	ofHead
	// stale marks ancestors of a common ancestor, which are worse.
	stale
	// listed marks those that are among the results already.
	listed

	common = ofBase | ofHead
)

// ancestors walks back from two commits, the newest first, and returns the common ancestors that no other that was found
// hides, and perhaps some more where dates are wrong. cut are the commits of one side alone at which a shallow clone ends:
// what the sides have in common may lie beyond. What is beyond is older, so it matters only where no newer one is found.
func (r *Repo) ancestors(base, head Hash) (found, cut []Hash, err error) {
	painted := map[Hash]paint{}
	queue := &byDate{}
	reach := func(id Hash, p paint) error {
		if painted[id]&p == p {
			return nil
		}
		c, err := r.commit(id)
		if err != nil {
			return err
		}
		painted[id] |= p
		heap.Push(queue, dated{id, c.date})
		return nil
	}
	if err := reach(base, ofBase); err != nil {
		return nil, nil, err
	}
	if err := reach(head, ofHead); err != nil {
		return nil, nil, err
	}
	var ends []Hash
	for queue.fresh(painted) {
		id := heap.Pop(queue).(dated).id
		c, err := r.commit(id)
		if err != nil {
			return nil, nil, err
		}
		p := painted[id] &^ listed
		if p == common {
			if painted[id]&listed == 0 {
				painted[id] |= listed
				found = append(found, id)
			}
			p |= stale
		}
		if c.cut {
			ends = append(ends, id)
		}
		for _, parent := range c.parents {
			if err := reach(parent, p); err != nil {
				return nil, nil, err
			}
		}
	}
	left := found[:0]
	for _, id := range found {
		if painted[id]&stale == 0 {
			left = append(left, id)
		}
	}
	for _, id := range ends {
		if painted[id]&common != common {
			cut = append(cut, id)
		}
	}
	return left, cut, nil
}

// best removes those that are ancestors of others and sorts the newest first.
func (r *Repo) best(ids []Hash) ([]Hash, error) {
	dates := map[Hash]int64{}
	for _, id := range ids {
		c, err := r.commit(id)
		if err != nil {
			return nil, err
		}
		dates[id] = c.date
	}
	var left []Hash
	for i, id := range ids {
		worse := false
		for j, other := range ids {
			if i == j || worse {
				continue
			}
			inside, _, err := r.reaches.from(r, other).contains(id)
			if err != nil {
				return nil, err
			}
			worse = inside
		}
		if !worse {
			left = append(left, id)
		}
	}
	sort.Slice(left, func(i, j int) bool {
		if a, b := dates[left[i]], dates[left[j]]; a != b {
			return a > b
		}
		return bytes.Compare(left[i][:], left[j][:]) < 0
	})
	return left, nil
}

// dated is a commit that waits to be walked.
type dated struct {
	id   Hash
	date int64
}

// byDate is a heap of commits, the newest first.
type byDate []dated

func (q byDate) Len() int           { return len(q) }
func (q byDate) Less(i, j int) bool { return q[i].date > q[j].date }
func (q byDate) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *byDate) Push(x any)        { *q = append(*q, x.(dated)) }
func (q *byDate) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// fresh reports whether one of them may still lead to a result.
func (q byDate) fresh(painted map[Hash]paint) bool {
	for _, d := range q {
		if painted[d.id]&stale == 0 {
			return true
		}
	}
	return false
}
