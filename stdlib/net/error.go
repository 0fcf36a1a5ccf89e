package net

import (
	"errors"
	"net"
	"syscall"

	"github.com/runnel-lang/runnel/vm"
)

// cause is an error of package net without the operation and addresses that it
// repeats, of a kind that scripts know.
func cause(err error) error {
	var op *net.OpError
	for errors.As(err, &op) && op.Err != nil {
		err = op.Err
	}
	var sys syscall.Errno
	if errors.As(err, &sys) {
		err = sys
	}
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		if dns.IsNotFound {
			return &vm.IOError{Kind: vm.IONotFound, Err: errors.New(dns.Err)}
		}
		if !dns.IsTimeout {
			return &vm.IOError{Kind: vm.IOOther, Err: errors.New(dns.Err)}
		}
	case errors.Is(err, net.ErrClosed):
		return vm.ErrResourceClosed
	case errors.Is(err, syscall.EADDRINUSE):
		return &vm.IOError{Kind: vm.IOExists, Err: err}
	}
	return err
}
