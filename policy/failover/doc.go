// Package failover is the embedded failover runtime: what a gateway or library does with the members of one pool when
// requests succeed and fail. The engines of real programs, by version, are packages below it; package engines builds
// them from a copy.
//
// An engine knows neither clock nor network. Time comes in as the time on the driver's clock, which never goes back, and
// randomness as a seed, so that the same calls give the same answers. Whoever drives it sends the requests and probes
// that it asks for and tells it what came of them. A program with a real clock drives it as a simulator does:
//
//	d := e.Pick(now, r)                     // which member gets the request
//	for d.Action == failover.Send {
//		outcome := try(r.Lease.Member)      // at most e.Info().Limits long
//		d = e.Report(now, r, outcome)       // and what comes next
//	}
//
// and, whenever e.Next() has come, calls Tick until it has nothing more to say.
//
// An engine is not safe for concurrent use, which simulators have no need of; Guard makes it so. No call on behalf of a
// request allocates memory once the engine is warm.
package failover
