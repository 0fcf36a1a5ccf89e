//go:build linux && amd64 && !race && !checkedloop && go1.26 && !go1.28

package native

// hasAVX reports whether the processor has AVX, and the system lets it be used.
func hasAVX() bool
