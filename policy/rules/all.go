package rules

import (
	"sort"
	"strings"
)

// All returns every rule, sorted by id.
func All() []Rule {
	list := append(readingRules(),
		breakerAllOutBlocks(),
		cooldownDiffers(),
		exceptionExpired(),
		exceptionIncomplete(),
		exceptionUnused(),
		liveDiffers(),
		liveNotApplied(),
		liveOnlyRunning(),
		liveUnknown(),
		membersCannotCompare(),
		membersDiffers(),
		membersDuplicate(),
		membersEffectiveTime(),
		membersExtra(),
		membersMissing(),
		membersNoActive(),
		membersWeights(),
		poolDuplicate(),
		poolMissingCopy(),
		poolUnmatched(),
		probeDiffers(),
		probeEditableCopy(),
		probeTwoExecutors(),
		rampDiffers(),
		rampNotFrozen(),
		schemaClamped(),
		schemaImplausible(),
		schemaInvalid(),
		schemaUnknownKey(),
	)
	list = append(list, judgements()...)
	list = append(list, evidenceRules()...)
	sort.Slice(list, func(i, j int) bool { return list[i].ID < list[j].ID })
	return list
}

// judgements lists the engineering judgements.
func judgements() []Rule {
	return []Rule{
		breakerCannotTrip(),
		breakerEjectionCap(),
		breakerNoWayBack(),
		breakerProbeStorm(),
		breakerSharedFate(),
		cooldownAsymmetricExit(),
		cooldownForgetsManual(),
		cooldownGranularityMismatch(),
		cooldownNoRepeatLimit(),
		cooldownShorterThanProof(),
		cooldownStartsEarly(),
		decisionClientErrorsCount(),
		decisionExternalAlone(),
		decisionExternalSilences(),
		decisionNoSampleFloor(),
		decisionNoWindow(),
		decisionProbeAlone(),
		decisionRegionUnseen(),
		decisionStarved(),
		decisionWindowTooShort(),
		dryrunFailed(),
		probeDetectionTime(),
		probeLoad(),
		probeNotIsomorphic(),
		probeStatuses(),
		probeTimeoutNotBelowInterval(),
		rampDwellTooShort(),
		rampIncomplete(),
		rampMetrics(),
		rampNeverSuspends(),
		rampNoRollbackCooldown(),
		rampNoStop(),
		rampNotIncreasing(),
		retryAmplification(),
		retryTimeoutChain(),
		retryUnsafeReplay(),
	}
}

// Known returns a function that tells whether a rule, or an area written "area/*", exists.
func Known(list []Rule) func(string) bool {
	names := map[string]bool{"*": true}
	for _, r := range list {
		names[r.ID] = true
		area, _, _ := strings.Cut(r.ID, "/")
		names[area+"/*"] = true
	}
	return func(name string) bool { return names[name] }
}
