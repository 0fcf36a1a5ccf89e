package net_test

import (
	"context"
	"io"
	stdnet "net"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel/stdlib/net"
	"github.com/runnel-lang/runnel/vm/host"
)

// zone is what names lead to in these tests.
var zone = map[string][]string{
	"api.example.com":     {"93.184.216.34", "2606:2800:220:1::1"},
	"rebind.example.com":  {"127.0.0.1"},
	"inside.example.com":  {"10.1.2.3"},
	"mapped.example.com":  {"::ffff:127.0.0.1"},
	"nat64.example.com":   {"64:ff9b::7f00:1"},
	"link.example.com":    {"169.254.169.254"},
	"zero.example.com":    {"0.0.0.0"},
	"six.example.com":     {"::1"},
	"cgnat.example.com":   {"100.64.1.1"},
	"ula.example.com":     {"fd00::1"},
	"6to4.example.com":    {"2002:7f00:1::"},
	"compat.example.com":  {"::127.0.0.1"},
	"docs.example.org":    {"93.184.216.35"},
	"a.b.example.org":     {"93.184.216.36"},
	"example.org":         {"93.184.216.37"},
	"evil-example.org":    {"93.184.216.38"},
	"mixed.example.com":   {"127.0.0.1", "93.184.216.34"},
	"nowhere.example.com": {},
}

func resolve(_ context.Context, host string) ([]netip.Addr, error) {
	texts, ok := zone[host]
	if !ok {
		return nil, &stdnet.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, text := range texts {
		addrs = append(addrs, netip.MustParseAddr(text))
	}
	return addrs, nil
}

func TestWhatMayBeReached(t *testing.T) {
	lists := func(s string) []string { return strings.Fields(s) }
	for _, c := range []struct {
		dial, address string
		want          string // addresses, or a part of the error
	}{
		{"api.example.com:443", "api.example.com:443", "93.184.216.34:443 [2606:2800:220:1::1]:443"},
		{"api.example.com:443", "API.Example.COM.:443", "93.184.216.34:443 [2606:2800:220:1::1]:443"},
		{"API.example.com.:443", "api.example.com:443", "93.184.216.34:443 [2606:2800:220:1::1]:443"},
		{"api.example.com:443", "api.example.com:80", "not grant it: connections to api.example.com:80"},
		{"api.example.com:443", "api.example.com..:443", "neither a name nor an address"},
		{"api.example.com:443", "xapi.example.com:443", "not grant"},
		{"api.example.com:443", "93.184.216.34:443", "not grant it: connections to 93.184.216.34:443"},
		{"api.example.com:443", "unknown.example.com:443", "not grant"},
		{"", "api.example.com:443", "not grant"},

		{"*.example.org:*", "docs.example.org:1", "93.184.216.35:1"},
		{"*.example.org:*", "a.b.example.org:65535", "93.184.216.36:65535"},
		{"*.example.org:*", "example.org:443", "not grant"},
		{"*.example.org:*", "evil-example.org:443", "not grant"},
		{"*.example.org:80-90", "docs.example.org:80", "93.184.216.35:80"},
		{"*.example.org:80-90", "docs.example.org:90", "93.184.216.35:90"},
		{"*.example.org:80-90", "docs.example.org:91", "not grant"},
		{"*.example.org:80-90", "docs.example.org:79", "not grant"},

		// names that lead to what is not public
		{"*:*", "rebind.example.com:80", "not grant it: connections to rebind.example.com:80, which is 127.0.0.1"},
		{"rebind.example.com:80", "rebind.example.com:80", "not grant"},
		{"*:*", "inside.example.com:80", "not grant"},
		{"*:*", "mapped.example.com:80", "not grant"},
		{"*:*", "nat64.example.com:80", "not grant"},
		{"*:*", "link.example.com:80", "not grant"},
		{"*:*", "zero.example.com:80", "not grant"},
		{"*:*", "six.example.com:80", "not grant"},
		{"*:*", "cgnat.example.com:80", "not grant"},
		{"*:*", "ula.example.com:80", "not grant"},
		{"*:*", "6to4.example.com:80", "not grant"},
		{"*:*", "compat.example.com:80", "not grant"},
		{"*:*", "mixed.example.com:80", "93.184.216.34:80"},
		{"*:*", "nowhere.example.com:80", "no suitable address"},
		{"*:*", "unknown.example.com:80", "no such host"},
		{"private *:*", "rebind.example.com:80", "127.0.0.1:80"},
		{"private api.example.com:80", "rebind.example.com:80", "not grant"},
		{"private *:80", "10.0.0.1:80", "10.0.0.1:80"},
		{"inside.example.com:80 10.0.0.0/8:80", "inside.example.com:80", "10.1.2.3:80"},
		{"inside.example.com:80 10.0.0.0/8:81", "inside.example.com:80", "not grant"},
		{"10.0.0.0/8:80", "inside.example.com:80", "not grant it: connections to inside.example.com:80"},

		// addresses
		{"10.0.0.0/8:80", "10.255.0.1:80", "10.255.0.1:80"},
		{"10.0.0.0/8:80", "11.0.0.1:80", "not grant"},
		{"10.0.0.0/8:80", "10.0.0.1:81", "not grant"},
		{"10.0.0.0/8:80", "[::ffff:10.0.0.1]:80", "10.0.0.1:80"},
		{"10.0.0.7/8:80", "10.0.0.1:80", "10.0.0.1:80"},
		{"[fd00::/8]:443", "[fd12::1]:443", "[fd12::1]:443"},
		{"[fd00::/8]:443", "[FD12:0:0::1]:443", "[fd12::1]:443"},
		{"[fd00::/8]:443", "[fe80::1]:443", "not grant"},
		{"[fe80::/10]:443", "[fe80::1%eth0]:443", "[fe80::1%eth0]:443"},
		{"192.0.2.1:80", "192.0.2.1:80", "192.0.2.1:80"},
		{"192.0.2.1:80", "192.0.2.2:80", "not grant"},
		{"[::]:80", "10.0.0.1:80", "not grant"},
		{"[::/0]:80", "10.0.0.1:80", "not grant"},
		{"0.0.0.0/0:80", "10.0.0.1:80", "10.0.0.1:80"},
		{"*:80", "93.184.216.34:80", "93.184.216.34:80"},
		{":80", "93.184.216.34:80", "93.184.216.34:80"},
		{"*:80", "127.0.0.1:80", "not grant it: connections to 127.0.0.1:80"},
		{"*:80", "[::ffff:127.0.0.1]:80", "not grant"},
		{"*:80", "0.0.0.0:80", "not grant"},
		{"*:80", "[::]:80", "not grant"},
		{"*:80", "169.254.169.254:80", "not grant"},
		{"*:80", "224.0.0.1:80", "not grant"},
		{"*:80", "255.255.255.255:80", "not grant"},
		{"*:80", "[ff02::1]:80", "not grant"},
		{"*:80", ":80", "names no host"},

		// forms that systems read in different ways
		{"*:80", "2130706433:80", "neither a name nor an address"},
		{"*:80", "0177.0.0.1:80", "neither a name nor an address"},
		{"*:80", "0x7f.0.0.1:80", "neither a name nor an address"},
		{"*:80", "0x7f000001:80", "neither a name nor an address"},
		{"*:80", "127.1:80", "neither a name nor an address"},
		{"*:80", "127.0.0.1.:80", "not grant"},
		{"*:80", "010.0.0.1:80", "neither a name nor an address"},
		{"*:80", "①②⑦.0.0.1:80", "neither a name nor an address"},
		{"*:80", "example.com/x:80", "neither a name nor an address"},
		{"*:80", "user@example.com:80", "neither a name nor an address"},
		{"*:80", "a b:80", "neither a name nor an address"},
		{"*:80", "example.com\x00.org:80", "neither a name nor an address"},
		{"*:*", "example.com:http", "no port"},
		{"*:*", "example.com:65616", "no port"},
		{"*:*", "example.com:-1", "no port"},
		{"*:*", "example.com:+80", "no port"},
		{"*:*", "example.com", "no host:port"},
		{"*:*", "::1:80", "no host:port"},

		// this machine
		{"localhost:80", "localhost:80", "127.0.0.1:80 [::1]:80"},
		{"localhost:80", "LocalHost.:80", "127.0.0.1:80 [::1]:80"},
		{"localhost:80", "127.0.0.2:80", "127.0.0.2:80"},
		{"127.0.0.1:80", "localhost:80", "127.0.0.1:80"},
		{"*:80", "localhost:80", "not grant it: connections to localhost:80, which is 127.0.0.1"},
		{"localhost:80", "rebind.example.com:80", "not grant"},
		{"localhost:80 rebind.example.com:80", "rebind.example.com:80", "127.0.0.1:80"},

		// patterns that are none
		{"example.com", "example.com:80", "is not a pattern"},
		{"example.com:http", "example.com:80", "is not a pattern"},
		{"example.com:90-80", "example.com:80", "is not a pattern"},
		{"10.0.0.0/33:80", "10.0.0.1:80", "is not a pattern"},
		{"*.10.0.0.1:80", "10.0.0.1:80", "is not a pattern"},
		{"a*.example.com:80", "ab.example.com:80", "is not a pattern"},
		{"[::ffff:10.0.0.0/104]:80", "10.0.0.1:80", "is not a pattern"},
	} {
		allow := net.Allow{DialTo: lists(c.dial), Resolve: resolve}
		if len(allow.DialTo) > 0 && allow.DialTo[0] == "private" {
			allow.DialTo, allow.AllowPrivate = allow.DialTo[1:], true
		}
		addrs, err := net.Reachable(allow, "tcp", c.address)
		var got []string
		for _, a := range addrs {
			got = append(got, a.String())
		}
		if err == nil {
			require.Equal(t, c.want, strings.Join(got, " "), "%q %q", c.dial, c.address)
			continue
		}
		require.ErrorContains(t, err, c.want, "%q %q", c.dial, c.address)
		require.Equal(t, strings.Contains(c.want, "not grant"), isNotGranted(err), "%q %q: %v", c.dial, c.address, err)
		if strings.Contains(c.want, "is not a pattern") {
			require.Error(t, allow.Validate())
		} else {
			require.NoError(t, allow.Validate())
		}
	}
}

func isNotGranted(err error) bool {
	return strings.HasPrefix(err.Error(), host.ErrNotGranted.Error())
}

func TestNamesThatNoPatternHasAreNotLookedUp(t *testing.T) {
	var asked []string
	allow := net.Allow{
		DialTo: []string{"api.example.com:443", "10.0.0.0/8:*"},
		Resolve: func(ctx context.Context, host string) ([]netip.Addr, error) {
			asked = append(asked, host)
			return resolve(ctx, host)
		},
	}
	_, err := allow.Dial(t.Context(), "tcp", "secret.attacker.example:443")
	require.ErrorIs(t, err, host.ErrNotGranted)
	_, err = allow.Lookup(t.Context(), "secret.attacker.example")
	require.ErrorIs(t, err, host.ErrNotGranted)
	require.Empty(t, asked)
	addrs, err := allow.Lookup(t.Context(), "API.example.com")
	require.NoError(t, err)
	require.Equal(t, []string{"93.184.216.34", "2606:2800:220:1::1"}, addrs)
	require.Equal(t, []string{"api.example.com"}, asked)
}

func TestFamilies(t *testing.T) {
	allow := net.Allow{DialTo: []string{"*:*"}, Resolve: resolve}
	for network, want := range map[string]string{
		"tcp4": "93.184.216.34:443", "udp6": "[2606:2800:220:1::1]:443",
	} {
		addrs, err := net.Reachable(allow, network, "api.example.com:443")
		require.NoError(t, err)
		require.Len(t, addrs, 1)
		require.Equal(t, want, addrs[0].String())
	}
	for _, network := range []string{"ip", "ip4:icmp", "unixpacket", ""} {
		_, err := allow.Dial(t.Context(), network, "api.example.com:443")
		require.ErrorIs(t, err, host.ErrNotGranted, network)
		_, err = allow.Listen(t.Context(), network, "127.0.0.1:0")
		require.ErrorIs(t, err, host.ErrNotGranted, network)
	}
}

func TestWhereMayBeListened(t *testing.T) {
	for _, c := range []struct{ pattern, network, address, want string }{
		{"127.0.0.1:*", "tcp", "127.0.0.1:0", "127.0.0.1:0"},
		{"127.0.0.1:*", "tcp", "localhost:8080", "127.0.0.1:8080"},
		{"localhost:*", "tcp", "127.0.0.1:8080", "127.0.0.1:8080"},
		{"localhost:*", "tcp6", "localhost:8080", "[::1]:8080"},
		{"localhost:*", "tcp", "[::1]:8080", "[::1]:8080"},
		{"127.0.0.1:*", "tcp", ":8080", "not grant it: listening on :8080"},
		{"127.0.0.1:*", "tcp", "0.0.0.0:8080", "not grant"},
		{"127.0.0.1:8000-9000", "tcp", "127.0.0.1:0", "not grant"},
		{"*:8080", "tcp", ":8080", ":8080"},
		{"*:8080", "tcp", "0.0.0.0:8080", "0.0.0.0:8080"},
		{":8080", "tcp", "192.168.0.1:8080", "192.168.0.1:8080"},
		{"*:8080", "tcp", ":8081", "not grant"},
		{"*:*", "tcp", "example.com:80", "is not an address of this machine"},
		{"unix:/run/*.sock", "unix", "/run/a.sock", "/run/a.sock"},
		{"unix:/run/*.sock", "unix", "/run/x/a.sock", "not grant"},
		{"unix:/run/*.sock", "unix", "/run/../etc/a.sock", "not grant"},
		{"unix:/run/*/a.sock", "unix", "/run/../a.sock", "not grant"},
		{"*:*", "unix", "/run/a.sock", "not grant"},
	} {
		got, err := net.Local(net.Allow{ListenOn: []string{c.pattern}}, c.network, c.address)
		if err != nil {
			got = err.Error()
		}
		require.Contains(t, got, c.want, "%q %q", c.pattern, c.address)
	}
}

func TestConnectionsOfAllow(t *testing.T) {
	allow := net.Allow{DialTo: []string{"localhost:*"}, ListenOn: []string{"localhost:*"}}
	l, err := allow.Listen(t.Context(), "tcp", "localhost:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err == nil {
			io.WriteString(conn, "hello")
			conn.Close()
		}
	}()
	_, port, err := stdnet.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	conn, err := allow.Dial(t.Context(), "tcp", "localhost:"+port) // ::1 is refused, 127.0.0.1 answers
	require.NoError(t, err)
	defer conn.Close()
	data, err := io.ReadAll(conn)
	require.NoError(t, err)
	require.Equal(t, "hello", string(data))

	l.Close()
	_, err = allow.Dial(t.Context(), "tcp", "localhost:"+port)
	require.ErrorContains(t, err, "connection refused")
}

func TestDialEndsWithItsContext(t *testing.T) {
	l, err := stdnet.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	slow := func(ctx context.Context, _ string) ([]netip.Addr, error) { <-ctx.Done(); return nil, ctx.Err() }
	_, err = net.Allow{DialTo: []string{"*:*"}, Resolve: slow}.Dial(ctx, "tcp", "slow.example.com:80")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = net.Allow{DialTo: []string{"127.0.0.1:*"}}.Dial(ctx, "tcp", l.Addr().String())
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestSocketsInTheFileSystem(t *testing.T) {
	dir := t.TempDir()
	allow := net.Allow{DialTo: []string{"unix:" + dir + "/*"}, ListenOn: []string{"unix:" + dir + "/*"}}
	file := filepath.Join(dir, "s")
	l, err := allow.Listen(t.Context(), "unix", file)
	require.NoError(t, err)
	defer l.Close()
	conn, err := allow.Dial(t.Context(), "unix", file)
	require.NoError(t, err)
	conn.Close()
	_, err = net.Allow{DialTo: []string{"*:*"}}.Dial(t.Context(), "unix", file)
	require.ErrorIs(t, err, host.ErrNotGranted)
}

// Packets go to those whom a pattern has, and back to those who sent one.
func TestPacketsOfAllow(t *testing.T) {
	stranger, err := stdnet.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	defer stranger.Close()
	allow := net.Allow{ListenOn: []string{"127.0.0.1:*"}}
	conn, err := allow.ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	defer conn.Close()

	_, err = conn.WriteTo([]byte("x"), stranger.LocalAddr())
	require.ErrorIs(t, err, host.ErrNotGranted)
	require.ErrorContains(t, err, stranger.LocalAddr().String())

	_, err = stranger.WriteTo([]byte("hello"), conn.LocalAddr())
	require.NoError(t, err)
	n, from, err := conn.ReadFrom(make([]byte, 16))
	require.NoError(t, err)
	require.Equal(t, 5, n)
	_, err = conn.WriteTo([]byte("x"), from)
	require.NoError(t, err)

	allow.DialTo = []string{"127.0.0.0/8:*"}
	other, err := allow.ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	defer other.Close()
	_, err = other.WriteTo([]byte("x"), stranger.LocalAddr())
	require.NoError(t, err)
}
