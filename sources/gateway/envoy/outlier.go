package envoy

import (
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/data"
)

// outlierFields are the fields of OutlierDetection.
var outlierFields = []field{
	{"consecutive_5xx", "consecutive5xx", structure, "outlier_detection.consecutive_5xx"},
	{"base_ejection_time", "baseEjectionTime", structure, "cooldown.duration"},
	{"max_ejection_time", "maxEjectionTime", structure, "cooldown.max"},
	{"interval", "interval", positive, "outlier_detection.interval"},
	{"max_ejection_percent", "maxEjectionPercent", percent, "outlier_detection.max_ejection_percent"},
	{"max_ejection_time_jitter", "maxEjectionTimeJitter", duration, "outlier_detection.max_ejection_time_jitter"},
	{"always_eject_one_host", "alwaysEjectOneHost", boolean, "outlier_detection.always_eject_one_host"},
	{"enforcing_consecutive_5xx", "enforcingConsecutive5xx", percent, "outlier_detection.enforcing_consecutive_5xx"},
	{"consecutive_gateway_failure", "consecutiveGatewayFailure", count, "outlier_detection.consecutive_gateway_failure"},
	{"enforcing_consecutive_gateway_failure", "enforcingConsecutiveGatewayFailure", percent, "outlier_detection.enforcing_consecutive_gateway_failure"},
	{"split_external_local_origin_errors", "splitExternalLocalOriginErrors", boolean, "outlier_detection.split_external_local_origin_errors"},
	{"consecutive_local_origin_failure", "consecutiveLocalOriginFailure", count, "outlier_detection.consecutive_local_origin_failure"},
	{"enforcing_consecutive_local_origin_failure", "enforcingConsecutiveLocalOriginFailure", percent, "outlier_detection.enforcing_consecutive_local_origin_failure"},
	{"enforcing_local_origin_success_rate", "enforcingLocalOriginSuccessRate", percent, "outlier_detection.enforcing_local_origin_success_rate"},
	{"enforcing_success_rate", "enforcingSuccessRate", percent, "outlier_detection.enforcing_success_rate"},
	{"success_rate_minimum_hosts", "successRateMinimumHosts", count, "outlier_detection.success_rate_minimum_hosts"},
	{"success_rate_request_volume", "successRateRequestVolume", count, "outlier_detection.success_rate_request_volume"},
	{"success_rate_stdev_factor", "successRateStdevFactor", count, "outlier_detection.success_rate_stdev_factor"},
	{"failure_percentage_threshold", "failurePercentageThreshold", percent, "outlier_detection.failure_percentage_threshold"},
	{"enforcing_failure_percentage", "enforcingFailurePercentage", percent, "outlier_detection.enforcing_failure_percentage"},
	{"enforcing_failure_percentage_local_origin", "enforcingFailurePercentageLocalOrigin", percent, "outlier_detection.enforcing_failure_percentage_local_origin"},
	{"failure_percentage_minimum_hosts", "failurePercentageMinimumHosts", count, "outlier_detection.failure_percentage_minimum_hosts"},
	{"failure_percentage_request_volume", "failurePercentageRequestVolume", count, "outlier_detection.failure_percentage_request_volume"},
	{"successful_active_health_check_uneject_host", "successfulActiveHealthCheckUnejectHost", boolean, "outlier_detection.successful_active_health_check_uneject_host"},
	{"detect_degraded_hosts", "detectDegradedHosts", boolean, "outlier_detection.detect_degraded_hosts"},
	{"monitors", "monitors", ignored, ""},
}

// defaultBaseEjection is Envoy's base_ejection_time where none is written.
const defaultBaseEjection = 30 * time.Second

// outlierDetection reads the passive judge. An empty block switches it on with defaults: it is recorded as a setting
// and states neither decision nor cooldown.
func (r *reader) outlierDetection(n *data.Node) {
	if absent(n) || !r.object("outlier_detection", n) {
		return
	}
	if len(n.Pairs) == 0 {
		r.copy.Set("outlier_detection", schema.TextOf("{}"), n.Place())
		return
	}
	var consecutive, enforcing, base, longest *data.Node
	for i := range n.Pairs {
		p := &n.Pairs[i]
		f := fieldOf(outlierFields, p.Key)
		switch {
		case f == nil:
			r.unknownKey("outlier_detection", p, outlierFields)
			continue
		case f.snake == "consecutive_5xx":
			consecutive = p.Value
		case f.snake == "base_ejection_time":
			base = p.Value
		case f.snake == "max_ejection_time":
			longest = p.Value
		case f.snake == "enforcing_consecutive_5xx":
			enforcing = p.Value
		}
		r.set(f, f.path, p.Value)
	}
	r.consecutive(consecutive, enforcing)
	r.ejectionTimes(base, longest)
}

// consecutive reads how many 5xx in a row eject a member. 0 switches that detector off, and an enforcement of 0 % makes
// it only count: neither is a decision, so both stay settings.
func (r *reader) consecutive(n, enforcing *data.Node) {
	if absent(n) {
		return
	}
	v, ok := r.whole("decision.consecutive", n, 0, maxUint32)
	if !ok {
		return
	}
	p := schema.Path("decision.consecutive")
	if v == 0 || text(enforcing) == "0" {
		p = "outlier_detection.consecutive_5xx"
	}
	r.copy.Set(p, schema.IntOf(v), n.Place())
}

// ejectionTimes reads the cooldown. Envoy refuses a maximum below the base, also below the base's default.
func (r *reader) ejectionTimes(base, longest *data.Node) {
	duration, ok := r.duration("cooldown.duration", base, zeroRefused)
	if absent(base) {
		duration, ok = defaultBaseEjection, true
	}
	longestTime, given := r.durationValue("cooldown.max", longest, zeroRefused)
	if !given {
		return
	}
	if ok && longestTime < duration {
		r.refuse("cooldown.max", longest, "schema/invalid",
			schema.Textf("max_ejection_time %s is below base_ejection_time %s; Envoy refuses that", "max_ejection_time %s 小于 base_ejection_time %s；Envoy 会拒绝",
				schema.FormatDuration(longestTime), schema.FormatDuration(duration)),
			schema.Textf("write at least the base (30s where none is written)", "至少应等于基准值（未写时为 30s）"))
		return
	}
	r.copy.Set("cooldown.max", schema.DurationOf(longestTime), longest.Place())
}
