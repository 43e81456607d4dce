package profile

// All lists the known engines by name.
func All() []Profile {
	return []Profile{
		native(),
		haproxy(),
		nginx(), nginxPlus(), tengine(),
		resilience4j(),
		spring(),
		envoy(),
		apisix(),
		argoRollouts(),
	}
}

// native is the profile of poolproof's own pool files: nothing is filled in, and a timeout must be below the interval.
func native() Profile {
	return Profile{Name: "poolproof", Traits: Traits{Timeout: TimeoutRefused, ZeroWeight: ZeroDrains, Probes: true}}
}
