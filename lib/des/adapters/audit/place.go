// Package audit keeps the audit log of the DES programs: one file a day, one
// JSON object a line, appended and never changed (spec 60 §6).
package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"isdlc-hooks/lib/disk"
	"isdlc-hooks/lib/ordered"
)

// DirVariable names the environment variable that says where the log is.
const DirVariable = "DES_AUDIT_LOG_DIR"

// Place is what decides where the log is.
type Place struct {
	Dir     string // what the environment says, "" for nothing
	WorkDir string // the working directory
	Home    string // the home directory, "" where it is not known
}

// Here is the place of this process.
func Here() Place {
	p := Place{Dir: os.Getenv(DirVariable)}
	p.WorkDir, _ = os.Getwd()    // where it is not known, nothing is looked up in it
	p.Home, _ = os.UserHomeDir() // as above
	return p
}

// Resolve is the folder of the log, which is made (spec 60 §6.1). The first
// place that applies counts: the environment, the configuration of the project,
// the project, the home.
func (p Place) Resolve() (string, error) {
	for _, dir := range [...]string{p.Dir, p.configured()} {
		if dir != "" && (p.WorkDir != "" || filepath.IsAbs(dir)) {
			if dir = p.abs(dir); os.MkdirAll(dir, 0o755) == nil {
				return dir, nil // else the next place, as it is specified
			}
		}
	}
	dir, err := p.standard()
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make the folder of the audit log: %w", err)
	}
	return dir, nil
}

// Find is the folder that [Place.Resolve] gives, for those who only look: nothing
// is made, so that one of the first two places counts only when it is there.
func (p Place) Find() (string, error) {
	for _, dir := range [...]string{p.Dir, p.configured()} {
		if dir != "" && (p.WorkDir != "" || filepath.IsAbs(dir)) {
			if info, err := os.Stat(p.abs(dir)); err == nil && info.IsDir() {
				return p.abs(dir), nil
			}
		}
	}
	return p.standard()
}

// standard is the folder for which nobody has said anything.
func (p Place) standard() (string, error) {
	if p.WorkDir != "" && !p.shared() {
		return filepath.Join(p.WorkDir, ".nwave", "logs", "des"), nil
	}
	if p.Home == "" {
		return "", errors.New("no folder for the audit log: there is no home directory")
	}
	return filepath.Join(p.Home, ".claude", "des", "logs"), nil
}

func (p Place) abs(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(p.WorkDir, dir)
}

// configured is what the configuration of the project says, "" for nothing.
func (p Place) configured() string {
	if p.WorkDir == "" {
		return ""
	}
	data, err := disk.Read(filepath.Join(p.WorkDir, ".nwave", "des-config.json"))
	if err != nil {
		return ""
	}
	config, err := ordered.Parse(data)
	if err != nil {
		return ""
	}
	return config.Get("audit_log_dir").Text()
}

// shared tells whether the working directory is none that a project would be in.
func (p Place) shared() bool {
	here, err := os.Stat(p.WorkDir)
	if err != nil {
		return false
	}
	for _, dir := range [...]string{p.Home, "/", "/usr", "/bin", "/etc", "/var", "/tmp"} {
		if there, err := os.Stat(dir); err == nil && os.SameFile(here, there) {
			return true
		}
	}
	return false
}
