// Package envoy does what Envoy does with the hosts of one cluster: active checks, outlier detection, priorities with
// overprovisioning and panic, the balancers, slow start and retries.
//
// The facts come from Envoy's sources (outlier_detection_impl.cc, health_checker_base_impl.cc, load_balancer_impl.cc,
// edf_scheduler.h, retry_state_impl.cc, router.cc). Versions differ in how many hosts may be ejected: before 1.28 the host
// about to go did not count and the first always went; always_eject_one_host exists from 1.31 on. A version that nobody
// named is taken for a new one.
//
// A start is that of a whole Envoy: it lets traffic in once every host has had its first check, so the round at the start
// is played as taking no time, and the next one comes after no_traffic_interval.
//
// An attempt is bounded by per_try_timeout or, if that is not smaller, by the route's timeout. The route's timeout over
// several attempts is looked at when an attempt ends, not while it is under way.
//
// Not modelled: degraded hosts, localities and zones, limits of connections and requests, the merging of health updates
// within update_merge_window, hash policies, and the workers' separate round robins.
package envoy
