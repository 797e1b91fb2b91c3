package provider

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"isdlc-hooks/lib/ordered"
)

// A Probe asks an address whether somebody answers there within the time. Its
// error says why not, without the address's path, user or query; see [Get].
type Probe func(address *url.URL, timeout time.Duration) error

// Reasons for which a provider is not available.
var (
	errNotConfigured = errors.New("it is not configured")
	errDisabled      = errors.New("it is disabled")
	errURL           = errors.New("invalid URL for the health check")
	errSecret        = errors.New("its base_url holds a secret of the environment, which is not sent for a health check")
)

// Available tells why a provider is not available, nil where it is (spec 35
// §3.4). Only one with an endpoint for a health check is probed.
func (s *Settings) Available(provider string, getenv func(string) string, probe Probe) error {
	p := s.provider(provider)
	if p == nil {
		return errNotConfigured
	}
	if p.Get("enabled").IsFalse() {
		return errDisabled
	}
	if key := p.Get("api_key_env").Text(); key != "" && provider != Ollama && getenv(key) == "" {
		return fmt.Errorf("the environment variable %s is missing", key)
	}
	endpoint := p.Get("health_check", "endpoint").Text()
	if endpoint == "" {
		return nil
	}
	base := p.Get("base_url").Text()
	if namesSecret(base) {
		return errSecret
	}
	address, err := resolve(expand(base, getenv), endpoint)
	if err != nil {
		return err
	}
	return probe(address, s.timeout(p))
}

// namesSecret tells whether a ${NAME} in text is a variable that by its name holds
// a secret. The settings come with the project: they must not make the hook send
// a key of the person who works on it to an address of their choice, nor print
// one as the name of a host.
func namesSecret(text string) bool {
	secret := false
	expand(text, func(name string) string {
		name = strings.ToUpper(name)
		for _, word := range [...]string{"KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH"} {
			secret = secret || strings.Contains(name, word)
		}
		return ""
	})
	return secret
}

// resolve is the address of an endpoint below or beside a base address.
func resolve(base, endpoint string) (*url.URL, error) {
	address, err := url.Parse(endpoint)
	if err != nil {
		return nil, errURL // the error of url quotes the address, which may hold a key
	}
	if !address.IsAbs() {
		from, err := url.Parse(base)
		if err != nil {
			return nil, errURL
		}
		address = from.ResolveReference(address)
	}
	if address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" {
		return nil, errURL
	}
	return address, nil
}

// timeout is how long a provider has for its answer.
func (s *Settings) timeout(p *ordered.Value) time.Duration {
	const longest = 10 * 60 * 1000
	ms := 5000.0
	for _, v := range []*ordered.Value{p.Get("health_check", "timeout_ms"), s.root.Get("constraints", "health_check_timeout_ms")} {
		if f, _ := v.Float(); f > 0 {
			ms = min(f, longest)
			break
		}
	}
	return time.Duration(ms * float64(time.Millisecond))
}

// milliseconds writes d for people.
func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64) + " ms"
}
