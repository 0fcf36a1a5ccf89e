package io_test

import (
	"bytes"
	"context"
	"fmt"
	stdio "io"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/stdlib/fs"
	"github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm/host"
)

// told is an output that calls a function when a text is printed.
type told struct {
	bytes.Buffer
	text string
	do   func()
}

func (o *told) Write(p []byte) (int, error) {
	if strings.Contains(string(p), o.text) {
		o.do()
	}
	return o.Buffer.Write(p)
}

// More tasks than the pool has threads wait for a stream that has no deadlines,
// and keep no other from its file.
func TestWhoWaitsForItsTurnHoldsNoThread(t *testing.T) {
	r, w := stdio.Pipe()
	out := &told{text: "file text", do: func() {
		go func() {
			for i := range 300 {
				fmt.Fprintf(w, "%d\n", i)
			}
			w.Close()
		}()
	}}
	host := runnel.Host{Stdin: r, Stdout: host.NewUnbufferedOutput(out), FS: host.ReadOnlyFS{FS: fstest.MapFS{"a": {Data: []byte("file text")}}}}
	src := `import fs
import io
let reads = (0..300).map(|_| spawn { int(io.read_line() ?? "-1") })
let gone = (0..100).map(|_| spawn { io.read_line() })
sleep(10ms)
for t in gone { t.cancel() }
print(fs.read("a"))
print(await_all(reads).sum(), io.read_line())`
	prog, err := runnel.MustNew(runnel.WithModules(io.Module, fs.Module), runnel.WithHost(host), runnel.WithWorkers(2)).Compile("test.rnl", src)
	require.NoError(t, err)
	in := prog.NewInstance()
	defer in.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	require.NoError(t, in.Run(ctx))
	require.Equal(t, "file text\n44850 none\n", out.String())
}
