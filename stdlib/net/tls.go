package net

import (
	"crypto/tls"
	"crypto/x509"
	"net"

	"github.com/runnel-lang/runnel/vm"
)

// connectTLS reads address, wait, server_name, ca, cert, key.
func connectTLS(c *vm.Call) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: c.Str(2)}
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(c.Str(0))
		if err != nil {
			c.ThrowIO("cannot connect to "+quote(c.Str(0)), invalid("%s is no host:port", quote(c.Str(0))))
		}
		config.ServerName = host
	}
	if ca := c.Str(3); ca != "" {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM([]byte(ca)) {
			c.Throw(vm.ErrValue, "net.connect_tls: ca holds no certificate in PEM")
		}
	}
	if c.Str(4) != "" {
		config.Certificates = []tls.Certificate{certificate(c, "net.connect_tls", c.Str(4), c.Str(5))}
	}
	connect(c, "tcp", c.Int(1), config)
}

// listenTLS reads address, cert, key, client_ca.
func listenTLS(c *vm.Call) {
	config := &tls.Config{
		MinVersion:   tls.VersionTLS12,
		Certificates: []tls.Certificate{certificate(c, "net.listen_tls", c.Str(1), c.Str(2))},
	}
	if ca := c.Str(3); ca != "" {
		config.ClientCAs, config.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		if !config.ClientCAs.AppendCertsFromPEM([]byte(ca)) {
			c.Throw(vm.ErrValue, "net.listen_tls: client_ca holds no certificate in PEM")
		}
	}
	listen(c, "tcp", config)
}

func certificate(c *vm.Call, function, cert, key string) tls.Certificate {
	c.Steps(1 + (len(cert)+len(key))/64)
	pair, err := tls.X509KeyPair([]byte(cert), []byte(key))
	if err != nil {
		c.Throw(vm.ErrValue, "%s: %v", function, err)
	}
	return pair
}
