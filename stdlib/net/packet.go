package net

import (
	"context"
	"net"
	"net/netip"
	"sync"
)

// peersKept bounds how many of those who sent something may be answered.
const peersKept = 4096

// packetGuard checks where packets go to: where Dial may connect to, or back to
// who sent one.
type packetGuard struct {
	net.PacketConn
	allow Allow

	mu    sync.Mutex
	peers map[string]struct{}
	order []string // of peers, a ring when full
	next  int
}

func (g *packetGuard) ReadFrom(p []byte) (int, net.Addr, error) {
	n, from, err := g.PacketConn.ReadFrom(p)
	if from != nil {
		g.heardFrom(from.String())
	}
	return n, from, err
}

func (g *packetGuard) heardFrom(peer string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.peers[peer]; known {
		return
	}
	if g.peers == nil {
		g.peers = map[string]struct{}{}
	}
	if len(g.order) < peersKept {
		g.order = append(g.order, peer)
	} else {
		delete(g.peers, g.order[g.next])
		g.order[g.next] = peer
		g.next = (g.next + 1) % peersKept
	}
	g.peers[peer] = struct{}{}
}

func (g *packetGuard) WriteTo(p []byte, to net.Addr) (int, error) {
	if !g.mayAnswer(to.String()) {
		if err := g.mayReach(to); err != nil {
			return 0, err
		}
	}
	return g.PacketConn.WriteTo(p, to)
}

func (g *packetGuard) mayAnswer(peer string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, known := g.peers[peer]
	return known
}

func (g *packetGuard) mayReach(to net.Addr) error {
	if to.Network() == "unixgram" {
		return allowPath(g.allow.DialTo, to.String())
	}
	ps, err := parsePatterns(g.allow.DialTo)
	if err != nil {
		return err
	}
	addr, err := netip.ParseAddrPort(to.String())
	if err != nil {
		return invalid("%q is not an address", to)
	}
	if !g.allow.mayReach(ps, addr.Addr(), addr.Port(), false) {
		return refused("packets to " + to.String())
	}
	return nil
}

// Resolve returns an address that packets may be sent to from now on.
func (g *packetGuard) Resolve(ctx context.Context, address string) (net.Addr, error) {
	if addr, err := netip.ParseAddrPort(address); err == nil { // it may be one to answer
		return net.UDPAddrFromAddrPort(addr), nil
	}
	addrs, err := g.allow.reachable(ctx, "udp", address)
	if err != nil {
		return nil, err
	}
	to := net.UDPAddrFromAddrPort(g.suitable(addrs))
	g.heardFrom(to.String())
	return to, nil
}

// suitable is the first address of the socket's own family.
func (g *packetGuard) suitable(addrs []netip.AddrPort) netip.AddrPort {
	if local, err := netip.ParseAddrPort(g.LocalAddr().String()); err == nil {
		for _, addr := range addrs {
			if addr.Addr().Is4() == local.Addr().Is4() {
				return addr
			}
		}
	}
	return addrs[0]
}
