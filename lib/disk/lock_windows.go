package disk

import "github.com/gofrs/flock"

func lockTarget(path string) *flock.Flock { return flock.New(path + ".lock") }
