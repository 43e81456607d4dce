package haproxy

import "strings"

// param names a server parameter that is read; the others are only skipped.
type param uint8

const (
	pSkip param = iota
	pFrom
	pCheck
	pInter
	pFastinter
	pDowninter
	pRise
	pFall
	pPort
	pAddr
	pCheckSSL
	pCheckSNI
	pCheckALPN
	pCheckProto
	pCheckProxy
	pHealthcheck
	pSSL
	pAgentCheck
	pAgentPort
	pAgentAddr
	pAgentInter
	pWeight
	pBackup
	pDisabled
	pInitState
	pMaxconn
	pMinconn
	pMaxqueue
	pCookie
	pTrack
	pID
	pSource
	pResolvers
	pProto
	pObserve
	pErrorLimit
	pOnError
	pOnMarkedDown
	pOnMarkedUp
	pSlowstart
	params // the number of parameters
)

// keyword is one server parameter: what it is, how many words follow it, and whether it undoes the parameter.
type keyword struct {
	param param
	args  int8
	undo  bool
}

// sourceArgs marks "source", which takes an address and then any of "usesrc X" and "interface X".
const sourceArgs = -1

// keywords holds the server parameters of HAProxy 1.8 to 3.5 (the registration tables of server.c, check.c, tcpcheck.c,
// cfgparse-ssl.c, cfgparse-tcp.c and cfgparse-quic.c). Nothing writes to it after start.
var keywords = map[string]keyword{
	"from": {pFrom, 1, false},

	"check": {pCheck, 0, false}, "no-check": {pCheck, 0, true},
	"inter": {pInter, 1, false}, "fastinter": {pFastinter, 1, false}, "downinter": {pDowninter, 1, false},
	"rise": {pRise, 1, false}, "fall": {pFall, 1, false},
	"port": {pPort, 1, false}, "addr": {pAddr, 1, false},
	"check-ssl": {pCheckSSL, 0, false}, "no-check-ssl": {pCheckSSL, 0, true},
	"check-sni": {pCheckSNI, 1, false}, "check-alpn": {pCheckALPN, 1, false}, "check-proto": {pCheckProto, 1, false},
	"check-send-proxy": {pCheckProxy, 0, false}, "no-check-send-proxy": {pCheckProxy, 0, true},
	"healthcheck": {pHealthcheck, 1, false},
	"ssl":         {pSSL, 0, false}, "no-ssl": {pSSL, 0, true},
	"agent-check": {pAgentCheck, 0, false}, "no-agent-check": {pAgentCheck, 0, true},
	"agent-port": {pAgentPort, 1, false}, "agent-addr": {pAgentAddr, 1, false}, "agent-inter": {pAgentInter, 1, false},

	"weight": {pWeight, 1, false},
	"backup": {pBackup, 0, false}, "no-backup": {pBackup, 0, true},
	"disabled": {pDisabled, 0, false}, "enabled": {pDisabled, 0, true},
	"init-state": {pInitState, 1, false},
	"maxconn":    {pMaxconn, 1, false}, "minconn": {pMinconn, 1, false}, "maxqueue": {pMaxqueue, 1, false},
	"cookie": {pCookie, 1, false}, "track": {pTrack, 1, false}, "id": {pID, 1, false},
	"source": {pSource, sourceArgs, false}, "resolvers": {pResolvers, 1, false}, "proto": {pProto, 1, false},

	"observe": {pObserve, 1, false}, "error-limit": {pErrorLimit, 1, false}, "on-error": {pOnError, 1, false},
	"on-marked-down": {pOnMarkedDown, 1, false}, "on-marked-up": {pOnMarkedUp, 1, false},
	"slowstart": {pSlowstart, 1, false},

	"agent-send": {pSkip, 1, false}, "allow-0rtt": {pSkip, 0, false}, "alpn": {pSkip, 1, false}, "ca-file": {pSkip, 1, false},
	"cc": {pSkip, 1, false}, "check-pool-conn-name": {pSkip, 1, false}, "check-reuse-pool": {pSkip, 0, false},
	"check-sni-auto": {pSkip, 0, false}, "check-via-socks4": {pSkip, 0, false}, "ciphers": {pSkip, 1, false},
	"ciphersuites": {pSkip, 1, false}, "client-sigalgs": {pSkip, 1, false}, "crl-file": {pSkip, 1, false},
	"crt": {pSkip, 1, false}, "curves": {pSkip, 1, false}, "force-sslv3": {pSkip, 0, false},
	"force-tlsv10": {pSkip, 0, false}, "force-tlsv11": {pSkip, 0, false}, "force-tlsv12": {pSkip, 0, false},
	"force-tlsv13": {pSkip, 0, false}, "guid": {pSkip, 1, false}, "hash-key": {pSkip, 1, false},
	"idle-ping": {pSkip, 1, false}, "init-addr": {pSkip, 1, false}, "interface": {pSkip, 1, false},
	"ktls": {pSkip, 1, false}, "log-bufsize": {pSkip, 1, false}, "log-proto": {pSkip, 1, false},
	"max-reuse": {pSkip, 1, false}, "namespace": {pSkip, 1, false}, "no-check-reuse-pool": {pSkip, 0, false},
	"no-check-sni-auto": {pSkip, 0, false}, "no-renegotiate": {pSkip, 0, false}, "no-send-proxy": {pSkip, 0, false},
	"no-send-proxy-v2": {pSkip, 0, false}, "no-send-proxy-v2-ssl": {pSkip, 0, false},
	"no-send-proxy-v2-ssl-cn": {pSkip, 0, false}, "no-sni-auto": {pSkip, 0, false}, "no-ssl-reuse": {pSkip, 0, false},
	"no-sslv3": {pSkip, 0, false}, "no-tfo": {pSkip, 0, false}, "no-tls-tickets": {pSkip, 0, false},
	"no-tlsv10": {pSkip, 0, false}, "no-tlsv11": {pSkip, 0, false}, "no-tlsv12": {pSkip, 0, false},
	"no-tlsv13": {pSkip, 0, false}, "no-verifyhost": {pSkip, 0, false}, "non-stick": {pSkip, 0, false},
	"npn": {pSkip, 1, false}, "pool-conn-name": {pSkip, 1, false}, "pool-low-conn": {pSkip, 1, false},
	"pool-max-conn": {pSkip, 1, false}, "pool-purge-delay": {pSkip, 1, false}, "proxy-v2-options": {pSkip, 1, false},
	"quic-cc-algo": {pSkip, 1, false}, "redir": {pSkip, 1, false}, "renegotiate": {pSkip, 0, false},
	"resolve-net": {pSkip, 1, false}, "resolve-opts": {pSkip, 1, false}, "resolve-prefer": {pSkip, 1, false},
	"send-proxy": {pSkip, 0, false}, "send-proxy-v2": {pSkip, 0, false}, "send-proxy-v2-ssl": {pSkip, 0, false},
	"send-proxy-v2-ssl-cn": {pSkip, 0, false}, "shard": {pSkip, 1, false}, "sigalgs": {pSkip, 1, false},
	"sni": {pSkip, 1, false}, "sni-auto": {pSkip, 0, false}, "socks4": {pSkip, 1, false},
	"ssl-max-ver": {pSkip, 1, false}, "ssl-min-ver": {pSkip, 1, false}, "ssl-reuse": {pSkip, 0, false},
	"stick": {pSkip, 0, false}, "strict-maxconn": {pSkip, 0, false}, "tcp-md5sig": {pSkip, 1, false},
	"tcp-ut": {pSkip, 1, false}, "tfo": {pSkip, 0, false}, "tls-tickets": {pSkip, 0, false}, "usesrc": {pSkip, 1, false},
	"verify": {pSkip, 1, false}, "verifyhost": {pSkip, 1, false}, "ws": {pSkip, 1, false},
}

// lookup returns the parameter of a word; ok is false for unknown ones, which are skipped alone.
func lookup(text string) (keyword, bool) {
	k, ok := keywords[text]
	if !ok && strings.HasPrefix(text, "set-proxy-v2-tlv-fmt(") {
		return keyword{pSkip, 1, false}, true
	}
	return k, ok
}
