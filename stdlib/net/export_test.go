package net

import (
	"context"
	"net/netip"
)

// Reachable gives the addresses that Dial would try.
func Reachable(a Allow, network, address string) ([]netip.AddrPort, error) {
	return a.reachable(context.Background(), network, address)
}

// Local gives the address that Listen would use.
func Local(a Allow, network, address string) (string, error) { return a.local(network, address) }
