//go:build !linux

package disk

import (
	"errors"
	"os"
)

// createUnnamed is not to be had here.
func createUnnamed(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func linkUnnamed(*os.File, string) error { return errors.ErrUnsupported }
