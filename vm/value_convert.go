package vm

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/vm/bytecode"
)

// The conversions that are not instructions: int(str), float(str), bytes(str),
// str(bytes).
func init() {
	registerNative("core.int", func(c *Call) { c.SetInt(intOfText(c.scan(0), 10)) })
	registerNative("core.float", func(c *Call) { c.SetFloat(floatOfText(c.scan(0))) })
	registerNative("core.bytes", func(c *Call) { c.setPtr(ptr(newTextOf(c.w, bytecode.IDBytes, c.scan(0)))) })
	registerNative("core.str", func(c *Call) { c.setPtr(ptr(strOfBytes(c, c.Str(0)))) })
}

// strOfBytes makes a str of bytes that must be UTF-8.
func strOfBytes(c *Call, data string) *Str {
	c.Steps(bulk(len(data)))
	mustBeUTF8(data)
	return newTextOf(c.w, bytecode.IDStr, data)
}

func mustBeUTF8(data string) {
	if utf8.ValidString(data) {
		return
	}
	at := 0
	for at < len(data) {
		if r, size := utf8.DecodeRuneInString(data[at:]); r == utf8.RuneError && size <= 1 {
			break
		} else {
			at += size
		}
	}
	throw(ErrValue, "not UTF-8 text: byte %d is %#02x", at, data[at])
}

func intOfText(s string, base int) int64 {
	v, err := ParseInt(s, base)
	if err != nil {
		throw(ErrValue, "%s", err.Error())
	}
	return v
}

// ParseInt parses an optional sign and digits, nothing else.
func ParseInt(s string, base int) (int64, error) {
	if len(s) > maxNumber { // strconv copies what it cannot read
		return 0, errors.New(Quote(s) + " is too long for an int")
	}
	v, err := strconv.ParseInt(s, base, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, errors.New(Quote(s) + " does not fit in an int")
	}
	if err != nil {
		return 0, errors.New(Quote(s) + " is not an int")
	}
	return v, nil
}

func floatOfText(s string) float64 {
	v, err := ParseFloat(s)
	if err != nil {
		throw(ErrValue, "%s", err.Error())
	}
	return v
}

// These bound the text of a number and of a duration, so that none takes long to read.
const (
	maxNumber   = 1 << 16
	maxDuration = 1 << 10
)

// ParseFloat parses a decimal number, `inf` or `nan`.
func ParseFloat(s string) (float64, error) {
	if len(s) > maxNumber || strings.ContainsAny(s, "xXpP_") {
		return 0, errors.New(Quote(s) + " is not a float")
	}
	v, err := strconv.ParseFloat(s, 64)
	if errors.Is(err, strconv.ErrRange) && math.IsInf(v, 0) {
		return 0, errors.New(Quote(s) + " does not fit in a float")
	}
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, errors.New(Quote(s) + " is not a float")
	}
	return v, nil
}

// ParseDuration parses a duration as it is printed: numbers with units, `1m30s`.
func ParseDuration(s string) (int64, bool) {
	if len(s) > maxDuration {
		return 0, false
	}
	d, err := time.ParseDuration(s)
	return int64(d), err == nil
}
