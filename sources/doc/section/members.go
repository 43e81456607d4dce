package section

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/doc/vocabulary"
)

// memberColumns are the columns of a member list; -1 where there is none.
type memberColumns struct {
	host, name, port, weight, priority, backup, role, state, enabled, since, provider, model int
	extras                                                                                   []extraColumn
}

// extraColumn is a column that goes to a member's further values.
type extraColumn struct {
	column int
	path   schema.Path
	kind   schema.Kind
}

// Further values that a member list may give, in the order in which they are shown.
var extras = []struct {
	meaning vocabulary.Column
	path    schema.Path
	kind    schema.Kind
}{
	{vocabulary.Region, "region", schema.TextKind},
	{vocabulary.Zone, "zone", schema.TextKind},
	{vocabulary.Interface, "interfaces", schema.List},
	{vocabulary.MaxConnections, "maxConnections", schema.Int},
	{vocabulary.CheckPort, "check.port", schema.Int},
	{vocabulary.ContextWindow, "contextWindow", schema.Int},
	{vocabulary.Features, "features", schema.List},
}

func (h *header) members() *memberColumns {
	c := &memberColumns{
		host: h.member(), name: h.column(vocabulary.Name), port: h.column(vocabulary.Port), weight: h.column(vocabulary.Weight),
		priority: h.column(vocabulary.Priority), backup: h.column(vocabulary.Backup), role: h.column(vocabulary.Role),
		state: h.column(vocabulary.State), enabled: h.column(vocabulary.Enabled), since: h.column(vocabulary.Since),
		provider: h.column(vocabulary.Provider), model: h.column(vocabulary.Model),
	}
	// Of several columns that could name the member the surest is its address; the next one is a name.
	for _, m := range []vocabulary.Column{vocabulary.MemberName, vocabulary.Host} {
		if i := h.column(m); c.name < 0 && i != c.host {
			c.name = i
		}
	}
	for _, e := range extras {
		if i := h.column(e.meaning); i >= 0 {
			c.extras = append(c.extras, extraColumn{i, e.path, e.kind})
		}
	}
	return c
}

// members reads a table with one member a row.
func (r *reader) members() {
	columns := r.h.members()
	for i := range r.t.Rows {
		row := &r.t.Rows[i]
		if row.Flaw == None && blank(row) {
			continue
		}
		d := r.draft(row)
		d.stated(schema.Members)
		if row.Flaw != None {
			d.shape(r.t, row)
			if row.Flaw != Loose { // a row that may be a member accuses nobody of missing one
				d.quiet(d.member(""), Cell{Text: cellText(row), At: row.At})
				d.entries++
			}
			continue
		}
		if d.copy.Members == nil && r.pool < 0 {
			d.copy.Members = make([]schema.Member, 0, len(r.t.Rows))
		}
		r.member(d, row, columns)
	}
	if len(r.t.Rows) == 0 {
		r.draft(&Row{}).stated(schema.Members)
	}
	for _, c := range r.t.Elsewhere {
		d := r.draft(&Row{})
		d.copy.Unresolve(d.member("").Path(), c.Text, c.At)
		d.open = true
		d.entries++
	}
}

// blank reports whether no cell of a row holds anything.
func blank(row *Row) bool {
	for _, c := range row.Cells {
		if c.Text != "" && (c.Text[0] >= '0' && c.Text[0] != ':' || strings.Trim(c.Text, "-–—: ") != "") {
			return false
		}
	}
	return true
}

func cellText(row *Row) string {
	if len(row.Cells) == 0 {
		return ""
	}
	return row.Cells[0].Text
}

// member reads one row. Several addresses in one cell share the rest of the row.
func (r *reader) member(d *draft, row *Row, c *memberColumns) {
	m := schema.Member{At: row.At}
	host, provider, model := row.cell(c.host), row.cell(c.provider), row.cell(c.model)
	if r.sumsUp(d, row, c) {
		return
	}
	if host.Struck && (d.lex.Nothing(host.Text) || isNote(host.Text)) {
		return // a member that is struck out is none
	}
	if c.host < 0 || d.lex.Nothing(host.Text) {
		if provider.Struck || model.Struck {
			return
		}
		if !d.model(&m, provider, model) {
			d.copy.Report(schema.Problem{Rule: shapeRule, At: row.At, Item: schema.Members,
				Text: schema.Textf("this row has values and no member that they belong to", "该行有取值，但没有对应的成员"),
				Hint: schema.Textf("write the address in every row", "每行都写上地址")})
			return
		}
		r.rest(d, &m, row, c)
		d.copy.Members = append(d.copy.Members, m)
		d.entries++
		return
	}
	if c.port >= 0 && isLabel(row, host) {
		return
	}
	text, ok := d.said(d.member("address"), host)
	if !ok {
		d.entries++
		return
	}
	for text != "" {
		piece := host
		piece.Text, text = cutList(text)
		if text != "" || piece.Text != host.Text {
			piece.At = within(host, piece.Text)
		}
		if piece.Text == "" {
			continue
		}
		m := m
		if d.address(&m, piece) && d.port(&m, row.cell(c.port)) {
			r.rest(d, &m, row, c)
			d.extra(&m, "provider", provider)
			d.extra(&m, "model", model)
			d.copy.Members = append(d.copy.Members, m)
		}
		d.entries++
	}
}

// isNote reports whether a text is nothing but a note in parentheses.
func isNote(text string) bool {
	text, _ = schema.Fold(text)
	return strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")")
}

// sumsUp reports whether a row sums up those above: it begins with a word for that, and has no address and no port.
func (r *reader) sumsUp(d *draft, row *Row, c *memberColumns) bool {
	at := slices.IndexFunc(row.Cells, func(cell Cell) bool { return cell.Text != "" })
	if at < 0 || !d.lex.Total(row.Cells[at].Text) {
		return false
	}
	silent := func(column int) bool { return column == at || d.lex.Nothing(row.cell(column).Text) }
	return silent(c.host) && silent(c.model) && d.lex.Nothing(row.cell(c.port).Text)
}

// isLabel reports whether a row of a table with ports is a caption for the rows below it: a name and nothing else.
func isLabel(row *Row, name Cell) bool {
	said := 0
	for _, c := range row.Cells {
		if c.Text != "" {
			said++
		}
	}
	if said > 1 || !plain(name.Text) && strings.ContainsAny(name.Text, "{$<") {
		return false
	}
	e, ok := schema.SplitEndpoint(name.Text)
	if !ok { // a socket is none, nor is a broken address, which gets its finding
		return strings.IndexByte("[/0123456789", name.Text[0]) < 0 && !strings.HasPrefix(name.Text, "unix:")
	}
	return e.Port == 0 && e.Scheme == "" && !schema.IsAddress(e.Host)
}

// cutList takes the first entry off a list of addresses.
func cutList(s string) (first, rest string) {
	for i := 0; i < len(s); i++ {
		sep := 0
		switch s[i] {
		case ',', ';', '\n':
			sep = 1
		case "、"[0]:
			if strings.HasPrefix(s[i:], "、") {
				sep = len("、")
			}
		}
		if sep > 0 {
			return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+sep:])
		}
	}
	return s, ""
}

// within returns the place of a part of a cell; the whole cell where the part does not stand in it as it is.
func within(c Cell, part string) schema.Span {
	if int(c.At.End-c.At.Start) == len(c.Text) {
		if i := strings.Index(c.Text, part); i >= 0 {
			return schema.At(int(c.At.Start)+i, int(c.At.Start)+i+len(part))
		}
	}
	return c.At
}

// model reads a member that is a model deployment.
func (d *draft) model(m *schema.Member, provider, model Cell) bool {
	ok := false
	if text, said := d.said(d.member("provider"), provider); said {
		m.Provider, m.HostAt, ok = text, provider.At, true
	}
	if text, said := d.said(d.member("model"), model); said {
		m.Model, m.HostAt, ok = text, schema.Join(m.HostAt, model.At), true
	}
	return ok
}

// address reads who the member is. What stands for several members that are not written opens the list.
func (d *draft) address(m *schema.Member, c Cell) bool {
	m.HostAt = c.At
	if path, ok := strings.CutPrefix(c.Text, "unix:"); ok || strings.HasPrefix(c.Text, "/") {
		m.Socket = strings.TrimPrefix(path, "//")
		return true
	}
	if e, ok := schema.SplitEndpoint(c.Text); ok && !isRange(c.Text) {
		m.Host, m.Port = e.Host, uint16(e.Port)
		switch {
		case e.Port != 0:
			m.HostAt, m.PortAt = splitPlace(c, e)
		case e.Scheme != "":
			if p := schema.DefaultPort(e.Scheme); p != 0 {
				m.Port, m.PortImplied = uint16(p), true
			}
		}
		return true
	}
	if _, err := netip.ParsePrefix(c.Text); err == nil || isRange(c.Text) {
		d.open = true
		d.copy.Unresolve(d.member("address").Path(), c.Text, c.At)
		return false
	}
	d.refuse(d.member("address"), c, "schema/invalid",
		schema.Textf("%q is no address", "%q 不是地址", c.Text),
		schema.Textf("write a host name, an IP address, host:port, [IPv6]:port or a URL", "请写主机名、IP 地址、host:port、[IPv6]:port 或 URL"))
	return false
}

// isRange reports a range of addresses, 10.0.0.1-10.0.0.9 or 10.0.0.1-9, which host names could look like.
func isRange(s string) bool {
	return s[0] >= '0' && s[0] <= '9' && strings.Count(s, ".") >= 3 && strings.ContainsAny(s, "-~") && strings.Trim(s, "0123456789.-~ ") == ""
}

// splitPlace returns the places of host and port of an endpoint whose text stands in the file as it is.
func splitPlace(c Cell, e schema.Endpoint) (host, port schema.Span) {
	if int(c.At.End-c.At.Start) != len(c.Text) {
		return c.At, c.At
	}
	start, end := e.Offset, len(c.Text)-len(e.Path)
	colon := strings.LastIndexByte(c.Text[:end], ':')
	at := func(from, to int) schema.Span { return schema.At(int(c.At.Start)+from, int(c.At.Start)+to) }
	return at(start, colon), at(colon+1, end)
}

// member names a value of the entry that is being read.
func (d *draft) member(leaf string) place { return place{list: members, index: d.entries, leaf: leaf} }
