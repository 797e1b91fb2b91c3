// Package release names the release of the product.
package release

// Version is a semantic version. The plugin carries it, and the tool tells it.
const Version = "1.0.0"
