// Package process holds the native functions of module process, and the
// capability that it asks for.
package process

import (
	"context"
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"

	textio "github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed process.rnl
var source string

// Module is what the import of process gives.
var Module = vm.NewModule("process", source, textio.Module)

func init() {
	Module.Blocking("launch", launch)
	Module.Native("stdin_of", input)
	Module.Native("stdout_of", func(c *vm.Call) { output(c, "output", func(p *process) *os.File { return p.stdout }) })
	Module.Native("stderr_of", func(c *vm.Call) { output(c, "errors", func(p *process) *os.File { return p.stderr }) })
	Module.Blocking("Handle.wait", wait)
	Module.Native("Handle.pid", func(c *vm.Call) { c.SetInt(int64(handle(c).cmd.Process.Pid)) })
	Module.Native("Handle.is_running", func(c *vm.Call) { c.SetBool(handle(c).running()) })
	Module.Native("Handle.kill", func(c *vm.Call) { handle(c).kill() })
	Module.Native("Handle.signal", signal)
	Module.Native("lossy", func(c *vm.Call) {
		data := c.Str(0)
		c.Steps(1 + len(data)/64)
		c.ChargeObject(3 * len(data))
		c.SetStr(strings.ToValidUTF8(data, "\uFFFD"))
	})
}

// process is what a Handle of scripts holds.
type process struct {
	name                  string
	cmd                   *exec.Cmd
	stdin, stdout, stderr *os.File // this end of the pipes
	others                []*os.File
	done                  chan struct{} // closed when it has ended
}

// processSize is about what a process takes here.
const processSize = 8 << 10

// maxName bounds the name of a command, which is looked for in each directory of PATH.
const maxName = 4 << 10

// launch reads command, args, dir and env as a list of "NAME=value".
func launch(c *vm.Call) {
	runner := vm.Granted[Runner](c, "processes")
	spec := Spec{Name: c.Str(0), Args: texts(c, 1), Dir: c.Str(2), Env: texts(c, 3)}
	what := "run " + vm.QuoteName(spec.Name)
	if len(spec.Name) > maxName {
		c.ThrowIOKind(vm.IONotFound, "cannot %s: the name is too long", what)
	}
	id := c.Ref().Result
	p := &process{name: vm.QuoteName(spec.Name), done: make(chan struct{})}
	c.Await(vm.Blocking{
		Name:   what,
		Charge: processSize,
		Work: func(context.Context) (any, error) {
			_, err := vm.Opening(func() (any, error) { return nil, p.start(runner, spec) })
			return nil, startCause(err)
		},
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot "+what, err)
			}
			handle := c.NewResource(id, "process "+p.name, p, processSize)
			go p.await(handle)
			c.SetObject(handle)
		},
		Drop: p.abandon,
	})
}

func texts(c *vm.Call, i int) []string {
	list := c.ReadList(c.List(i))
	c.Steps(list.Len())
	strs := make([]string, list.Len())
	for k := range strs {
		strs[k] = c.Text(list.At(k))
	}
	return strs
}

// start starts the process with pipes for its standard streams.
func (p *process) start(runner Runner, spec Spec) (err error) {
	if p.cmd, err = runner.Prepare(spec); err != nil {
		p.cmd = nil
		return err
	}
	grouped(p.cmd)
	if err = p.pipes(); err == nil {
		err = p.cmd.Start()
	}
	closeAll(p.others)
	p.others = nil
	if err != nil {
		closeAll([]*os.File{p.stdin, p.stdout, p.stderr})
		p.cmd, p.stdin, p.stdout, p.stderr = nil, nil, nil, nil
	}
	return err
}

func (p *process) pipes() error {
	for _, own := range []**os.File{&p.stdin, &p.stdout, &p.stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		switch own {
		case &p.stdin:
			p.cmd.Stdin, *own = r, w
			p.others = append(p.others, r)
			continue
		case &p.stdout:
			p.cmd.Stdout = w
		case &p.stderr:
			p.cmd.Stderr = w
		}
		*own = r
		p.others = append(p.others, w)
	}
	return nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// await waits for the end of the process. Meanwhile it keeps the handle: the
// process goes on though the script forgets it.
func (p *process) await(handle vm.Object) {
	p.cmd.Wait()
	close(p.done)
	runtime.KeepAlive(handle)
}

// abandon ends a process that no handle was made for.
func (p *process) abandon() {
	if p.cmd == nil {
		return
	}
	killGroup(p.cmd.Process)
	closeAll([]*os.File{p.stdin, p.stdout, p.stderr})
	go p.cmd.Wait()
}

func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// kill ends the process and what it has started, unless it has ended by itself.
func (p *process) kill() {
	if p.running() {
		killGroup(p.cmd.Process)
	}
}

// Close ends the process with its instance.
func (p *process) Close() error {
	p.kill()
	return nil
}

func handle(c *vm.Call) *process { return vm.ResourceArg[*process](c, 0) }

// input makes the Output that a script writes to.
func input(c *vm.Call) {
	p := handle(c)
	name := "input of " + p.name
	c.SetObject(c.NewResource(c.Ref().Result, name, textio.NewWriter(p.stdin, "the "+name), textio.WriterSize))
}

// output makes the Input of a stream that the process writes.
func output(c *vm.Call, what string, of func(*process) *os.File) {
	p := handle(c)
	f, name := of(p), what+" of "+p.name
	c.SetObject(c.NewResource(c.Ref().Result, name, textio.NewReader(f, f, "the "+name), textio.ReaderSize))
}

func wait(c *vm.Call) {
	p := handle(c)
	c.Await(vm.Blocking{
		Name:  "wait for " + p.name,
		Parks: true,
		Work: func(ctx context.Context) (any, error) {
			select {
			case <-p.done:
				return nil, nil
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		},
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot wait for "+p.name, err)
			}
			c.SetInt(int64(exitCode(p.cmd.ProcessState)))
		},
	})
}

func signal(c *vm.Call) {
	p, name := handle(c), c.Str(1)
	sig, ok := signals[name]
	if !ok {
		c.Throw(vm.ErrValue, "process: there is no signal %s", vm.Quote(name))
	}
	if err := p.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		c.ThrowIO("cannot signal "+p.name, err)
	}
}
