package odb

import (
	"container/list"
	"sync"
)

const (
	// cacheBytes is how many bytes of delta bases are kept.
	cacheBytes = 8 << 20
	// cacheItem is the largest base that is kept.
	cacheItem = 2 << 20
)

// place is where an object begins.
type place struct {
	pack *pack
	at   int64
}

// cache keeps unpacked delta bases, the latest used longest: the versions of a file hang together in one chain.
type cache struct {
	mu    sync.Mutex
	room  int
	order *list.List
	items map[place]*list.Element
}

type kept struct {
	where place
	typ   Type
	data  []byte
}

func newCache(room int) *cache {
	return &cache{room: room, order: list.New(), items: map[place]*list.Element{}}
}

// empty forgets everything.
func (c *cache) empty() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.items {
		c.room += len(e.Value.(*kept).data)
	}
	c.order.Init()
	clear(c.items)
}

func (c *cache) get(where place) (Type, []byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[where]
	if !ok {
		return 0, nil, false
	}
	c.order.MoveToFront(e)
	k := e.Value.(*kept)
	return k.typ, k.data, true
}

func (c *cache) put(where place, typ Type, data []byte) {
	if len(data) > cacheItem {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.items[where]; ok {
		return
	}
	c.items[where] = c.order.PushFront(&kept{where, typ, data})
	for c.room -= len(data); c.room < 0; {
		last := c.order.Back()
		k := c.order.Remove(last).(*kept)
		delete(c.items, k.where)
		c.room += len(k.data)
	}
}
