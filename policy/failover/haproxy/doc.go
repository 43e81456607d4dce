// Package haproxy does what HAProxy does with the servers of one backend: the health counter and its checks, observation
// of traffic, balancing, retries and redispatch, queues, backups and slow start.
//
// The facts come from HAProxy's sources (check.c, server.c, backend.c, stream.c, queue.c, lb_*.c) of 2.6 to 3.5, which
// agree in all that is modelled here but where a comment says otherwise, and from runs of 2.6.12.
//
// Not modelled: agent checks, tracking of servers of other backends, cookies and stick tables, spread-checks, check
// bodies. A hash of something that requests do not have (a header, a parameter) goes round, as in HAProxy.
package haproxy
