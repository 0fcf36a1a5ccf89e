package http

import (
	"context"
	"time"

	"github.com/runnel-lang/runnel/vm/host"
)

// Ending is granted by a host that knows when its process is asked to end: servers
// answer the requests that have come before their tasks are cancelled.
type Ending interface {
	// OnEnd has answer called then, on any goroutine; the host goes on when it
	// returns or its context ends. What OnEnd gives takes this back.
	OnEnd(answer func(ctx context.Context)) (forget func())
}

// lastRequests is how long the requests have that are in hand when the process ends.
const lastRequests = 3 * time.Second

// heedEnd has the server answer what has come when the process ends, if the host
// tells of it.
func (s *server) heedEnd(host *host.Host) {
	for _, g := range host.Grants {
		if e, ok := g.(Ending); ok {
			s.forgetEnd = e.OnEnd(func(ctx context.Context) { s.stop(ctx, lastRequests) })
			return
		}
	}
}
