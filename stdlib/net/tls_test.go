package net_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	stdnet "net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// certificate makes a key and a certificate for a name that it signs itself.
func certificate(t *testing.T, name string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{name}, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}))
}

// withCertificates puts certificates and keys in the place of their names.
func withCertificates(t *testing.T, src string) string {
	t.Helper()
	var pairs []string
	for _, name := range []string{"server", "client"} {
		cert, key := certificate(t, name+".example")
		pairs = append(pairs, strings.ToUpper(name)+"_CERT", "`"+cert+"`", strings.ToUpper(name)+"_KEY", "`"+key+"`")
	}
	return "import net\n" + strings.NewReplacer(pairs...).Replace(src)
}

func TestTLS(t *testing.T) {
	got, err := run(t, withCertificates(t, `
let listener = net.listen_tls("127.0.0.1:0", SERVER_CERT, SERVER_KEY)
spawn {
  for conn in listener {
    spawn { try { conn.write("hello ${conn.read_line() ?? ""}\n"); conn.close() } catch e: IoError { } }
  }
}
fn attempt(name: str, ca: str) -> str {
  try {
    let conn = net.connect_tls(listener.address(), server_name: name, ca: ca)
    defer conn.close()
    conn.write("me\n")
    conn.read_all()
  } catch e: IoError { e.message() }
}
print(attempt("server.example", SERVER_CERT))
print(attempt("other.example", SERVER_CERT))
print(attempt("server.example", CLIENT_CERT))
print(attempt("server.example", ""))
`))
	require.NoError(t, err)
	lines := strings.Split(got, "\n")
	require.Equal(t, "hello me", lines[0])
	require.Contains(t, got, "not other.example")
	require.Equal(t, 2, strings.Count(got, "certificate signed by unknown authority"), got)
}

func TestTLSOfClients(t *testing.T) {
	got, err := run(t, withCertificates(t, `
let listener = net.listen_tls("127.0.0.1:0", SERVER_CERT, SERVER_KEY, client_ca: CLIENT_CERT)
spawn {
  for conn in listener {
    spawn { try { conn.write("hello\n"); conn.close() } catch e: IoError { } }
  }
}
fn attempt(cert: str, key: str) -> str {
  try {
    net.connect_tls(listener.address(), server_name: "server.example", ca: SERVER_CERT, cert: cert, key: key).read_all().trim()
  } catch e: IoError { "refused" }
}
print(attempt(CLIENT_CERT, CLIENT_KEY))
print(attempt(SERVER_CERT, SERVER_KEY))
print(attempt("", ""))
`))
	require.NoError(t, err)
	require.Equal(t, "hello\nrefused\nrefused\n", got)
}

func TestCertificatesMustBeSome(t *testing.T) {
	for _, src := range []string{
		`net.listen_tls(":0", "x", "y")`, `net.listen_tls(":0", SERVER_CERT, CLIENT_KEY)`,
		`net.listen_tls(":0", SERVER_CERT, SERVER_KEY, client_ca: "x")`,
		`net.connect_tls("localhost:1", ca: "x")`, `net.connect_tls("localhost:1", cert: "x", key: "y")`,
	} {
		_, err := run(t, withCertificates(t, src))
		require.ErrorContains(t, err, "ValueError", src)
	}
}

// One who connects and says nothing, or nothing of TLS, holds up nobody else.
func TestASilentClientHoldsUpNobody(t *testing.T) {
	got, err := run(t, withCertificates(t, `
let listener = net.listen_tls("127.0.0.1:0", SERVER_CERT, SERVER_KEY)
let silent = net.connect(listener.address())
spawn { for conn in listener { spawn { try { conn.write("hello") } catch e: IoError { } ; conn.close() } } }
let rude = net.connect(listener.address())
rude.write("GET / HTTP/1.0\r\n\r\n")
print(net.connect_tls(listener.address(), server_name: "server.example", ca: SERVER_CERT).read_all())
`))
	require.NoError(t, err)
	require.Equal(t, "hello\n", got)
}

// A handshake that never ends is given up.
func TestAHandshakeIsGivenUp(t *testing.T) {
	l, err := stdnet.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	got, err := run(t, withCertificates(t, `
print(try { net.connect_tls("`+l.Addr().String()+`", 30ms); "" } catch e: IoError { "${e.kind}" })
print(try { timeout(30ms, || { net.connect_tls("`+l.Addr().String()+`"); "" }) } catch e: Timeout { "late" })
`))
	require.NoError(t, err)
	require.Equal(t, "TimedOut\nlate\n", got)
}
