// Package controller is the engine "pool": a controller of failover under four constraints.
//
// # Decision
//
// Three signals are heard and kept apart: the business requests themselves, probes, and notices from outside. By default
// business judges: a health domain goes out when its own counted results, over decision.window and with at least
// decision.minSamples of them, reach decision.errorRatio, or decision.consecutive failures in a row, or
// decision.slow.confirmations slow results of which one a decision.slow.dedupe counts. Both floors hold: nothing is judged
// before the window has been watched for its whole length, counted from the first result since the domain came into service
// or was idle for a window, nor with fewer samples.
// Probes prescreen: while they fail they are sent at probe.intervals.fast and hold a return back; they never switch by
// themselves. A notice of "down" vetoes a return and confirms a removal in its record; a notice of "up" takes the veto
// back and never silences the internal verdict. What holds a return back does so for at most one further cooldown, since
// neither probes nor notices may keep a domain out alone. Roles written otherwise are played as written.
//
// # Granularity
//
// A health domain is a member, or one interface, source region or business line (the tenant of a request) of a member;
// with scope "line" a business line on all members of one priority, which moves to the next priority as a whole. Removal,
// cooldown and ramp work on the same domains. A cooldown of granularity "address" under a finer decision makes the
// domains of one address return together.
//
// # Cooldown
//
// A domain that goes out drains; the cooldown runs from the moment at which nothing of before is in flight any more, or
// from the drain's limit (Limits.Connect + Limits.Response + 1 s), and the record says when, and how many were left. After
// it, exit "same-as-entry" sends trials: business requests, one at a time and paced so that the sample floor is met in one
// window, never more than the domain's part of the traffic. It returns when they have been watched for a window, meet the
// sample floor, and do not meet the condition of entry; when they must meet it, a new cooldown begins. What came in by
// probes or notices goes out by them. cooldown.repeat.limit cooldowns within cooldown.repeat.within hand the domain over
// to a person, with the rounds; automatic recovery stops. An operator takes out and puts back under a record; what is
// put back starts a new cooldown of the first length and returns as after any other, unless cooldown.manual.restarts is
// false.
//
// # Return
//
// The batches of the ramp follow one another without a gap. A batch ends when its dwell and the window have passed and
// its samples meet the floor. A stop condition is judged as soon as the batch has its sample floor, and again as it ends; it
// takes the ramp back by one batch (from the first to nothing) and lets it rest for ramp.rollback.cooldown. Batches that
// fail ramp.suspendAfter times, without a later one having passed in between, suspend the return until a person puts the
// member back. A share is that part of what the member has when it is fully back; the rest goes to the fully returned
// members of its priority, else to the next priority. Where nobody else is there, it goes to the returning ones. Where
// ramp.target names members, interfaces or regions, the ramp is for these alone: what else was removed waits, after its
// cooldown, for a person to put it back.
//
// # Defaults
//
// What nobody wrote is not there: no window is no time floor (the last 20 results, or minSamples if that is more, are
// judged), no minSamples is a floor of one, no ramp returns all at once, no repeat never hands over, no retry sends once.
// The others are
//
//	no condition at all         errorRatio 0.5 over 10s with 20 samples, which Hystrix made the usual one
//	decision.granularity        that of the cooldown, else address: every program can tell addresses apart
//	decision.scope              line-on-address: the smaller removal
//	decision.roles              business judge, probe prescreen, external review: who is hurt decides
//	decision.counts             5xx, connect, timeout, reset; not 4xx or cancellations, which are the client's
//	cooldown.duration           30s
//	cooldown.startsAt           drained: what is in flight still loads the member
//	cooldown.exit               same-as-entry: another test proves something else
//	cooldown.probeLease         the limit of an attempt + 1s: later no trial can return
//	cooldown.manual             allowed, with initiator and saw, restarts: no order is anonymous
//	ramp.batches[].dwell        the window
//	ramp.batches[].minSamples   decision.minSamples
//	ramp.lowSample              wait: too few results prove nothing
//	ramp.rollback.to            previous
//	onAllOut                    pass: statistics that condemn everybody are wrong more often than right
//	limits                      5s to connect and 60s to answer, unless retry.perTry says less: a request that never
//	                            ends would never be judged
//	probe                       2s, fall 3, rise 2, time-out of one interval
package controller
