package provider

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Get is the [Probe] that asks with HTTP: one GET without a key, past any proxy.
// An answer with a status from 200 to 399 is enough; it is neither followed
// elsewhere nor read.
func Get(address *url.URL, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	plain := *address
	plain.User, plain.Fragment = nil, ""
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, plain.String(), nil)
	if err != nil {
		return errURL
	}
	request.Header.Set("User-Agent", "") // which keeps the client from naming itself
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(request) // a client would follow redirects
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("timeout after %s", milliseconds(timeout))
	case err != nil:
		return fmt.Errorf("no connection to %s: %w", hostPort(address), err)
	}
	defer response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 399 {
		return fmt.Errorf("HTTP %d", response.StatusCode)
	}
	return nil
}

func hostPort(address *url.URL) string {
	port := address.Port()
	switch {
	case port != "":
	case address.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(address.Hostname(), port)
}
