package net_test

import (
	"strings"
	"testing"

	"github.com/runnel-lang/runnel/stdlib/net"
)

// FuzzAllow looks for an address that a pattern for others lets through.
func FuzzAllow(f *testing.F) {
	for _, pair := range [][2]string{
		{"*:*", "example.com:80"}, {"*.example.org:80-90", "a.example.org:85"}, {"10.0.0.0/8:80", "[::ffff:10.0.0.1]:80"},
		{"[fd00::/8]:443", "[fd00::1%eth0]:443"}, {"localhost:*", "LOCALHOST.:1"}, {"unix:/run/*", "0x7f.1:1"}, {":80", "0177.0.0.1:80"},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, pattern, address string) {
		allow := net.Allow{DialTo: []string{pattern}, ListenOn: []string{pattern}, Resolve: resolve}
		valid := allow.Validate() == nil
		net.Local(allow, "tcp", address)
		addrs, err := net.Reachable(allow, "tcp", address)
		if err == nil && (!valid || len(addrs) == 0) {
			t.Fatalf("%q lets %q through", pattern, address)
		}
		for _, a := range addrs {
			if strings.HasPrefix(pattern, "*") && !strings.Contains(pattern, "localhost") && (a.Addr().IsPrivate() || a.Addr().IsLoopback() || a.Addr().Is4In6()) {
				t.Fatalf("%q lets %q through to %v", pattern, address, a)
			}
		}
	})
}
