package repl

import "strings"

// signature is what the editor shows while a call is typed: the head of what is
// called, with the parameter that comes next between others that are dim.
func (s *shell) signature(text string, at int) string {
	from := 0
	if word, arg := splitCommand(text[:at]); word != "" {
		if !takesCode(text) {
			return ""
		}
		from = at - len(arg)
	}
	if strings.LastIndexByte(text[from:at], '(') < 0 { // most keys are in no call
		return ""
	}
	sig, ok := s.engine.Signature(text[from:], at-from)
	if !ok {
		return ""
	}
	before, active, after := sig.Label[:sig.Start], sig.Label[sig.Start:sig.End], sig.Label[sig.End:]
	return "  " + s.colors.paint(dim, before) + s.colors.paint(activeParam, active) + s.colors.paint(dim, after)
}
