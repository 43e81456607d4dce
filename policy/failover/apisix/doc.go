// Package apisix does what Apache APISIX does with the nodes of one upstream: the health library's four counters and four
// states, checkers that start with the first request, the four balancers, priorities and retries.
//
// The facts come from APISIX's sources (balancer.lua, balancer/*.lua, healthcheck_manager.lua, init.lua, upstream.lua)
// and those of the health library (lua-resty-healthcheck, lib/resty/healthcheck.lua). Its behaviour here has been the
// same since 3.0, so versions are not told apart.
//
// Approximations: one worker's pickers stand for all; chash gives each key its node by weighted rendezvous in place of a
// ring, which moves as few keys when a node goes; probes of a round are sent together, without the limit of concurrency.
//
// Not modelled: the api-breaker, traffic-split and ai-proxy-multi plugins, and service discovery.
package apisix
