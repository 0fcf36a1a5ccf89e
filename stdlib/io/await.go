package io

import (
	"context"
	"errors"

	"github.com/runnel-lang/runnel/vm"
)

// await has the buffer filled and the native called again.
func (r *Reader) await(c *vm.Call, g goal, grow int) {
	r.awaitFill(c, g, grow, func(ctx context.Context) error {
		if r.parks { // nothing is held up by waiting here
			return r.takeTurn(ctx)
		}
		select {
		case r.turn <- struct{}{}:
			return nil
		default:
			return errBusy
		}
	}, nil)
}

// errBusy says that another task reads the stream.
var errBusy = errors.New("the stream is being read")

func (r *Reader) awaitFill(c *vm.Call, g goal, grow int, take func(context.Context) error, drop func()) {
	c.Await(vm.Blocking{
		Name:   "read " + r.name,
		Charge: grow,
		Parks:  r.parks,
		Work: func(ctx context.Context) (any, error) {
			if err := take(ctx); err != nil {
				return nil, err
			}
			defer r.giveTurn()
			return nil, r.fill(ctx, g, grow)
		},
		Finish: func(c *vm.Call, _ any, err error) {
			c.ResizeNative(0, r.size())
			var full errFull
			switch {
			case err == errBusy:
				r.awaitTurn(c, g)
			case errors.As(err, &full):
				r.await(c, g, r.larger(int(full)))
			case err != nil:
				c.ThrowIO("cannot read "+r.name, err)
			default:
				c.Again()
			}
		},
		Drop: drop,
	})
}

// awaitTurn waits, holding no thread, until the buffer can be filled or has been
// by others.
func (r *Reader) awaitTurn(c *vm.Call, g goal) {
	filling := false // has the turn to fill the buffer
	give := func() {
		if filling {
			filling = false
			r.giveTurn()
		}
	}
	c.Await(vm.Blocking{
		Name:  "read " + r.name,
		Parks: true,
		Work: func(ctx context.Context) (any, error) {
			if err := r.takeTurn(ctx); err != nil {
				return nil, err
			}
			filling = true
			if _, _, ready := r.buffered(g); ready {
				give()
			}
			return nil, nil
		},
		Finish: func(c *vm.Call, _ any, err error) {
			switch {
			case err != nil:
				c.ThrowIO("cannot read "+r.name, err)
			case !filling:
				c.Again()
			default:
				r.awaitFill(c, g, r.larger(0), func(context.Context) error { filling = false; return nil }, give)
			}
		},
		Drop: give,
	})
}
