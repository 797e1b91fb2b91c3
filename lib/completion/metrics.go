package completion

import (
	"fmt"
	"math"
	"strconv"

	"isdlc-hooks/lib/ordered"
)

// metrics sum up a workflow (spec 50 §4.4).
type metrics struct {
	phases, completed    int
	duration             any // minutes, nil where it is not known
	testIterations       float64
	firstTry, moreNeeded int // gates
}

func measure(entry *ordered.Value, phases int, snapshots []*ordered.Value) metrics {
	m := metrics{phases: phases, duration: Minutes(entry.Get("started_at"), End(entry))}
	for _, s := range snapshots {
		if s.Get("status").Text() == "completed" {
			m.completed++
		}
		count := finite(s.Get("test_iterations", "count"))
		m.testIterations += count
		switch {
		case !s.Get("gate_passed").Present():
		case count > 1:
			m.moreNeeded++
		default:
			m.firstTry++
		}
	}
	return m
}

// finite is the value of a number that can be reckoned with, else 0.
func finite(v *ordered.Value) float64 {
	f, _ := v.Float()
	if math.Abs(f) > maxNumber {
		return 0
	}
	return f
}

func (m metrics) value() *ordered.Value {
	return ordered.NewObject(
		"total_phases", m.phases,
		"phases_completed", m.completed,
		"total_duration_minutes", m.duration,
		"test_iterations_total", m.testIterations,
		"gates_passed_first_try", m.firstTry,
		"gates_required_iteration", m.moreNeeded,
	)
}

const (
	maxNumber       = 1e15 // beyond it numbers of a document are not taken seriously
	maxCompared     = 5    // earlier workflows that make the average
	minCompared     = 2
	unknownPhase    = "unknown"
	defaultTier     = "standard"
	durationField   = "total_duration_minutes"
	wallClockField  = "wall_clock_minutes"
	intensityField  = "effective_intensity"
	regressionLabel = "PERFORMANCE_REGRESSION"
)

// A comparison holds the duration of a workflow against that of earlier ones of
// its tier (spec 50 §4.5).
type comparison struct {
	tier             string
	current, average int
	compared         int
	slowest          string // phase
	slowestMinutes   float64
}

// compare is ok false where there is too little to compare with.
func compare(entry *ordered.Value, m metrics, snapshots, earlier []*ordered.Value) (c comparison, ok bool) {
	c = comparison{tier: tierOf(entry), slowest: unknownPhase}
	if c.current, ok = m.duration.(int); !ok || c.current <= 0 {
		return c, false
	}
	sum := 0.0
	for i := len(earlier) - 1; i >= 0 && c.compared < maxCompared; i-- {
		if d := finite(earlier[i].Get("metrics", durationField)); d > 0 && tierOf(earlier[i]) == c.tier {
			sum += d
			c.compared++
		}
	}
	if c.compared < minCompared {
		return c, false
	}
	c.average = int(round(sum / float64(c.compared)))
	for _, s := range snapshots {
		if minutes := finite(s.Get("timing", wallClockField)); minutes > c.slowestMinutes {
			c.slowest, c.slowestMinutes = s.Get("key").Text(), minutes
		}
	}
	return c, c.average > 0
}

func tierOf(entry *ordered.Value) string {
	if tier := entry.Get("sizing", intensityField).Text(); tier != "" {
		return tier
	}
	return defaultTier
}

// regressed tells whether the workflow took more than 20 % longer.
func (c comparison) regressed() bool { return c.current*5 > c.average*6 }

func (c comparison) percentOver() int {
	return int(round(float64(c.current-c.average) / float64(c.average) * 100))
}

func (c comparison) value() *ordered.Value {
	return ordered.NewObject(
		"baseline_avg_minutes", c.average,
		"current_minutes", c.current,
		"percent_over", c.percentOver(),
		"regressed", c.regressed(),
		"compared_against", c.compared,
		"slowest_phase", c.slowest,
	)
}

func (c comparison) notice() string {
	return fmt.Sprintf("%s: this %s workflow took %d minutes, %d%% over the average of %d minutes of the last %d; slowest phase: %s (%s minutes)",
		regressionLabel, c.tier, c.current, c.percentOver(), c.average, c.compared,
		c.slowest, strconv.FormatFloat(c.slowestMinutes, 'f', -1, 64))
}
