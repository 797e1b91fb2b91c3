package modelproviderrouter

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"isdlc-hooks/lib/activity"
	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
	"isdlc-hooks/lib/provider"
)

// track writes a result down: a line in the usage log, and the newest one in the
// state where there is a state (spec 35 §3.7).
func (r *router) track(result provider.Result) {
	at := activity.Timestamp(r.Now())
	if s := r.State(); s != nil {
		s.Object.Set("last_provider_selection", ordered.NewObject(
			"provider", result.Provider,
			"model", orNull(result.Model),
			"source", result.Source,
			"timestamp", at,
		))
	}
	line := ordered.NewObject("timestamp", at, "provider", result.Provider, "model", orNull(result.Model))
	if r.phase != "" {
		line.Set("phase", r.phase)
	}
	line.Set("source", result.Source)
	if result.Rationale != "" {
		line.Set("rationale", result.Rationale)
	}
	line.Set("fallback_used", result.Failure != nil)
	line.Set("original_provider", orNull(result.Original))

	root, path := r.Project().Root, filepath.FromSlash(r.settings.UsageLog())
	tracing := r.tracing()
	r.After(func() error {
		err := appendLine(root, path, line.Compact())
		if err != nil && tracing {
			return err
		}
		return nil // the log is worth no word to anybody else (spec 35 §3.7)
	})
}

// appendLine adds a line to the file at path, which must be inside of root, links
// included, and makes the folders above it.
func appendLine(root, path string, line []byte) error {
	inside, err := os.OpenRoot(root)
	if err != nil {
		return err
	}
	defer inside.Close()
	switch info, err := inside.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		if err := inside.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
	case err != nil:
		return err
	case !info.Mode().IsRegular(): // opening a pipe would wait for its reader
		return &fs.PathError{Op: "append", Path: path, Err: disk.ErrNotRegular}
	}
	f, err := inside.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
