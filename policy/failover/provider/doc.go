// Package provider moves one request between the deployments of models: the level above the endpoints, where a provider,
// a region or a model is what fails.
//
// # What may be tried
//
// The first tier of deployments is what somebody chose; all others are fallbacks. A deployment is left out if it is known
// not to fit: the request has more tokens than its context window, or needs a feature that it does not list. A fallback
// has to be known to fit: its context window is said, its features are listed, and its permission and quota were verified.
// A fallback that answers 403 helps nobody.
//
// # Verdicts
//
// There is one breaker for each health domain: provider, region, model and the capability that the request uses, so that
// tool calls may be ill where plain chats are well, and two addresses of one deployment share a verdict. A caller's own
// mistakes, missing rights and spent quotas (400, 401, 403, 429) and cancellations count towards none by default.
//
// # The order, and its end
//
// Deployments are tried tier by tier, in each tier those first whose breaker permits the request. What a breaker refuses
// comes last, and it does come: an endpoint that statistics condemned is not one that was tried. Only when each
// deployment that fits was really asked, and none gave an answer that is worth passing on, the request is answered with
// 503; with what the last one said, if all of them said 401, 403 or 429, which is the caller's to know. Where none fits, nobody is asked, and the answer is 422.
//
// A response whose headers were passed on stays where it is: what breaks then, breaks for the caller. Until that moment a
// stream moves like any other request.
//
// A Router is safe for concurrent use, knows no clock and allocates nothing for a request.
package provider
