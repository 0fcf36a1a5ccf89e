package net

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// Network is the connections that a host grants. Modules that reach the network
// do so through it alone, so http's redirects are checked like all else. Networks
// are those of package net: tcp, tcp4, tcp6, udp, udp4, udp6 and unix.
type Network interface {
	Dial(ctx context.Context, network, address string) (net.Conn, error)
	Listen(ctx context.Context, network, address string) (net.Listener, error)
	ListenPacket(ctx context.Context, network, address string) (net.PacketConn, error)
	Lookup(ctx context.Context, host string) ([]string, error)
}

// System grants all that the process may do.
type System struct{}

// Dial connects.
func (System) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, address)
}

// Listen waits for connections.
func (System) Listen(ctx context.Context, network, address string) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, network, address)
}

// ListenPacket waits for packets.
func (System) ListenPacket(ctx context.Context, network, address string) (net.PacketConn, error) {
	return new(net.ListenConfig).ListenPacket(ctx, network, address)
}

// Lookup returns the addresses of a name.
func (System) Lookup(ctx context.Context, host string) ([]string, error) {
	return net.DefaultResolver.LookupHost(ctx, host)
}

// Allow grants what its patterns say and refuses the rest with an error that
// wraps host.ErrNotGranted. A pattern is host:port.
//
//	api.example.com:443     the name, on one port
//	*.example.org:*         all names below it, on any port
//	*:80-90                 any name and any public address, on some ports
//	10.0.0.0/8:80           addresses; [fd00::/8]:80 those of IPv6
//	localhost:8080          this machine
//	unix:/run/app/*.sock    sockets in the file system
//
// A name is looked up only when a pattern has it. What it leads to must be a
// public address all the same, or be in a pattern of addresses: nobody reaches
// a private network by a name of their own that points there.
type Allow struct {
	// DialTo is where connections, and packets, may go to.
	DialTo []string
	// ListenOn is where they may be waited for; * is any address of this machine.
	// Packets may be sent back to who sent one.
	ListenOn []string
	// AllowPrivate lets names, and *, lead to addresses that are not public.
	AllowPrivate bool
	// Resolve looks names up; nil asks the system.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}

// Validate tells the first pattern that is none.
func (a Allow) Validate() error {
	_, err := parsePatterns(a.DialTo)
	_, err2 := parsePatterns(a.ListenOn)
	return errors.Join(err, err2)
}

// Dial connects to the first address that answers.
func (a Allow) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if network == "unix" {
		if err := allowPath(a.DialTo, address); err != nil {
			return nil, err
		}
		return System{}.Dial(ctx, network, address)
	}
	addrs, err := a.reachable(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return dialAny(ctx, network, addrs)
}

// Listen waits for connections.
func (a Allow) Listen(ctx context.Context, network, address string) (net.Listener, error) {
	address, err := a.local(network, address)
	if err != nil {
		return nil, err
	}
	return System{}.Listen(ctx, network, address)
}

// ListenPacket waits for packets, and sends them where Dial may connect to.
func (a Allow) ListenPacket(ctx context.Context, network, address string) (net.PacketConn, error) {
	address, err := a.local(network, address)
	if err != nil {
		return nil, err
	}
	conn, err := System{}.ListenPacket(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &packetGuard{PacketConn: conn, allow: a}, nil
}

// Lookup returns the addresses of a name that a pattern for Dial has on some port.
func (a Allow) Lookup(ctx context.Context, host string) ([]string, error) {
	t, err := parseHost(host)
	if err != nil {
		return nil, err
	}
	ps, err := parsePatterns(a.DialTo)
	if err != nil {
		return nil, err
	}
	if t.isName() && t.name != localhost && !ps.any(func(p *pattern) bool { return p.hasName(t.name) }) {
		return nil, refused("the lookup of " + host)
	}
	addrs, err := a.resolve(ctx, "ip", t)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(addrs))
	for i, addr := range addrs {
		texts[i] = addr.String()
	}
	return texts, nil
}

// reachable returns the addresses that an address means and that are granted.
func (a Allow) reachable(ctx context.Context, network, address string) ([]netip.AddrPort, error) {
	family, err := familyOf(network)
	if err != nil {
		return nil, err
	}
	t, err := parseTarget(address)
	if err != nil {
		return nil, err
	}
	if t.isAny() {
		return nil, invalid("%s names no host", quote(address))
	}
	ps, err := parsePatterns(a.DialTo)
	if err != nil {
		return nil, err
	}
	named := t.isName() && ps.any(func(p *pattern) bool { return p.hasPort(t.port) && p.hasName(t.name) })
	if t.isName() && t.name != localhost && !named {
		return nil, refused("connections to " + address)
	}
	addrs, err := a.resolve(ctx, family, t)
	if err != nil {
		return nil, err
	}
	var granted []netip.AddrPort
	for _, addr := range addrs {
		if a.mayReach(ps, addr, t.port, named) {
			granted = append(granted, netip.AddrPortFrom(addr, t.port))
		}
	}
	switch {
	case len(granted) > 0:
		return granted, nil
	case len(addrs) > 0 && t.isName():
		return nil, refused(fmt.Sprintf("connections to %s, which is %v", address, addrs[0]))
	case len(addrs) > 0:
		return nil, refused("connections to " + address)
	}
	return nil, &net.DNSError{Err: "no suitable address", Name: t.name, IsNotFound: true}
}

// mayReach reports whether an address may be connected to, which is one of a name
// that a pattern has, or was asked for itself.
func (a Allow) mayReach(ps patterns, addr netip.Addr, port uint16, named bool) bool {
	plain := addr.Unmap().WithZone("")
	if ps.any(func(p *pattern) bool { return p.hasPort(port) && p.hasAddr(plain) }) {
		return true
	}
	anyHost := ps.any(func(p *pattern) bool { return p.hasPort(port) && p.anyHost })
	return (named || anyHost) && (a.AllowPrivate || isPublic(plain))
}

func (a Allow) resolve(ctx context.Context, family string, t target) ([]netip.Addr, error) {
	var addrs []netip.Addr
	var err error
	switch {
	case !t.isName():
		addrs = []netip.Addr{t.addr}
	case t.name == localhost:
		addrs = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	case a.Resolve != nil:
		addrs, err = a.Resolve(ctx, t.name)
	default:
		addrs, err = net.DefaultResolver.LookupNetIP(ctx, family, t.name)
	}
	suitable := addrs[:0:0]
	for _, addr := range addrs {
		if addr = addr.Unmap(); family == "ip" || addr.Is4() == (family == "ip4") {
			suitable = append(suitable, addr)
		}
	}
	return suitable, err
}

// local checks an address to listen on and gives it in the form to listen on.
func (a Allow) local(network, address string) (string, error) {
	if network == "unix" || network == "unixgram" {
		return address, allowPath(a.ListenOn, address)
	}
	if _, err := familyOf(network); err != nil {
		return "", err
	}
	t, err := parseTarget(address)
	if err != nil {
		return "", err
	}
	ps, err := parsePatterns(a.ListenOn)
	if err != nil {
		return "", err
	}
	addr := t.addr
	switch {
	case t.name == localhost && network[len(network)-1] == '6':
		addr = netip.IPv6Loopback()
	case t.name == localhost:
		addr = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	case t.isName():
		return "", invalid("%s is not an address of this machine: use a number or localhost", quote(address))
	}
	if !ps.any(func(p *pattern) bool {
		return p.hasPort(t.port) && (p.anyHost || addr.IsValid() && p.hasAddr(addr.WithZone("")))
	}) {
		return "", refused("listening on " + address)
	}
	if !addr.IsValid() {
		return fmt.Sprintf(":%d", t.port), nil
	}
	return netip.AddrPortFrom(addr, t.port).String(), nil
}

func familyOf(network string) (string, error) {
	switch network {
	case "tcp", "udp":
		return "ip", nil
	case "tcp4", "udp4":
		return "ip4", nil
	case "tcp6", "udp6":
		return "ip6", nil
	}
	return "", refused("the network " + network)
}

// refused is the error of what no pattern has.
func refused(what string) error { return fmt.Errorf("%w: %s", host.ErrNotGranted, what) }

func invalid(format string, args ...any) error {
	return &vm.IOError{Kind: vm.IOInvalid, Err: fmt.Errorf(format, args...)}
}

// nextDial is how long one address is waited for before the next is tried too.
const nextDial = 250 * time.Millisecond

// dialAny connects to the first of some addresses that answers.
func dialAny(ctx context.Context, network string, addrs []netip.AddrPort) (net.Conn, error) {
	type outcome struct {
		conn net.Conn
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	outcomes := make(chan outcome)
	dial := func(addr netip.AddrPort) {
		conn, err := new(net.Dialer).DialContext(ctx, network, addr.String())
		select {
		case outcomes <- outcome{conn, err}:
		case <-ctx.Done():
			if conn != nil {
				conn.Close()
			}
		}
	}
	next := time.NewTimer(0)
	defer next.Stop()
	var first error
	for failed, rest := 0, addrs; failed < len(addrs); {
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case o := <-outcomes:
			if o.err == nil {
				return o.conn, nil
			}
			if first == nil {
				first = o.err
			}
			failed++
			next.Reset(0)
		case <-next.C:
			if len(rest) > 0 {
				go dial(rest[0])
				rest = rest[1:]
				next.Reset(nextDial)
			}
		}
	}
	return nil, first
}
