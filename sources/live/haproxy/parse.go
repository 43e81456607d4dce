package haproxy

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/sources/live"
)

// parseInfo reads the "Key: value" lines of show info.
func parseInfo(text []byte) map[string]string {
	info := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			info[key] = strings.TrimSpace(value)
		}
	}
	return info
}

// parseBackends reads show backend: a comment, then one name a line.
func parseBackends(text []byte) []string {
	var names []string
	for line := range strings.Lines(string(text)) {
		if name := strings.TrimSpace(line); name != "" && name[0] != '#' {
			names = append(names, name)
		}
	}
	return names
}

// state is one server of show servers state.
type state struct {
	backend, name, addr, fqdn, srv string
	port                           int
	admin                          uint64
	weight                         int64
}

// parseState reads show servers state: the number of the format, a comment that names the columns, one server a line.
func parseState(text []byte) ([]state, error) {
	broken := live.Because(nil, "its list of servers is of another form than poolproof knows", "服务器列表的格式不是 poolproof 所知的")
	var columns map[string]int
	var out []state
	first := true
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case first:
			if first = false; len(words) != 1 || words[0] != "1" {
				return nil, broken
			}
			continue
		case words[0] == "#":
			columns = make(map[string]int, len(words))
			for i, w := range words[1:] {
				columns[w] = i
			}
			continue
		}
		get := func(column string) string {
			if i, ok := columns[column]; ok && i < len(words) {
				return words[i]
			}
			return ""
		}
		if len(words) < len(columns) {
			return nil, broken
		}
		s := state{backend: get("be_name"), name: get("srv_name"), addr: get("srv_addr"), fqdn: given(get("srv_fqdn")), srv: given(get("srvrecord"))}
		var errs [3]error
		s.port, errs[0] = strconv.Atoi(get("srv_port"))
		s.admin, errs[1] = strconv.ParseUint(get("srv_admin_state"), 10, 32)
		s.weight, errs[2] = strconv.ParseInt(get("srv_uweight"), 10, 32)
		if s.backend == "" || s.name == "" || errors.Join(errs[:]...) != nil {
			return nil, broken
		}
		out = append(out, s)
	}
	if columns == nil {
		return nil, broken
	}
	return out, nil
}

// given returns a word that is not the mark of nothing.
func given(word string) string {
	if word == "-" {
		return ""
	}
	return word
}

// stat is one line of show stat that is a server or a backend.
type stat struct {
	proxy, name string
	server      bool
	fields      map[string]string // the columns that are read
}

// columns of show stat that are read.
var statColumns = [...]string{"pxname", "svname", "type", "status", "weight", "uweight", "bck", "throttle", "addr", "check_rise", "check_fall", "agent_status", "agent_rise"}

// parseStat reads the CSV of show stat and of the page: a comment that names the columns, one line for each frontend,
// server and backend. A proxy that has servers ends with its backend, so that a list which is cut off is noticed.
func parseStat(text []byte) ([]stat, error) {
	text = bytes.TrimPrefix(bytes.TrimSpace(text), []byte("# "))
	if !bytes.HasPrefix(text, []byte("pxname,svname,")) {
		return nil, live.Because(nil, "its statistics are no CSV of HAProxy: is this the address of the statistics page?", "统计信息不是 HAProxy 的 CSV：这是统计页的地址吗？")
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.ReuseRecord = true
	var index [len(statColumns)]int
	var out []stat
	open := "" // a proxy whose backend has not come yet
	for n := 0; ; n++ {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, live.Because(err, "its statistics break off, or are no CSV", "统计信息不完整或不是 CSV")
		}
		if n == 0 {
			for i, c := range statColumns {
				index[i] = -1
				for j, name := range record {
					if name == c {
						index[i] = j
					}
				}
			}
			continue
		}
		s := stat{fields: make(map[string]string, len(statColumns))}
		for i, c := range statColumns {
			if j := index[i]; j >= 0 && record[j] != "" {
				s.fields[c] = strings.Clone(record[j])
			}
		}
		s.proxy, s.name = s.fields["pxname"], s.fields["svname"]
		switch s.fields["type"] {
		case "2":
			s.server, open = true, s.proxy
		case "1":
			if open == s.proxy {
				open = ""
			}
		default:
			continue
		}
		out = append(out, s)
	}
	if open != "" {
		return nil, live.Because(nil, "its statistics break off", "统计信息不完整")
	}
	return out, nil
}

// number returns a column that is a number.
func (s *stat) number(column string) (int64, bool) {
	if s == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(s.fields[column], 10, 32)
	return n, err == nil
}
