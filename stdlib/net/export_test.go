package net

import (
	"context"
	"net/netip"
)

// Reachable returns the addresses that Dial would try.
func Reachable(a Allow, network, address string) ([]netip.AddrPort, error) {
	return a.reachable(context.Background(), network, address)
}

// Local returns the address that Listen would use.
func Local(a Allow, network, address string) (string, error) { return a.local(network, address) }
