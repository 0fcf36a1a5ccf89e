package lineedit

import (
	"io"
	"os"
	"os/signal"
	"strings"
)

// Plain reads texts at a terminal that can do nothing but print: the terminal's
// own way of editing a line is all there is.
type Plain struct {
	t *Terminal
	Config
}

// NewPlain makes a Plain. Of the Config it uses the prompts and Incomplete.
func NewPlain(t *Terminal, c Config) *Plain { return &Plain{t, c} }

// Read is as that of an Editor.
func (p *Plain) Read() (string, error) {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	over := make(chan struct{})
	defer func() {
		signal.Stop(interrupts)
		close(over)
	}()
	go func() {
		select {
		case <-interrupts:
			p.t.in.interrupt()
		case <-over:
		}
	}()
	p.t.in.edit(true)
	defer p.t.in.edit(false)
	defer p.t.answered()
	var text strings.Builder
	for prompt := p.Prompt; ; prompt = p.More {
		p.t.ask(prompt)
		line, err := p.line()
		if err != nil {
			p.t.dev.Write([]byte("\n"))
			if err == io.EOF && text.Len() > 0 {
				err = ErrInterrupt // who gives up a block does not leave
			}
			return text.String() + line, err
		}
		text.WriteString(line)
		if p.Incomplete == nil || !p.Incomplete(text.String()) {
			return cleaned(text.String()), nil
		}
		text.WriteByte('\n')
	}
}

// line reads a line; the terminal shows its end.
func (p *Plain) line() (string, error) {
	var line []byte
	for {
		b, err := p.t.in.key()
		switch {
		case err != nil:
			return string(line), err
		case b == '\n':
			return string(line), nil
		}
		line = append(line, b)
	}
}
