package spring

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/schema"
	"github.com/poolproof/poolproof/sources/bind"
)

// kind is how a key's value is read.
type kind uint8

const (
	durationKey kind = iota
	integerKey
	numberKey
	booleanKey
	textKey
	listKey
)

// key is a key of a resilience4j block.
type key struct {
	name string
	kind kind
	// lo and hi bound numbers; lo bounds durations too, in nanoseconds.
	lo, hi float64
}

const (
	millisecond = float64(time.Millisecond)
	unbounded   = math.MaxFloat64
)

// module is one part of resilience4j. Keys and bounds: resilience4j-framework-common, Common*ConfigurationProperties.
type module struct {
	name string
	// instances are the names of the block that holds the instances, older ones last.
	instances []string
	keys      []key
}

var breakerModule = module{"circuitbreaker", []string{"instances", "backends"}, []key{
	{"failureRateThreshold", numberKey, 1, 100},
	{"slowCallRateThreshold", numberKey, 1, 100},
	{"slowCallDurationThreshold", durationKey, 1, 0},
	{"slidingWindowType", textKey, 0, 0},
	{"slidingWindowSize", integerKey, 1, math.MaxInt32},
	{"minimumNumberOfCalls", integerKey, 1, math.MaxInt32},
	{"permittedNumberOfCallsInHalfOpenState", integerKey, 1, math.MaxInt32},
	{"waitDurationInOpenState", durationKey, millisecond, 0},
	{"maxWaitDurationInHalfOpenState", durationKey, 0, 0},
	{"transitionToStateAfterWaitDuration", textKey, 0, 0},
	{"automaticTransitionFromOpenToHalfOpenEnabled", booleanKey, 0, 0},
	{"initialState", textKey, 0, 0},
	{"enableExponentialBackoff", booleanKey, 0, 0},
	{"exponentialBackoffMultiplier", numberKey, 1, unbounded},
	{"exponentialMaxWaitDurationInOpenState", durationKey, millisecond, 0},
	{"enableRandomizedWait", booleanKey, 0, 0},
	{"randomizedWaitFactor", numberKey, 0, belowOne},
	{"recordExceptions", listKey, 0, 0},
	{"ignoreExceptions", listKey, 0, 0},
	{"recordFailurePredicate", textKey, 0, 0},
	{"recordResultPredicate", textKey, 0, 0},
	{"ignoreExceptionPredicate", textKey, 0, 0},
	{"ignoreClassBindingExceptions", booleanKey, 0, 0},
	{"registerHealthIndicator", booleanKey, 0, 0},
	{"allowHealthIndicatorToFail", booleanKey, 0, 0},
	{"eventConsumerBufferSize", integerKey, 1, math.MaxInt32},
	{"writableStackTraceEnabled", booleanKey, 0, 0},
	{"baseConfig", textKey, 0, 0},
}}

// belowOne is the largest factor that the program takes where 1 is too much.
const belowOne = 1 - 1e-9

var retryModule = module{"retry", []string{"instances", "backends"}, []key{
	{"maxAttempts", integerKey, 1, math.MaxInt32},
	{"waitDuration", durationKey, 0, 0},
	{"enableExponentialBackoff", booleanKey, 0, 0},
	{"exponentialBackoffMultiplier", numberKey, 1, unbounded},
	{"exponentialMaxWaitDuration", durationKey, 0, 0},
	{"enableRandomizedWait", booleanKey, 0, 0},
	{"randomizedWaitFactor", numberKey, 0, belowOne},
	{"retryExceptions", listKey, 0, 0},
	{"ignoreExceptions", listKey, 0, 0},
	{"retryExceptionPredicate", textKey, 0, 0},
	{"resultPredicate", textKey, 0, 0},
	{"intervalBiFunction", textKey, 0, 0},
	{"consumeResultBeforeRetryAttempt", textKey, 0, 0},
	{"failAfterMaxAttempts", booleanKey, 0, 0},
	{"eventConsumerBufferSize", integerKey, 1, math.MaxInt32},
	{"baseConfig", textKey, 0, 0},
}}

// otherModules give settings to pools that have a breaker of the same name.
var otherModules = []module{
	{"timelimiter", []string{"instances"}, []key{
		{"timeoutDuration", durationKey, 0, 0},
		{"cancelRunningFuture", booleanKey, 0, 0},
		{"eventConsumerBufferSize", integerKey, 1, math.MaxInt32},
		{"baseConfig", textKey, 0, 0},
	}},
	{"ratelimiter", []string{"instances", "limiters"}, []key{
		{"limitForPeriod", integerKey, 1, math.MaxInt32},
		{"limitRefreshPeriod", durationKey, 1, 0},
		{"timeoutDuration", durationKey, 0, 0},
		{"subscribeForEvents", booleanKey, 0, 0},
		{"allowHealthIndicatorToFail", booleanKey, 0, 0},
		{"registerHealthIndicator", booleanKey, 0, 0},
		{"eventConsumerBufferSize", integerKey, 1, math.MaxInt32},
		{"writableStackTraceEnabled", booleanKey, 0, 0},
		{"baseConfig", textKey, 0, 0},
	}},
	{"bulkhead", []string{"instances", "backends"}, []key{
		{"maxConcurrentCalls", integerKey, 1, math.MaxInt32},
		{"maxWaitDuration", durationKey, 0, 0},
		{"writableStackTraceEnabled", booleanKey, 0, 0},
		{"eventConsumerBufferSize", integerKey, 1, math.MaxInt32},
		{"baseConfig", textKey, 0, 0},
	}},
	{"thread-pool-bulkhead", []string{"instances", "backends"}, []key{
		{"maxThreadPoolSize", integerKey, 1, math.MaxInt32},
		{"coreThreadPoolSize", integerKey, 1, math.MaxInt32},
		{"queueCapacity", integerKey, 0, math.MaxInt32},
		{"keepAliveDuration", durationKey, 0, 0},
		{"writableStackTraceEnabled", booleanKey, 0, 0},
		{"contextPropagators", listKey, 0, 0},
		{"eventConsumerBufferSize", integerKey, 1, math.MaxInt32},
		{"baseConfig", textKey, 0, 0},
	}},
}

// key returns the module's key of a name in any spelling.
func (m module) key(name string) (key, bool) {
	name = relaxed(name)
	for _, k := range m.keys {
		if relaxed(k.name) == name {
			return k, true
		}
	}
	return key{}, false
}

// formerNames are keys of earlier versions, which current ones read over without a word.
var formerNames = map[string]string{
	"ringbuffersizeinclosedstate":   "slidingWindowSize",
	"ringbuffersizeinhalfopenstate": "permittedNumberOfCallsInHalfOpenState",
	"maxretryattempts":              "maxAttempts",
}

// unknownKeys reports the keys of a block that the module does not have. The program ignores them silently, so that
// what was meant stays at its default.
func (r *reader) unknownKeys(m module, block *prop) {
	for _, kid := range block.entries() {
		if _, ok := m.key(kid.name); ok || kid.node == nil && len(kid.kids) == 0 {
			continue
		}
		r.report(m.unknown(kid))
	}
}

func (m module) unknown(kid *prop) schema.Problem {
	p := schema.Problem{
		Rule: "schema/unknown-key", Severity: schema.Warning, At: kid.at, Field: kid.name, Got: kid.name,
		Text: schema.Textf("resilience4j's %s has no key %s; it is ignored without a word", "resilience4j 的 %s 没有键 %s；它会被静默忽略", m.name, kid.name),
	}
	base, millis := strings.CutSuffix(relaxed(kid.name), "millis")
	switch k, ok := m.key(base); {
	case millis && ok && k.kind == durationKey:
		p.Want = k.name
		p.Hint = schema.Textf("the key is %s, and the unit stands in the value: 5000ms", "键名是 %s，单位写在值里：5000ms", k.name)
		return p
	case formerNames[relaxed(kid.name)] != "":
		p.Want = formerNames[relaxed(kid.name)]
		p.Hint = schema.Textf("current versions call it %s", "当前版本中的名称是 %s", p.Want)
		return p
	}
	names := make([]string, len(m.keys))
	for i, k := range m.keys {
		names[i] = k.name
	}
	if near := bind.Nearest(kid.name, names); near != "" {
		p.Want = near
		p.Hint = schema.Textf("did you mean %s?", "是否应为 %s？", near)
	} else {
		slices.Sort(names)
		p.Hint = schema.Textf("the keys are: %s", "可用的键：%s", strings.Join(names, ", "))
	}
	return p
}
