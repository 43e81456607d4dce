package audit_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/schema"
)

// excused plays two gateway members that the application lacks, under some exceptions, and returns what is left loud.
func excused(t *testing.T, exceptions string, markers string) string {
	t.Helper()
	files := map[string]string{
		"poolproof.yaml": `sources:
  - {side: gateway, format: haproxy, files: [gw.cfg]}
  - {side: app, format: poolproof, files: [app.yaml]}
pools:
  orders: {names: {gateway: be_orders}}
` + exceptions,
		"gw.cfg":   "backend be_orders\n    server a 10.0.0.1:8080 check\n    server b 10.0.0.2:8080 check\n    server c 10.0.0.3:8080 check\n",
		"app.yaml": "pools:\n  orders:\n    members:\n      - {address: 10.0.0.1, port: 8080}\n    cooldown: {duration: 60s}\n" + markers,
	}
	var loud []string
	for _, f := range play(t, files) {
		if f.Status != schema.Suppressed {
			loud = append(loud, strings.TrimSpace(f.Rule+" "+f.Member))
		}
	}
	return strings.Join(loud, ", ")
}

func TestExceptions(t *testing.T) {
	const b, c, repeat = "members/missing 10.0.0.2:8080", "members/missing 10.0.0.3:8080", "cooldown/no-repeat-limit"
	one := func(rest string) string {
		return "exceptions:\n  - {initiator: a, saw: b, reclaim: c, expires: 2026-12-31, " + rest + "}\n"
	}
	for _, tt := range []struct{ name, exceptions, markers, want string }{
		{"none", "", "", strings.Join([]string{repeat, b, c}, ", ")},
		{"one member", one(`rule: members/missing, pool: orders, side: app, member: "10.0.0.2:8080"`), "", repeat + ", " + c},
		{"another spelling of pool and member", one(`rule: members/missing, pool: Orders_Pool, side: app, member: "[::ffff:10.0.0.2]:8080"`), "", repeat + ", " + c},
		{"another side", one(`rule: members/missing, pool: orders, side: doc, member: "10.0.0.2:8080"`), "", repeat + ", " + b + ", " + c + ", exception/unused"},
		{"another pool", one(`rule: members/missing, pool: stock, side: app, member: "10.0.0.2:8080"`), "", repeat + ", " + b + ", " + c + ", exception/unused"},
		{"an area needs what its rules need", one(`rule: members/*, pool: orders, side: app`), "", repeat + ", " + b + ", " + c + ", exception/unused"},
		{"a judgement needs no side", one(`rule: cooldown/no-repeat-limit, pool: orders`), "", b + ", " + c},
		{"an area of judgements", one(`rule: cooldown/*, pool: orders`), "", b + ", " + c},
		{"another field", one(`rule: cooldown/no-repeat-limit, pool: orders, field: duration`), "", repeat + ", " + b + ", " + c + ", exception/unused"},
		{"its field", one(`rule: cooldown/no-repeat-limit, pool: orders, field: cooldown.repeat`), "", b + ", " + c},
		{"without a reason", "exceptions:\n  - {rule: cooldown/no-repeat-limit, pool: orders, initiator: a, saw: b, expires: 2026-12-31}\n", "", repeat + ", " + b + ", " + c + ", exception/incomplete"},

		{"a marker", "", "# poolproof:ignore cooldown/no-repeat-limit until=2026-12-31 by=a because=b\n", b + ", " + c},
		{"a marker of another pool", "", "# poolproof:ignore cooldown/no-repeat-limit pool=stock until=2026-12-31 by=a because=b\n", repeat + ", " + b + ", " + c},
		{"a marker without an end", "", "# poolproof:ignore cooldown/no-repeat-limit by=a because=b\n", repeat + ", " + b + ", " + c + ", exception/incomplete"},
		{"a marker for an error", "", "# poolproof:ignore members/missing until=2026-12-31 by=a because=b\n", repeat + ", " + b + ", " + c + ", exception/incomplete"},
		{"a marker that has expired", "", "# poolproof:ignore cooldown/no-repeat-limit until=2026-11-29 by=a because=b\n", repeat + ", " + b + ", " + c + ", exception/expired"},
		{"a marker on its last day", "", "# poolproof:ignore cooldown/no-repeat-limit until=2026-11-30 by=a because=b\n", b + ", " + c},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := excused(t, tt.exceptions, tt.markers); got != tt.want {
				t.Errorf("loud: %s\nwant: %s", got, tt.want)
			}
		})
	}
}
