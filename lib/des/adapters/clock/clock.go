// Package clock is the system's clock.
package clock

import "time"

// System is the clock of the machine.
type System struct{}

// Now is the time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }
