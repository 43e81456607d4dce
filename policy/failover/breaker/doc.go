// Package breaker decides call by call whether an endpoint may be used: circuit breakers that a program embeds, made of
// parts that compose. It needs nothing but the standard library.
//
// The parts, each a package of its own:
//
//	window    counts results: the last n, a tumbling period, rolling buckets
//	verdict   rules on these counts: failures in a row, ratios with a minimum volume, slow calls; endings of trials
//	trial     slots of a half-open period, with leases that end
//	cooldown  how long to stay out: growth, bound, jitter, decay
//
// The breakers on them:
//
//	threestate    closed, open, half-open
//	adaptive      drops a part of the calls that grows with the part that fails
//	blacklist     keeps the slow endpoints of a pool out for a while
//	resilience4j  the breaker of resilience4j, as it is
//	polly, sentinel, hystrix, opossum, pekko, apibreaker  likewise those of Polly, Sentinel, Hystrix, opossum, Pekko and Akka,
//	              and APISIX
//
// # Use
//
// A call asks for a Permit, is made, and hands the permit back with its Result:
//
//	p, err := b.Permit(clock.Now())
//	if err != nil {
//		return err // refused: nothing was sent
//	}
//	...
//	b.Report(clock.Now(), p, classifier.Result(status, breaker.Answered, latency))
//
// Do does so around a function. A Classifier says what counts: by default a caller's own mistakes and spent quotas (400,
// 401, 403, 429 and the other statuses from 400 to 499) and cancellations do not.
//
// Time is a time.Duration since an arbitrary start and is passed in, as is randomness: the same calls at the same times
// get the same verdicts. RealClock gives real time. All breakers are safe for concurrent use and allocate nothing per call.
//
// # Differences from other libraries
//
// Package proof plays the same random calls on threestate and on gobreaker v2.4.0 and failsafe-go v0.9.8, and on adaptive
// and aegis v0.2.0, and finds every verdict equal where the settings say the same. With its defaults threestate differs
// from them on purpose:
//
//	difference          library      there                                       here
//	cooldown's end      gobreaker    refuses at the end, admits after it         admits at the end
//	period's end        gobreaker    a tumbling window holds its end             its end begins the next
//	lost trial          gobreaker    stays half-open and refuses for ever        its lease ends and frees the slot
//	reported twice      gobreaker    one trial counts as two                     the second report counts for nothing
//	trials by total     gobreaker    a returned trial is not replaced            slots bound trials at once; Total is optional
//	calls in flight     gobreaker    Requests holds them and dilutes ratios      rules see finished calls only
//	credited            gobreaker    to when the call was admitted               to when it finished; CreditAdmission is optional
//	judged again        gobreaker    a failure that left the window still judges what does not count judges nothing
//	judged on success   gobreaker    only failures judge                         every counted result; OnFailure is optional
//	late result         failsafe-go  counts in the state that it meets           counts for nothing
//	lost trial          failsafe-go  its permit is lost for the period           its lease ends and frees the slot
//	cancelled trial     failsafe-go  counts, or its permit is lost               frees its slot and counts for nothing
//	rate rounded        failsafe-go  to two decimals: 0.495 reaches 0.5          exact
//	opened by hand      failsafe-go  is no news once open, cooled down or not    starts a cooldown once the last is over
//	own randomness      aegis        seeds itself from the clock                 the source is passed in
package breaker
