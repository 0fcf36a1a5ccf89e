package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// Runner is the commands that a host grants.
type Runner interface {
	// Prepare returns the command for what a script asks for, ready to be started
	// but for its standard streams, or refuses it with an error that wraps
	// host.ErrNotGranted. No shell is involved.
	Prepare(Spec) (*exec.Cmd, error)
}

// Spec is what a script asks for.
type Spec struct {
	Name string   // of the program, or its path
	Args []string // without the name
	Dir  string   // to run in; "" is the host's
	Env  []string // variables to add or change, "NAME=value"
}

// System grants all commands that the process may run, with its environment.
type System struct{}

// Prepare returns the command.
func (System) Prepare(s Spec) (*exec.Cmd, error) {
	cmd := exec.Command(s.Name, s.Args...)
	cmd.Dir = s.Dir
	if len(s.Env) > 0 {
		cmd.Env = append(os.Environ(), s.Env...)
	}
	return cmd, cmd.Err
}

// Allow grants some commands. Mind that what they do is up to their arguments:
// many programs run others, or write files, when they are asked to.
type Allow struct {
	// Commands by name, as "git", which is looked for in the host's PATH, or by
	// path, as "/usr/bin/git", which scripts may also call "git".
	Commands []string
	// Env names the variables that commands have from the host's environment, and
	// that scripts may set; nil stands for PATH, HOME, LANG, TMPDIR and what the
	// system cannot do without, none of which scripts may set.
	Env []string
	// Check, if any, may refuse what is otherwise granted.
	Check func(Spec) error
}

// basic is the environment of commands where none is named.
var basic = []string{"PATH", "HOME", "LANG", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT"}

// Prepare returns the command, or refuses it.
func (a Allow) Prepare(s Spec) (*exec.Cmd, error) {
	path, ok := a.find(s.Name)
	if !ok {
		return nil, fmt.Errorf("%w: the command %s", host.ErrNotGranted, vm.QuoteName(s.Name))
	}
	for _, v := range s.Env {
		name, _, _ := strings.Cut(v, "=")
		if !slices.Contains(a.Env, name) {
			return nil, fmt.Errorf("%w: the setting of %s for commands", host.ErrNotGranted, name)
		}
	}
	if a.Check != nil {
		if err := a.Check(s); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(path, s.Args...)
	cmd.Dir = s.Dir
	cmd.Env = append(a.environment(), s.Env...)
	return cmd, cmd.Err
}

// find returns what to run under a name.
func (a Allow) find(name string) (path string, ok bool) {
	for _, c := range a.Commands {
		if c == name || filepath.IsAbs(c) && filepath.Base(c) == name {
			return c, true
		}
	}
	return "", false
}

func (a Allow) environment() []string {
	names := a.Env
	if names == nil {
		names = basic
	}
	env := []string{} // not nil, which means all
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// startCause is an error of exec without the name that it repeats.
func startCause(err error) error {
	var ee *exec.Error
	if errors.As(err, &ee) {
		if errors.Is(ee.Err, exec.ErrNotFound) {
			return &vm.IOError{Kind: vm.IONotFound, Err: ee.Err}
		}
		return ee.Err
	}
	return err
}
