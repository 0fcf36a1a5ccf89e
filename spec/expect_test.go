package spec

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// expectation is what the comments of a program say about it.
type expectation struct {
	checkOnly bool
	clock     string       // it must run on: real, virtual, or "" for either
	stdout    []string     // lines, in order
	runError  []string     // parts of the message of the error that ends it
	diags     []diagnostic // column 0: anywhere on the line
	args      []string
	stdin     string
	limits    limits
}

// limits of a run; zero is unlimited (for the stack: the default).
type limits struct{ Steps, Memory, Stack int64 }

// diagnostic is a finding of the compiler, as far as cases speak of it.
type diagnostic struct {
	Code      string
	File      string // "" for the case itself, else the end of an imported file's name
	Line, Col int
}

func (d diagnostic) warning() bool { return strings.HasPrefix(d.Code, "W") }

func (d diagnostic) String() string {
	if d.File != "" {
		return fmt.Sprintf("%s in %s at %d:%d", d.Code, d.File, d.Line, d.Col)
	}
	return fmt.Sprintf("%s at %d:%d", d.Code, d.Line, d.Col)
}

// meets reports whether a finding is the expected one.
func (d diagnostic) meets(want diagnostic) bool {
	file := d.File == want.File || want.File != "" && strings.HasSuffix(d.File, want.File)
	return file && d.Code == want.Code && d.Line == want.Line && (want.Col == 0 || d.Col == want.Col)
}

var (
	expectLine  = regexp.MustCompile(`// expect: ?(.*)$`)
	expectError = regexp.MustCompile(`// expect error: (.+)$`)
	expectDiag  = regexp.MustCompile(`// expect diagnostic (\S+)(?: in (\S+))?(?: at (\d+):(\d+))?\s*$`)
	directive   = regexp.MustCompile(`^// (check only|on a (?:real|virtual) clock|args:|stdin:|limit|expect diagnostic\b)`)
	limitLine   = regexp.MustCompile(`^// limit (steps|memory|stack) (\d+)$`)
)

// expectations reads the comments of a program. A comment that looks like an
// expectation and is none is an error, so that no case passes by a slip.
func expectations(src string) (expectation, error) {
	var e expectation
	for i, line := range strings.Split(src, "\n") {
		line = strings.TrimSuffix(line, "\r")
		switch m := expectDiag.FindStringSubmatch(line); {
		case m != nil:
			d := diagnostic{Code: m[1], File: m[2], Line: i + 1}
			if m[3] != "" {
				d.Line, _ = strconv.Atoi(m[3])
				d.Col, _ = strconv.Atoi(m[4])
			}
			e.diags = append(e.diags, d)
		case expectError.MatchString(line):
			e.runError = append(e.runError, expectError.FindStringSubmatch(line)[1])
		case expectLine.MatchString(line):
			e.stdout = append(e.stdout, expectLine.FindStringSubmatch(line)[1])
		case strings.Contains(line, "// expect"):
			return e, fmt.Errorf("line %d: not an expectation: %s", i+1, line)
		}
		switch m := directive.FindStringSubmatch(line); {
		case m == nil:
		case m[1] == "check only":
			e.checkOnly = true
		case strings.HasSuffix(m[1], " clock"):
			e.clock = strings.Fields(m[1])[2]
		case m[1] == "args:":
			e.args = strings.Fields(line[len("// args:"):])
		case m[1] == "stdin:":
			e.stdin += strings.TrimPrefix(line[len("// stdin:"):], " ") + "\n"
		case m[1] == "limit":
			l := limitLine.FindStringSubmatch(line)
			if l == nil {
				return e, fmt.Errorf("line %d: not a limit: %s", i+1, line)
			}
			n, _ := strconv.ParseInt(l[2], 10, 64)
			switch l[1] {
			case "steps":
				e.limits.Steps = n
			case "memory":
				e.limits.Memory = n
			case "stack":
				e.limits.Stack = n
			}
		}
	}
	return e, nil
}

// fails reports whether the program is not expected to run at all.
func (e expectation) fails() bool {
	for _, d := range e.diags {
		if !d.warning() {
			return true
		}
	}
	return false
}

// compareDiags returns what is wrong with the findings, "" when nothing: the
// errors must be exactly the expected ones, the warnings at least.
func (e expectation) compareDiags(got []diagnostic) string {
	rest := append([]diagnostic(nil), got...)
	var b strings.Builder
	for _, want := range e.diags {
		found := false
		for i, d := range rest {
			if d.meets(want) {
				rest = append(rest[:i], rest[i+1:]...)
				found = true
				break
			}
		}
		if !found {
			fmt.Fprintf(&b, "missing:    %s\n", want)
		}
	}
	for _, d := range rest {
		if !d.warning() {
			fmt.Fprintf(&b, "unexpected: %s\n", d)
		}
	}
	return b.String()
}

// visible is a text without spaces at the ends of lines: a comment that expects a
// line has none.
func visible(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// compareRun returns what is wrong with a run, "" when nothing.
func (e expectation) compareRun(r result) string {
	var b strings.Builder
	want := ""
	if len(e.stdout) > 0 {
		want = strings.Join(e.stdout, "\n") + "\n"
	}
	if visible(r.stdout) != visible(want) {
		fmt.Fprintf(&b, "stdout:\n%s\nexpected:\n%s\n", r.stdout, want)
	}
	if len(e.runError) == 0 {
		if r.exit != 0 || r.errText != "" {
			fmt.Fprintf(&b, "exit code %d, error: %s\n", r.exit, r.errText)
		}
		return b.String()
	}
	for _, part := range e.runError {
		if !strings.Contains(r.errText, part) {
			fmt.Fprintf(&b, "error: %s\nlacks: %s\n", r.errText, part)
		}
	}
	if r.exit != 1 {
		fmt.Fprintf(&b, "exit code %d, expected 1\n", r.exit)
	}
	return b.String()
}
