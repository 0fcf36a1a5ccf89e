package spec

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/all"
	"github.com/runnel-lang/runnel/vm/host"
)

// modelPlay is a number of plays in one run of the program in a folder.
type modelPlay struct {
	folder, kind string
	first, count int
	how          runnel.Option
	virtual      bool // time
	races        bool // are looked for
}

// play fails where the program has printed what is wrong.
func (r modelPlay) play(t *testing.T) {
	t.Helper()
	name := r.folder + "/main.rnl"
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	clock := "real"
	if r.virtual {
		clock = "virtual"
	}
	var stdout capture
	out := host.NewOutput(&stdout)
	host := all.Host([]string{r.kind, strconv.Itoa(r.first), strconv.Itoa(r.count), clock})
	host.Stdout, host.Stderr = out, out
	options := []runnel.Option{runnel.WithModules(all.Modules()...), runnel.WithSources(runnel.OSSources()), runnel.WithHost(host), r.how}
	if r.races {
		options = append(options, runnel.WithRace())
	}
	prog, err := runnel.MustNew(options...).Compile(name, string(src))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	in := prog.NewInstance()
	err = in.Run(ctx)
	races := in.Races()
	in.Close()
	out.Flush()
	if err != nil || stdout.String() != "" {
		t.Errorf("%s, plays %d to %d: %v\n%s", r.kind, r.first, r.first+r.count, err, stdout.String())
	}
	for _, race := range races {
		t.Errorf("%s, plays %d to %d: %v", r.kind, r.first, r.first+r.count, race)
	}
}
