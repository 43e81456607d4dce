package haproxy

import (
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/policy/failover/internal/setting"
	"github.com/poolproof/poolproof/schema"
)

func (e *Engine) readBalance(r *setting.Reader) {
	def := "roundrobin"
	if !e.before(3, 3) {
		def = "random" // since 3.3
	}
	text := r.Text("balance", def)
	name, _, _ := strings.Cut(text, " ")
	name, argument, _ := strings.Cut(name, "(")
	e.readHash(r, text)
	switch name {
	case "roundrobin":
		e.balance = roundRobin
	case "static-rr":
		e.balance = staticRR
	case "leastconn":
		e.balance = leastConn
	case "random":
		e.balance, e.draws = random, 2
		if n, err := strconv.Atoi(strings.TrimSuffix(argument, ")")); err == nil && n > 0 {
			e.draws = min(n, 100)
		}
	case "first":
		e.balance = first
	case "source":
		e.balance = bySource
	case "uri":
		e.balance = byPath
	case "hdr", "url_param", "rdp-cookie", "hash":
		// Without the header, the parameter or the cookie there is nothing to be hashed.
		e.balance = byNothing
		if host := strings.ToLower(argument); strings.HasPrefix(host, "host)") {
			e.balance, e.hash.function = byPath, func(string) uint32 { return 0 } // all requests have the same
		}
		r.Assume(schema.Textf("balance %s: a scenario's requests have no such thing and go round", "balance %s：场景中的请求不含该内容，按轮转处理", strings.TrimSpace(text)))
	default:
		e.balance = bySource
		what := strings.TrimSpace(text)
		r.Assume(schema.Textf("balance %s goes by something that a scenario does not know; played as if it were the client's address", "balance %s 依据的内容在场景中未知；按客户端地址处理", what))
	}
}

// readHash reads hash-type METHOD FUNCTION MODIFIER, and the arguments of balance uri. A consistent hash without a
// function is spread.
func (e *Engine) readHash(r *setting.Reader, balance string) {
	words := strings.Fields(r.Text("hash-type", "map-based"))
	e.hash = hashing{consistent: len(words) > 0 && words[0] == "consistent", function: sdbm}
	e.hash.spread = e.hash.consistent && len(words) == 1 || len(words) > 2 && words[2] == "avalanche"
	if len(words) > 1 {
		switch words[1] {
		case "djb2":
			e.hash.function = djb2
		case "wt6":
			e.hash.function = wt6
		case "crc32":
			e.hash.function = func(text string) uint32 { return crc32.ChecksumIEEE([]byte(text)) }
		}
	}
	e.hash.factor = max(0, r.Int("hash-balance-factor", 0))
	words = strings.Fields(balance)
	for i := 1; i+1 < len(words); i++ {
		n, err := strconv.Atoi(words[i+1])
		switch {
		case err != nil || n < 0:
		case words[i] == "len":
			e.hash.length = n
		case words[i] == "depth":
			e.hash.depth = n
		}
	}
}
