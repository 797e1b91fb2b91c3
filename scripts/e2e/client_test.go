package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// clientVersion is the release of the client that the scenarios are written for.
const clientVersion = "2.1.329"

const clientPackage = "@anthropic-ai/claude-code"

// Variables for the person who runs the tests.
const (
	optIn         = "ISDLC_E2E"        // 1 runs the scenarios, record also writes testdata/sessions
	otherVersion  = "ISDLC_E2E_CLIENT" // another release of the client
	installLimit  = 5 * time.Minute
	versionLimit  = 30 * time.Second
	recordingMode = "record"
)

// recording tells whether the sessions are written anew.
func recording() bool { return os.Getenv(optIn) == recordingMode }

// requireClient is the path of the client, which is installed when this is asked
// for the first time. The test is skipped where it was not asked for or where
// there is none to be had.
func requireClient(t *testing.T) string {
	t.Helper()
	if os.Getenv(optIn) == "" {
		t.Skip("the real client is not asked for: make e2e does")
	}
	version := clientVersion
	if other := os.Getenv(otherVersion); other != "" {
		version = other
	}
	path, err := client(version)
	if err != nil {
		t.Skipf("%s %s cannot be had: %s", clientPackage, version, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return path
}

// client finds the client in the cache of the user, or installs it there.
func client(version string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "isdlc-hooks", "claude-code", version)
	if path, err := binary(dir); err == nil {
		return path, nil
	}
	if err := install(dir, version); err != nil {
		return "", err
	}
	return binary(dir)
}

// binary finds the client's program for this platform: a package of its own that
// the client's package depends on. Of several (two kinds of C library) the first
// that starts is taken.
func binary(dir string) (string, error) {
	name := "claude"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	candidates, err := filepath.Glob(filepath.Join(dir, "node_modules", clientPackage+"-*", name))
	if err != nil {
		return "", err
	}
	failed := fmt.Errorf("the package holds no program for %s/%s", runtime.GOOS, runtime.GOARCH)
	for _, path := range candidates {
		ctx, cancel := context.WithTimeout(context.Background(), versionLimit)
		command := exec.CommandContext(ctx, path, "--version")
		command.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "DISABLE_AUTOUPDATER=1"}
		output, err := command.CombinedOutput()
		cancel()
		if err == nil {
			return path, nil
		}
		failed = fmt.Errorf("%s --version: %w: %s", path, err, lastLine(string(output)))
	}
	return "", failed
}

// install lets npm put the client into dir. No script of a package is run. The
// folder appears under its name only when it is complete.
func install(dir, version string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not installed")
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(parent, ".installing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	ctx, cancel := context.WithTimeout(context.Background(), installLimit)
	defer cancel()
	command := exec.CommandContext(ctx, npm, "install", "--prefix", part, "--ignore-scripts", "--include=optional",
		"--no-audit", "--no-fund", clientPackage+"@"+version)
	command.Dir = part
	command.WaitDelay = time.Second
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w: %s", err, complaint(string(output)))
	}
	if _, err := binary(part); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(part, dir)
}

// complaint is what npm says is wrong, without where it keeps its own log.
func complaint(output string) string {
	var said []string
	for line := range strings.Lines(output) {
		text, isError := strings.CutPrefix(strings.TrimSpace(line), "npm error ")
		if isError && !strings.HasPrefix(text, "A complete log") {
			said = append(said, text)
		}
	}
	return strings.Join(said, "; ")
}

// lastLine is what a program said last, which is mostly what is wrong.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
