package net

import (
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
		return invalid("%q is no address", to)
	}
	if !g.allow.mayReach(ps, addr.Addr(), addr.Port(), false) {
		return refused("packets to " + to.String())
	}
	return nil
}
