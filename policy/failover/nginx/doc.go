// Package nginx does what open source NGINX does with the servers of one upstream: smooth weighted round robin with
// effective weights, passive failure counting in whole seconds, and next_upstream. It has no probes.
//
// The facts come from NGINX's sources (ngx_http_upstream_round_robin.c, ngx_http_upstream_least_conn_module.c,
// ngx_http_upstream_hash_module.c, ngx_http_upstream_ip_hash_module.c, ngx_http_upstream_random_module.c,
// ngx_http_upstream.c), where the logic of failures has not changed since 1.11.5, and from runs of 1.22.1.
//
// Not modelled: kept-alive connections to members, which outlive a member that refuses new ones; sticky sessions; and
// what only NGINX Plus has.
package nginx
