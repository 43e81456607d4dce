package alert

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/poolproof/poolproof/schema"
)

// maxShown is how many drifts a message to people lists; the rest are counted. maxWords bounds one text of others, in
// characters.
const (
	maxShown = 10
	maxWords = 300
)

// title says in one line what a batch holds.
func title(b *Batch, c Counts, lang string) string {
	if b.Sample {
		if lang == "zh" {
			return "poolproof：测试消息，无需处理"
		}
		return "poolproof: a test message, nothing is wrong"
	}
	var parts []string
	add := func(n int, en, zh string) {
		if n == 0 {
			return
		}
		if lang == "zh" {
			parts = append(parts, fmt.Sprintf(zh, n))
			return
		}
		parts = append(parts, fmt.Sprintf(en, n))
	}
	add(c.Firing, "drift: %d", "漂移 %d 处")
	add(c.Errors, "errors %d", "错误 %d 处")
	add(c.Warnings, "warnings %d", "警告 %d 处")
	add(c.Pools, "pools %d", "涉及 %d 个池")
	add(c.Unknown, "unknown: %d", "状态未知 %d 处")
	add(c.Resolved, "resolved: %d", "已恢复 %d 处")
	if lang == "zh" {
		return "poolproof：" + strings.Join(parts, "，")
	}
	return "poolproof: " + strings.Join(parts, ", ")
}

// writer words messages for one sink. escape makes what others wrote harmless there; mark makes the sink's own bold.
type writer struct {
	lang   string
	link   string
	escape func(string) string
	bold   func(string) string
	// limit is how many bytes the message may have.
	limit int
	gap   string // between drifts
}

// message returns the title and the text of a batch.
func (w *writer) message(b *Batch) (head, text string) {
	events := b.latest()
	head = title(b, count(events), w.lang)
	lines := []string{w.bold(head)}
	size := len(lines[0]) + len(w.link) + 200 // room for what follows the list
	shown := 0
	for i := range events {
		line := w.event(&events[i])
		if shown == maxShown || size+len(line)+len(w.gap) > w.limit {
			break
		}
		size += len(line) + len(w.gap)
		lines = append(lines, line)
		shown++
	}
	if rest := len(events) - shown; rest > 0 {
		more := fmt.Sprintf("and %d more", rest)
		if w.lang == "zh" {
			more = fmt.Sprintf("另有 %d 处", rest)
		}
		lines = append(lines, more)
	}
	if w.link != "" {
		lines = append(lines, w.link)
	}
	return head, strings.Join(lines, w.gap)
}

// event words one drift.
func (w *writer) event(e *Event) string {
	pool := w.words(e.Pool)
	if e.Env != "" {
		pool += " (" + w.words(e.Env) + ")"
	}
	state := severityName(e.Severity, w.lang)
	when := "since " + clock(e.Since)
	if w.lang == "zh" {
		when = "自 " + clock(e.Since)
	}
	if e.Resolved() {
		state = "resolved"
		when = clock(e.Since) + " to " + clock(e.Ended)
		if w.lang == "zh" {
			state, when = "已恢复", clock(e.Since)+" 至 "+clock(e.Ended)
		}
	}
	out := "[" + state + "] "
	if pool != "" {
		out += w.bold(pool) + ": "
	}
	out += w.words(in(e.Message, w.lang))
	if hint := in(e.Hint, w.lang); hint != "" && !e.Resolved() {
		out += "\n→ " + w.words(hint)
	}
	return out + "\n" + w.words(e.Place) + " · " + when + " · " + w.words(e.Rule)
}

func in(t schema.Text, lang string) string { return t.In(lang) }

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// words makes a text of others harmless and short.
func (w *writer) words(s string) string { return w.escape(plain(s)) }

// plain keeps a text on one line, without characters that nobody sees, and bounded.
func plain(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > maxWords {
			b.WriteString("…")
			break
		}
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case !unicode.IsPrint(r): // controls, directions of writing, and what is no UTF-8
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
