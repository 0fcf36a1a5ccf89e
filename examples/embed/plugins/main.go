// Command plugins runs the scripts of tenants who do not know, and need not
// trust, each other: each has an instance with limits and a folder of its own.
// What one does wrong is an error of its own; the others go on.
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"log"
	"os"
	"path"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/runnel-lang/runnel"
)

//go:embed plugins
var scripts embed.FS

// limits of each tenant.
var limits = runnel.Limits{Memory: 1 << 20, CallSteps: 200_000, Tasks: 100, Time: 5 * time.Second}

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "plugins")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rt, err := NewRuntime()
	if err != nil {
		return err
	}
	defer rt.Close()
	tenants, err := loadAll(ctx, rt, dir)
	if err != nil {
		return err
	}
	for _, t := range tenants {
		defer t.Close()
	}
	for _, event := range []string{"the door opens", "the light goes on"} {
		fmt.Fprintf(out, "== %s\n", event)
		for i, answer := range broadcast(ctx, tenants, event) {
			fmt.Fprintf(out, "%-8s %s\n", tenants[i].Name, answer)
		}
	}
	fmt.Fprintln(out, "== what they have used")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "tenant\tevents\tfailed\ttasks\tfiles and so on\tsteps now\tbytes now\t")
	for _, t := range tenants {
		m := t.Metrics()
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", t.Name, m.Events, m.Failed, m.Tasks, m.Jobs, m.Now.Steps, m.Now.Memory)
	}
	return w.Flush()
}

// loadAll makes a tenant of each script.
func loadAll(ctx context.Context, rt *runnel.Runtime, dir string) (tenants []*Tenant, err error) {
	entries, err := scripts.ReadDir("plugins")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		text, err := scripts.ReadFile(path.Join("plugins", entry.Name()))
		if err != nil {
			return nil, err
		}
		t, err := NewTenant(ctx, rt, strings.TrimSuffix(entry.Name(), ".rnl"), string(text), dir, limits)
		if err != nil {
			return nil, err
		}
		tenants = append(tenants, t)
	}
	return tenants, nil
}

// broadcast tells an event to all tenants at the same time.
func broadcast(ctx context.Context, tenants []*Tenant, event string) []string {
	answers := make([]string, len(tenants))
	var wg sync.WaitGroup
	for i, t := range tenants {
		wg.Go(func() {
			answer, err := t.Handle(ctx, event)
			if err != nil {
				answer, _, _ = strings.Cut("! "+err.Error(), "\n")
			}
			answers[i] = answer
		})
	}
	wg.Wait()
	return answers
}
