package disk

import (
	"errors"
	"fmt"
	"time"

	"github.com/gofrs/flock"
)

// ErrBusy is wrapped by [Lock] and [RLock] when the lock was not to be had in
// time.
var ErrBusy = errors.New("locked by another process")

// An Unlocker releases a lock. The system releases it too when the process
// dies.
type Unlocker interface{ Unlock() error }

// Lock keeps other processes that lock path, or RLock it, out until it is
// unlocked. The lock is advisory: it binds those who ask for it. It waits for at
// most wait, then the error wraps [ErrBusy].
//
// Where the system can lock a folder, the folder of path is locked, and nothing
// is left behind; elsewhere a file path.lock is, which stays and harms nobody.
func Lock(path string, wait time.Duration) (Unlocker, error) { return lock(path, true, wait) }

// RLock keeps those out who [Lock] path; others may RLock it at the same time.
func RLock(path string, wait time.Duration) (Unlocker, error) { return lock(path, false, wait) }

func lock(path string, exclusive bool, wait time.Duration) (Unlocker, error) {
	fl := lockTarget(path)
	l, err := acquire(fl, exclusive, wait)
	if err != nil && !errors.Is(err, ErrBusy) {
		l, err = acquire(flock.New(path+".lock"), exclusive, wait)
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return l, nil
}

func acquire(fl *flock.Flock, exclusive bool, wait time.Duration) (Unlocker, error) {
	try, block := fl.TryLock, fl.Lock
	if !exclusive {
		try, block = fl.TryRLock, fl.RLock
	}
	switch ok, err := try(); {
	case err != nil:
		return nil, err
	case ok:
		return fl, nil
	}
	done := make(chan error, 1)
	go func() { done <- block() }()
	select {
	case err := <-done:
		if err != nil {
			return nil, err
		}
		return fl, nil
	case <-time.After(wait):
		go func() { // whoever gives up must not keep what comes to it later
			if <-done == nil {
				_ = fl.Unlock()
			}
		}()
		return nil, ErrBusy
	}
}
