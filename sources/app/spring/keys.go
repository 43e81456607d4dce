package spring

import (
	"math"
	"time"
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

// key is a key of a block.
type key struct {
	name string
	kind kind
	// lo and hi bound numbers; lo bounds durations too, in nanoseconds.
	lo, hi float64
	// short is the name in relaxed form.
	short string
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
	index     map[string]int // of the keys, by relaxed name
}

func newModule(name string, instances []string, keys []key) module {
	m := module{name, instances, keys, make(map[string]int, len(keys))}
	for i := range keys {
		keys[i].short = relaxed(keys[i].name)
		m.index[keys[i].short] = i
	}
	return m
}

// The tables are data: nothing writes to them after start.
var breakerModule = newModule("circuitbreaker", []string{"instances", "backends"}, []key{
	{name: "failureRateThreshold", kind: numberKey, lo: 1, hi: 100},
	{name: "slowCallRateThreshold", kind: numberKey, lo: 1, hi: 100},
	{name: "slowCallDurationThreshold", kind: durationKey, lo: 1},
	{name: "slidingWindowType", kind: textKey},
	{name: "slidingWindowSize", kind: integerKey, lo: 1, hi: math.MaxInt32},
	{name: "minimumNumberOfCalls", kind: integerKey, lo: 1, hi: math.MaxInt32},
	{name: "permittedNumberOfCallsInHalfOpenState", kind: integerKey, lo: 1, hi: math.MaxInt32},
	{name: "waitDurationInOpenState", kind: durationKey, lo: millisecond},
	{name: "maxWaitDurationInHalfOpenState", kind: durationKey},
	{name: "transitionToStateAfterWaitDuration", kind: textKey},
	{name: "automaticTransitionFromOpenToHalfOpenEnabled", kind: booleanKey},
	{name: "initialState", kind: textKey},
	{name: "enableExponentialBackoff", kind: booleanKey},
	{name: "exponentialBackoffMultiplier", kind: numberKey, lo: 1, hi: unbounded},
	{name: "exponentialMaxWaitDurationInOpenState", kind: durationKey, lo: millisecond},
	{name: "enableRandomizedWait", kind: booleanKey},
	{name: "randomizedWaitFactor", kind: numberKey, hi: belowOne},
	{name: "recordExceptions", kind: listKey},
	{name: "ignoreExceptions", kind: listKey},
	{name: "recordFailurePredicate", kind: textKey},
	{name: "recordResultPredicate", kind: textKey},
	{name: "ignoreExceptionPredicate", kind: textKey},
	{name: "ignoreClassBindingExceptions", kind: booleanKey},
	{name: "registerHealthIndicator", kind: booleanKey},
	{name: "allowHealthIndicatorToFail", kind: booleanKey},
	{name: "eventConsumerBufferSize", kind: integerKey, lo: 1, hi: math.MaxInt32},
	{name: "writableStackTraceEnabled", kind: booleanKey},
	{name: "baseConfig", kind: textKey},
})

// belowOne is the largest factor that the program takes where 1 is too much.
const belowOne = 1 - 1e-9

var retryModule = newModule("retry", []string{"instances", "backends"}, []key{
	{name: "maxAttempts", kind: integerKey, lo: 1, hi: math.MaxInt32},
	{name: "waitDuration", kind: durationKey},
	{name: "enableExponentialBackoff", kind: booleanKey},
	{name: "exponentialBackoffMultiplier", kind: numberKey, lo: 1, hi: unbounded},
	{name: "exponentialMaxWaitDuration", kind: durationKey},
	{name: "enableRandomizedWait", kind: booleanKey},
	{name: "randomizedWaitFactor", kind: numberKey, hi: belowOne},
	{name: "retryExceptions", kind: listKey},
	{name: "ignoreExceptions", kind: listKey},
	{name: "retryExceptionPredicate", kind: textKey},
	{name: "resultPredicate", kind: textKey},
	{name: "intervalBiFunction", kind: textKey},
	{name: "consumeResultBeforeRetryAttempt", kind: textKey},
	{name: "failAfterMaxAttempts", kind: booleanKey},
	{name: "eventConsumerBufferSize", kind: integerKey, lo: 1, hi: math.MaxInt32},
	{name: "baseConfig", kind: textKey},
})

// otherModules give settings to pools that have a breaker of the same name.
var otherModules = []module{
	newModule("timelimiter", []string{"instances"}, []key{
		{name: "timeoutDuration", kind: durationKey},
		{name: "cancelRunningFuture", kind: booleanKey},
		{name: "eventConsumerBufferSize", kind: integerKey, lo: 1, hi: math.MaxInt32},
		{name: "baseConfig", kind: textKey},
	}),
	newModule("ratelimiter", []string{"instances", "limiters"}, []key{
		{name: "limitForPeriod", kind: integerKey, lo: 1, hi: math.MaxInt32},
		{name: "limitRefreshPeriod", kind: durationKey, lo: 1},
		{name: "timeoutDuration", kind: durationKey},
		{name: "subscribeForEvents", kind: booleanKey},
		{name: "allowHealthIndicatorToFail", kind: booleanKey},
		{name: "registerHealthIndicator", kind: booleanKey},
		{name: "eventConsumerBufferSize", kind: integerKey, lo: 1, hi: math.MaxInt32},
		{name: "writableStackTraceEnabled", kind: booleanKey},
		{name: "baseConfig", kind: textKey},
	}),
	newModule("bulkhead", []string{"instances", "backends"}, []key{
		{name: "maxConcurrentCalls", kind: integerKey, lo: 1, hi: math.MaxInt32},
		{name: "maxWaitDuration", kind: durationKey},
		{name: "writableStackTraceEnabled", kind: booleanKey},
		{name: "eventConsumerBufferSize", kind: integerKey, lo: 1, hi: math.MaxInt32},
		{name: "baseConfig", kind: textKey},
	}),
	newModule("thread-pool-bulkhead", []string{"instances", "backends"}, []key{
		{name: "maxThreadPoolSize", kind: integerKey, lo: 1, hi: math.MaxInt32},
		{name: "coreThreadPoolSize", kind: integerKey, lo: 1, hi: math.MaxInt32},
		{name: "queueCapacity", kind: integerKey, hi: math.MaxInt32},
		{name: "keepAliveDuration", kind: durationKey},
		{name: "writableStackTraceEnabled", kind: booleanKey},
		{name: "contextPropagators", kind: listKey},
		{name: "eventConsumerBufferSize", kind: integerKey, lo: 1, hi: math.MaxInt32},
		{name: "baseConfig", kind: textKey},
	}),
}

// key returns the module's key of a name in any spelling.
func (m module) key(name string) (key, bool) {
	if i, ok := m.index[relaxed(name)]; ok {
		return m.keys[i], true
	}
	return key{}, false
}
