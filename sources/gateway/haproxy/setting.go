package haproxy

import "slices"

// valueKind says how a setting is read.
type valueKind uint8

const (
	textValue valueKind = iota // all arguments
	flagValue                  // present or not
	timeValue
	countValue
	wordsValue // a list without order
	flagOrCount
)

// settingKey is a keyword, with the word behind it for "timeout" and "option".
type settingKey struct{ first, second string }

// settingInfo says where a setting goes. An empty path is the keyword itself.
type settingInfo struct {
	kind valueKind
	path string
}

// settings lists the section keywords that concern failover. Nothing writes to it after start.
var settings = map[settingKey]settingInfo{
	{"mode", ""}:                        {textValue, "mode"},
	{"balance", ""}:                     {textValue, "balance"},
	{"hash-type", ""}:                   {textValue, "hash-type"},
	{"hash-balance-factor", ""}:         {countValue, "hash-balance-factor"},
	{"http-reuse", ""}:                  {textValue, "http-reuse"},
	{"maxconn", ""}:                     {countValue, "maxconn"},
	{"fullconn", ""}:                    {countValue, "fullconn"},
	{"disabled", ""}:                    {flagValue, "disabled"},
	{"load-server-state-from-file", ""}: {textValue, "load-server-state-from-file"},
	{"retries", ""}:                     {countValue, "retry.attempts"},
	{"retry-on", ""}:                    {wordsValue, "retry.on"},
	{"option", "redispatch"}:            {flagOrCount, "option redispatch"},
	{"option", "allbackups"}:            {flagValue, "option allbackups"},
	{"option", "persist"}:               {flagValue, "option persist"},
	{"option", "prefer-last-server"}:    {flagValue, "option prefer-last-server"},
	{"option", "abortonclose"}:          {flagValue, "option abortonclose"},
	{"option", "http-keep-alive"}:       {flagValue, "option http-keep-alive"},
	{"option", "http-server-close"}:     {flagValue, "option http-server-close"},
	{"option", "httpclose"}:             {flagValue, "option httpclose"},
	{"timeout", "connect"}:              {timeValue, "timeout connect"},
	{"timeout", "server"}:               {timeValue, "timeout server"},
	{"timeout", "client"}:               {timeValue, "timeout client"},
	{"timeout", "queue"}:                {timeValue, "timeout queue"},
	{"timeout", "check"}:                {timeValue, "timeout check"},
	{"timeout", "tunnel"}:               {timeValue, "timeout tunnel"},
	{"timeout", "http-request"}:         {timeValue, "timeout http-request"},
	{"timeout", "http-keep-alive"}:      {timeValue, "timeout http-keep-alive"},
	{"timeout", "server-fin"}:           {timeValue, "timeout server-fin"},
	{"http-check", "disable-on-404"}:    {flagValue, "http-check disable-on-404"},
	{"http-check", "send-state"}:        {flagValue, "http-check send-state"},
}

// oldKeywords are the spellings before HAProxy 2.1.
var oldKeywords = map[string]settingKey{
	"clitimeout": {"timeout", "client"}, "contimeout": {"timeout", "connect"}, "srvtimeout": {"timeout", "server"},
	"redispatch": {"option", "redispatch"}, "redisp": {"option", "redispatch"},
}

// setting is a keyword of a section with its arguments.
type setting struct {
	directive
	key  settingKey
	info settingInfo
	own  bool // of the section itself, not of its defaults
}

// args returns the arguments behind the keyword.
func (s *setting) args() []word {
	n := 1
	if s.key.second != "" && s.words[0].text == s.key.first {
		n = 2
	}
	return s.words[min(n, len(s.words)):]
}

// set records a setting; unknown keywords are skipped.
func (p *proxy) set(d directive) {
	key := settingKey{first: d.words[0].text}
	switch key.first {
	case "timeout", "option", "http-check":
		if len(d.words) < 2 {
			return
		}
		key.second = d.words[1].text
	case "enabled":
		p.forget("disabled", "")
		return
	}
	if old, ok := oldKeywords[key.first]; ok {
		key = old
	}
	info, ok := settings[key]
	if !ok {
		return
	}
	d.words = slices.Clone(d.words)
	s := setting{directive: d, key: key, info: info, own: true}
	for i := range p.settings {
		old := &p.settings[i]
		if old.key != key {
			continue
		}
		if old.own && !old.unsure && !d.unsure && info.kind != flagValue && info.kind != flagOrCount && !sameWords(old.args(), s.args()) {
			name := key.first
			if key.second != "" {
				name += " " + key.second
			}
			p.duplicate(name, s.at, old.at)
		}
		*old = s
		return
	}
	p.settings = append(p.settings, s)
}

// forget drops a setting: "default option X" returns to what HAProxy does by itself.
func (p *proxy) forget(first, second string) {
	key := settingKey{first, second}
	p.settings = slices.DeleteFunc(p.settings, func(s setting) bool { return s.key == key })
}

func (p *proxy) setting(first, second string) *setting {
	for i := range p.settings {
		if p.settings[i].key == (settingKey{first, second}) {
			return &p.settings[i]
		}
	}
	return nil
}

func sameWords(a, b []word) bool {
	return slices.EqualFunc(a, b, func(x, y word) bool { return x.text == y.text })
}
