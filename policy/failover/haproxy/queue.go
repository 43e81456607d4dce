package haproxy

// queue holds the tags of the requests that wait for a server, in order. A request that has left it stays in place
// until its turn comes.
type queue struct {
	tags []uint32
	head int
	gone int
}

func (q *queue) len() int { return len(q.tags) - q.head - q.gone }

func (q *queue) push(tag uint32) {
	if q.head > 0 && q.head*2 >= len(q.tags) {
		q.tags = q.tags[:copy(q.tags, q.tags[q.head:])]
		q.head = 0
	}
	q.tags = append(q.tags, tag)
}

// noTag marks places that were left.
const noTag = ^uint32(0)

func (q *queue) pop() (uint32, bool) {
	for q.head < len(q.tags) {
		tag := q.tags[q.head]
		if q.head++; tag != noTag {
			return tag, true
		}
		q.gone--
	}
	return 0, false
}

// remove takes a request out that does not wait any longer. Such requests stand near the head, the oldest first.
func (q *queue) remove(tag uint32) {
	for i := q.head; i < len(q.tags); i++ {
		if q.tags[i] == tag {
			q.tags[i] = noTag
			q.gone++
			return
		}
	}
}
