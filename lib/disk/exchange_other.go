//go:build !linux && !darwin

package disk

import "errors"

// exchange is not to be had here.
func exchange(a, b string) error { return errors.ErrUnsupported }
