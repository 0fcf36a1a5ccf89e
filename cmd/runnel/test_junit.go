package main

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/internal/whole"
)

// junitReport collects what the file holds that many tools read: a suite for
// each script with its cases. The schema of Jenkins takes it, which is the
// strictest in use: cases have no lines there.
type junitReport struct {
	c      *cli
	suites []*junitSuite
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	took     float64
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (j *junitReport) suite(path string) *junitSuite {
	if n := len(j.suites); n == 0 || j.suites[n-1].Name != path {
		j.suites = append(j.suites, &junitSuite{Name: path, File: path, Time: seconds(0)})
	}
	return j.suites[len(j.suites)-1]
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
}

func (j *junitReport) result(r *testResult) {
	s := j.suite(r.file.path)
	c := junitCase{Name: clean(r.name), Class: r.file.path, Time: seconds(r.took.Seconds()), Out: clean(string(r.printed))}
	if r.failed() {
		e := errorOf(r.file.prog.Code, r.errs[0])
		c.Failure = &junitMessage{e.Kind, clean(e.Message), clean(j.c.stderrOf(r.show))}
		s.Failures++
	}
	s.took += r.took.Seconds()
	s.Time = seconds(s.took)
	s.add(c)
}

func (j *junitReport) problem(p *testProblem) {
	s := j.suite(p.path)
	s.Errors++
	s.add(junitCase{Name: "compile", Class: p.path, Time: seconds(0), Error: &junitMessage{"problem", "the tests of the file cannot run", clean(j.c.stderrOf(p.show))}})
}

func (j *junitReport) end(t *testTotal) error {
	all := struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Time     string   `xml:"time,attr"`
		Suites   []*junitSuite
	}{Tests: t.passed + t.failed + t.broken, Failures: t.failed, Errors: t.broken, Time: seconds(t.took.Seconds()), Suites: j.suites}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return whole.Write(j.c.tests.junit, append([]byte(xml.Header), append(text, '\n')...))
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// clean replaces what cannot stand in XML.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0xfffe || r == 0xffff {
			return utf8.RuneError
		}
		return r
	}, s)
}
