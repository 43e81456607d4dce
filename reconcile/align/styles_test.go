package align_test

import (
	"fmt"
	"strings"
	"time"
)

func styles() []style {
	return []style{
		{"native-block", "poolproof", "o.yaml", "", nativeBlock},
		{"native-flow", "poolproof", "o.yaml", "", nativeFlow},
		{"native-json", "poolproof", "o.json", "", nativeJSON},
		{"native-cue", "poolproof", "o.cue", "", nativeCUE},
		{"mapped-block", "mapped", "o.yml", mappedSource, mappedBlock},
		{"mapped-flow", "mapped", "o.yml", mappedSource, mappedFlow},
		{"mapped-json", "mapped", "o.json", mappedSource, mappedJSON},
		{"mapped-toml", "mapped", "o.toml", mappedSource, mappedTOML},
		{"mapped-inline-toml", "mapped", "o.toml", mappedSource, mappedInlineTOML},
		{"mapped-properties", "mapped", "o.properties", mappedSource, mappedProperties},
		{"listed-properties", "mapped", "o.properties", listedSource, listedProperties},
		{"listed-yaml", "mapped", "o.yaml", listedSource, listedYAML},
		{"markdown", "markdown", "o.md", "", markdown},
		{"markdown-plain", "markdown", "o.md", "", markdownPlain},
		{"asciidoc", "asciidoc", "o.adoc", "", asciidoc},
		{"spring", "spring", "application.yml", "", springYML},
		{"spring-properties", "spring", "application.properties", "", springProperties},
	}
}

func quoteV6(host string) string {
	if strings.Contains(host, ":") {
		return `"` + host + `"`
	}
	return host
}

func joinPort(x person) string {
	if strings.Contains(x.host, ":") {
		return fmt.Sprintf("[%s]:%d", x.host, x.port)
	}
	return fmt.Sprintf("%s:%d", x.host, x.port)
}

// pairs writes what a member says with separators: key, colon, value.
func (m model) pairs(x person, keys [4]string, colon, sep, hostQuote string) string {
	host := hostQuote + x.host + hostQuote
	if hostQuote == "" {
		host = quoteV6(x.host)
	}
	out := keys[0] + colon + host + sep + keys[1] + colon + fmt.Sprint(x.port)
	if m.weights {
		out += sep + keys[2] + colon + fmt.Sprint(x.weight)
	}
	if x.backup {
		out += sep + keys[3] + colon + "true"
	}
	return out
}

var nativeKeys = [4]string{"address", "port", "weight", "backup"}

func (m model) native(b *strings.Builder) {
	fmt.Fprintf(b, "    probe:\n      # keep-probe\n      interval: %s # keep-interval\n      fall: %d\n      path: %s\n", short(m.interval), m.fall, m.path)
	fmt.Fprintf(b, "    cooldown: {duration: %s, jitter: 0.%02d} # keep-cooldown\n", short(m.cooldown), m.jitter)
}

func short(d time.Duration) string { return fmt.Sprintf("%ds", int(d.Seconds())) }

func nativeBlock(m model) string {
	var b strings.Builder
	b.WriteString("# keep-head\npools:\n  orders:\n    members:\n")
	for i, x := range m.members {
		fmt.Fprintf(&b, "      # keep-%d\n      - %s\n", i, m.pairs(x, nativeKeys, ": ", "\n        ", ""))
	}
	m.native(&b)
	b.WriteString("    ramp:\n      batches:\n")
	for _, x := range m.batches {
		fmt.Fprintf(&b, "        - share: %d\n", x.share)
		if x.dwell > 0 {
			fmt.Fprintf(&b, "          dwell: %s\n", short(x.dwell))
		}
	}
	return b.String() + "# keep-end"
}

func nativeFlow(m model) string {
	var b strings.Builder
	b.WriteString("pools:\n  orders:\n    members: [")
	for i, x := range m.members {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("{" + m.pairs(x, nativeKeys, ": ", ", ", "") + "}")
	}
	b.WriteString("] # keep-members\n")
	m.native(&b)
	b.WriteString("    ramp: {batches: [" + m.legs("{share: %d, dwell: %s}", "{share: %d}", ", ", short) + "]} # keep-end\n")
	return b.String()
}

// legs writes the batches, the last without a dwell.
func (m model) legs(with, without, sep string, dwell func(time.Duration) string) string {
	var out []string
	for _, x := range m.batches {
		if x.dwell > 0 {
			out = append(out, fmt.Sprintf(with, x.share, dwell(x.dwell)))
		} else {
			out = append(out, fmt.Sprintf(without, x.share))
		}
	}
	return strings.Join(out, sep)
}

func (m model) each(sep string, f func(i int, x person) string) string {
	var out []string
	for i, x := range m.members {
		out = append(out, f(i, x))
	}
	return strings.Join(out, sep)
}

func nativeJSON(m model) string {
	keys := [4]string{`"address"`, `"port"`, `"weight"`, `"backup"`}
	members := m.each(",\n", func(_ int, x person) string { return "        {" + m.pairs(x, keys, ": ", ", ", `"`) + "}" })
	return fmt.Sprintf("{\"pools\": {\"orders\": {\n  // keep-head\n  \"members\": [\n%s\n  ],\n  \"probe\": {\"interval\": \"%s\", \"fall\": %d, \"path\": %q},\n  \"cooldown\": {\"duration\": %q, \"jitter\": 0.%02d},\n  \"ramp\": {\"batches\": [\n%s\n  ]}\n}}}\n",
		members, short(m.interval), m.fall, m.path, short(m.cooldown), m.jitter, m.legs("    {\n      \"share\": %d,\n      \"dwell\": \"%s\"\n    }", "    {\n      \"share\": %d\n    }", ",\n", short))
}

func nativeCUE(m model) string {
	members := m.each("", func(i int, x person) string {
		return fmt.Sprintf("\t\t// keep-%d\n\t\t{%s},\n", i, m.pairs(x, nativeKeys, ": ", ", ", `"`))
	})
	return fmt.Sprintf("pools: orders: {\n\tmembers: [\n%s\t]\n\tprobe: {\n\t\tinterval: %q // keep-interval\n\t\tfall: %d\n\t\tpath: %q\n\t}\n\tcooldown: {duration: %q, jitter: 0.%02d}\n\tramp: batches: [%s]\n}\n",
		members, short(m.interval), m.fall, m.path, short(m.cooldown), m.jitter, m.legs("{share: %d, dwell: \"%s\"}", "{share: %d}", ", ", short))
}

var mappedKeys = [4]string{"ip", "port", "w", "spare"}

func mappedRest(m model, open string) string {
	return fmt.Sprintf("  every: %d # keep-every\n  fails: %d\n  url: %s\n  rest: %d\n  jitter: %d\n", m.interval.Milliseconds(), m.fall, m.path, int(m.cooldown.Seconds()), m.jitter) + open
}

func bare(d time.Duration) string { return fmt.Sprint(int(d.Seconds())) }

func mappedBlock(m model) string {
	members := m.each("", func(i int, x person) string {
		return fmt.Sprintf("  - name: node-%d\n    %s\n", i, m.pairs(x, mappedKeys, ": ", "\n    ", ""))
	})
	return "o:\n  hosts:\n" + members + mappedRest(m, "  steps:\n") + m.legs("  - percent: %d\n    hold: %s\n", "  - percent: %d\n", "", bare)
}

func mappedFlow(m model) string {
	members := m.each("", func(i int, x person) string {
		return fmt.Sprintf("    # keep-%d\n    - {%s}\n", i, m.pairs(x, mappedKeys, ": ", ", ", ""))
	})
	return "o:\n  hosts:\n" + members + mappedRest(m, "  steps: [") + m.legs("{percent: %d, hold: %s}", "{percent: %d}", ", ", bare) + "]\n"
}

func mappedJSON(m model) string {
	keys := [4]string{`"ip"`, `"port"`, `"w"`, `"spare"`}
	members := m.each(", ", func(_ int, x person) string { return "{" + m.pairs(x, keys, ":", ",", `"`) + "}" })
	return fmt.Sprintf(`{"o":{"hosts":[%s],"every":%d,"fails":%d,"url":%q,"rest":%d,"jitter":%d,"steps":[%s]}}`,
		members, m.interval.Milliseconds(), m.fall, m.path, int(m.cooldown.Seconds()), m.jitter, m.legs(`{"percent":%d,"hold":%s}`, `{"percent":%d}`, ",", bare))
}

func tomlHead(m model) string {
	return fmt.Sprintf("[o]\nevery = %d # keep-every\nfails = %d\nurl = %q\nrest = %d\njitter = %d\n", m.interval.Milliseconds(), m.fall, m.path, int(m.cooldown.Seconds()), m.jitter)
}

func mappedTOML(m model) string {
	members := m.each("", func(i int, x person) string {
		return fmt.Sprintf("\n# keep-%d\n[[o.hosts]]\n%s\n", i, m.pairs(x, mappedKeys, " = ", "\n", `"`))
	})
	return tomlHead(m) + members + m.legs("\n[[o.steps]]\npercent = %d\nhold = %s\n", "\n[[o.steps]]\npercent = %d\n", "", bare)
}

func mappedInlineTOML(m model) string {
	members := m.each("", func(_ int, x person) string {
		return "  {" + m.pairs(x, mappedKeys, " = ", ", ", `"`) + "}, \n"
	})
	return tomlHead(m) + "hosts = [ # keep-hosts\n" + members + "]\nsteps = [" + m.legs("{percent = %d, hold = %s}", "{percent = %d}", ", ", bare) + "]\n"
}

func mappedProperties(m model) string {
	keys := func(i int) [4]string {
		p := fmt.Sprintf("o.hosts[%d].", i)
		return [4]string{p + "ip", p + "port", p + "w", p + "spare"}
	}
	members := m.each("", func(i int, x person) string {
		host := m.pairs(x, keys(i), "=", "\n", "")
		return "# keep-" + fmt.Sprint(i) + "\n" + strings.ReplaceAll(host, `"`, "") + "\n"
	})
	var steps strings.Builder
	for i, x := range m.batches {
		fmt.Fprintf(&steps, "o.steps[%d].percent=%d\n", i, x.share)
		if x.dwell > 0 {
			fmt.Fprintf(&steps, "o.steps[%d].hold=%s\n", i, bare(x.dwell))
		}
	}
	return members + fmt.Sprintf("o.every=%d\no.fails=%d\no.url=%s\no.rest=%d\no.jitter=%d\n", m.interval.Milliseconds(), m.fall, m.path, int(m.cooldown.Seconds()), m.jitter) + steps.String()
}

// listed gives every model two members, so that the text has a comma, and a dwell to every batch.
func listed(m model) (hosts, shares, holds []string) {
	for _, x := range append(m.members, person{host: "10.0.0.99", port: 1}) {
		hosts = append(hosts, joinPort(x))
	}
	for _, x := range append([]leg{{share: 0, dwell: time.Second}}, m.batches...) {
		shares = append(shares, fmt.Sprint(x.share))
		holds = append(holds, short(max(x.dwell, time.Second)))
	}
	return hosts, shares, holds
}

func listedProperties(m model) string {
	hosts, shares, holds := listed(m)
	return "# keep-head\no.hosts = " + strings.Join(hosts, ", ") + "\no.every=" + short(m.interval) + "\no.shares=" + strings.Join(shares, ",") + "\no.holds=" + strings.Join(holds, ",")
}

func listedYAML(m model) string {
	hosts, shares, holds := listed(m)
	for i := range hosts {
		if hosts[i][0] == '[' || i%2 == 0 {
			hosts[i] = "'" + hosts[i] + "'"
		}
	}
	return "o:\n  hosts:\n  - " + strings.Join(hosts, "\n  - ") + "\n  every: " + short(m.interval) + " # keep-every\n  shares: [" + strings.Join(shares, ", ") + "]\n  holds:\n    - " + strings.Join(holds, "\n    - ") + "\n"
}

func markdown(m model) string {
	var b strings.Builder
	b.WriteString("# Orders\n\n<!-- keep-head -->\n\n| # | Address                 | Weight | Backup |\n|---|-------------------------|-------:|--------|\n")
	for i, x := range m.members {
		backup := "no"
		if x.backup {
			backup = "yes"
		}
		fmt.Fprintf(&b, "| %d | %-23s | %6d | %-6s |\n", i+1, "`"+joinPort(x)+"`", x.weight, backup)
	}
	fmt.Fprintf(&b, "\n| Parameter           | Value   |\n|---------------------|---------|\n| Probe interval      | %-7s |\n| Unhealthy threshold | %-7d |\n| Probe path          | %s |\n| Cooldown            | %-7s |\n", short(m.interval), m.fall, m.path, short(m.cooldown))
	b.WriteString("\nText keep-text.\n\n| Batch | Share | Dwell |\n|---|---|---|\n")
	for i, x := range m.batches {
		dwell := ""
		if x.dwell > 0 {
			dwell = fmt.Sprintf("%d 秒", int(x.dwell.Seconds()))
		}
		fmt.Fprintf(&b, "| %d | %d %% | %s |\n", i+1, x.share, dwell)
	}
	return b.String()
}

func markdownPlain(m model) string {
	var b strings.Builder
	b.WriteString("# 订单地址池 orders\n\n地址|端口|权重|备注\n---|---|---|---\n")
	for _, x := range m.members {
		fmt.Fprintf(&b, "%s|%d|%d|-\n", x.host, x.port, x.weight)
	}
	return strings.Replace(b.String(), "订单地址池 orders", "orders", 1) + "\n探测间隔|失败阈值\n---|---\n" + fmt.Sprintf("%d s|%d 次\n", int(m.interval.Seconds()), m.fall)
}

func asciidoc(m model) string {
	var b strings.Builder
	b.WriteString("= Orders\n\n// keep-head\n\n|===\n|Address |Port |Weight\n\n")
	for _, x := range m.members {
		fmt.Fprintf(&b, "|%s |%d\n|%d\n\n", x.host, x.port, x.weight)
	}
	fmt.Fprintf(&b, "|===\n\n|===\n|Parameter |Value\n\n|Probe interval |%d s\n|Cooldown |%d s\n|===\n", int(m.interval.Seconds()), int(m.cooldown.Seconds()))
	return b.String()
}

func springYML(m model) string {
	members := m.each("", func(i int, x person) string {
		weight := ""
		if m.weights {
			weight = fmt.Sprintf("\n          metadata:\n            weight: %d", x.weight)
		}
		return fmt.Sprintf("        # keep-%d\n        - uri: http://%s%s\n", i, joinPort(x), weight)
	})
	return "spring:\n  cloud:\n    discovery.client.simple.instances:\n      orders:\n" + members +
		fmt.Sprintf("    loadbalancer.health-check:\n      interval: %d # keep-interval\n      path.default: %s\nresilience4j.circuitbreaker.instances.orders:\n  failureRateThreshold: 50\n  waitDurationInOpenState: %s\n", m.interval.Milliseconds(), m.path, short(m.cooldown))
}

func springProperties(m model) string {
	members := m.each("", func(i int, x person) string {
		p := fmt.Sprintf("spring.cloud.discovery.client.simple.instances.orders[%d].", i)
		return fmt.Sprintf("# keep-%d\n%shost=%s\n%sport=%d\n", i, p, x.host, p, x.port)
	})
	return members + "spring.cloud.loadbalancer.health-check.interval=PT" + strings.ToUpper(short(m.interval)) + "\nresilience4j.circuitbreaker.instances.orders.waitDurationInOpenState=" + short(m.cooldown) + "\n"
}
