package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// open is what many connections at the same time cost.
type open struct {
	first, again time.Duration
	memory       float64 // MiB, with all of them open
}

const askers = 64 // at the same time

// hold opens connections that stay open, with a request on each, and asks again
// on all of them.
func (p *process) hold(n int) (o open, err error) {
	conns := make([]net.Conn, n)
	defer func() {
		for _, c := range conns {
			if c != nil {
				c.Close()
			}
		}
	}()
	o.first, err = each(n, func(i int) (err error) {
		if conns[i], err = net.Dial("tcp", p.address); err != nil {
			return err
		}
		return ask(conns[i])
	})
	if err != nil {
		return o, err
	}
	o.memory = p.memory()
	o.again, err = each(n, func(i int) error { return ask(conns[i]) })
	return o, err
}

// each calls f for 0..n on a few goroutines, and gives the time it took.
func each(n int, f func(i int) error) (time.Duration, error) {
	began := time.Now()
	var all sync.WaitGroup
	errs := make([]error, askers)
	for k := range askers {
		all.Go(func() {
			for i := k; i < n && errs[k] == nil; i += askers {
				errs[k] = f(i)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

func ask(conn net.Conn) error {
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReaderSize(conn, 512), nil)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || len(body) != 13 {
		return fmt.Errorf("status %d, %d bytes: %v", resp.StatusCode, len(body), err)
	}
	return nil
}
