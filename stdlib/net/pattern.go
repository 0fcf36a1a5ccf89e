package net

import (
	"net"
	"net/netip"
	"path"
	"strconv"
	"strings"
)

const localhost = "localhost"

// target is what an address asks for: a name, an address, or, when listening,
// neither, which means all addresses of the machine.
type target struct {
	name string // in lower case, without the dot at its end
	addr netip.Addr
	port uint16
}

func (t target) isName() bool { return t.name != "" }
func (t target) isAny() bool  { return t.name == "" && !t.addr.IsValid() }

func parseTarget(address string) (target, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return target{}, invalid("%s is no host:port", quote(address))
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return target{}, invalid("%s has no port from 0 to 65535", quote(address))
	}
	t := target{port: uint16(n)}
	if host == "" {
		return t, nil
	}
	h, err := parseHost(host)
	t.name, t.addr = h.name, h.addr
	return t, err
}

// parseHost reads a name or an address. Numbers that systems differ about are
// refused: 127.1, 0177.0.0.1 and 2130706433 are names to some and 127.0.0.1 to
// others. So are letters beyond ASCII, which resolvers may fold into others.
func parseHost(host string) (target, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return target{addr: addr.Unmap()}, nil
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if addr, err := netip.ParseAddr(name); err == nil {
		return target{addr: addr.Unmap()}, nil
	}
	if !isName(name) {
		return target{}, invalid("%s is neither a name nor an address", quote(host))
	}
	return target{name: name}, nil
}

// isName reports whether a text is a host name that nobody takes for an address.
func isName(s string) bool {
	if s == "" || len(s) > 253 {
		return false
	}
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	last := labels[len(labels)-1]
	return strings.Trim(last, "0123456789") != "" && !strings.HasPrefix(last, "0x")
}

// pattern is one of Allow's.
type pattern struct {
	anyHost   bool
	name      string       // the name itself
	below     string       // ".example.org": names that end so
	prefix    netip.Prefix // addresses
	low, high uint16       // ports
	path      string       // of sockets in the file system; nothing else is set then
}

type patterns []pattern

func (ps patterns) any(has func(*pattern) bool) bool {
	for i := range ps {
		if has(&ps[i]) {
			return true
		}
	}
	return false
}

func (p *pattern) hasPort(port uint16) bool { return p.path == "" && p.low <= port && port <= p.high }

func (p *pattern) hasName(name string) bool {
	return p.anyHost || p.name == name || p.below != "" && strings.HasSuffix(name, p.below)
}

func (p *pattern) hasAddr(addr netip.Addr) bool {
	return p.prefix.IsValid() && p.prefix.Contains(addr) || p.name == localhost && addr.IsLoopback()
}

func parsePatterns(texts []string) (patterns, error) {
	ps := make(patterns, len(texts))
	for i, text := range texts {
		var ok bool
		if ps[i], ok = parsePattern(text); !ok {
			return nil, invalid("%q is not a pattern of addresses like example.com:443 or 10.0.0.0/8:*", text)
		}
	}
	return ps, nil
}

func parsePattern(text string) (p pattern, ok bool) {
	if file, ok := strings.CutPrefix(text, "unix:"); ok {
		_, err := path.Match(file, "")
		return pattern{path: file}, err == nil && file != ""
	}
	host, ports, err := net.SplitHostPort(text)
	if err != nil {
		return p, false
	}
	if p.low, p.high, ok = parsePorts(ports); !ok {
		return p, false
	}
	return p, p.parseHost(host)
}

func (p *pattern) parseHost(host string) bool {
	switch below, isBelow := strings.CutPrefix(host, "*."); {
	case host == "*" || host == "":
		p.anyHost = true
		return true
	case isBelow:
		t, err := parseHost(below)
		p.below = "." + t.name
		return err == nil && t.isName()
	case strings.Contains(host, "/"):
		prefix, err := netip.ParsePrefix(host)
		p.prefix = prefix.Masked()
		return err == nil && !prefix.Addr().Is4In6()
	}
	t, err := parseHost(host)
	if err != nil {
		return false
	}
	if p.name = t.name; !t.isName() {
		addr := t.addr.WithZone("")
		p.prefix = netip.PrefixFrom(addr, addr.BitLen())
	}
	return true
}

func parsePorts(text string) (low, high uint16, ok bool) {
	if text == "*" {
		return 0, 65535, true
	}
	first, last, isRange := strings.Cut(text, "-")
	if !isRange {
		last = first
	}
	l, err := strconv.ParseUint(first, 10, 16)
	h, err2 := strconv.ParseUint(last, 10, 16)
	return uint16(l), uint16(h), err == nil && err2 == nil && l <= h
}

// allowPath checks the path of a socket.
func allowPath(texts []string, file string) error {
	ps, err := parsePatterns(texts)
	if err != nil {
		return err
	}
	if !ps.any(func(p *pattern) bool {
		ok, _ := path.Match(p.path, file)
		return p.path != "" && ok && path.Clean(file) == file
	}) {
		return refused("the socket " + file)
	}
	return nil
}

// special are the addresses that no one reaches over the Internet, beyond those
// that package netip tells, and those that hold an address of IPv4 within.
var special = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fec0::/10",
)

func prefixes(texts ...string) []netip.Prefix {
	ps := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		ps[i] = netip.MustParsePrefix(text)
	}
	return ps
}

// isPublic reports whether an address, which is no IPv4-mapped one, is one of
// the Internet.
func isPublic(addr netip.Addr) bool {
	if !addr.IsGlobalUnicast() || addr.IsPrivate() {
		return false
	}
	for _, p := range special {
		if p.Contains(addr) {
			return false
		}
	}
	return true
}
