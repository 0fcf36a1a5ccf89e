// Package url holds the native functions of module url, on Go's net/url.
package url

import (
	_ "embed"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/runnel-lang/runnel/stdlib/internal/data"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed url.rnl
var source string

// Module is what the import of url gives.
var Module = vm.NewModule("url", source)

func init() {
	Module.Native("take_apart", takeApart)
	Module.Native("resolved", func(c *vm.Call) {
		base, ref := parse(c, 0), parse(c, 1)
		c.SetStr(base.ResolveReference(ref).String())
	})
	Module.Native("escape", func(c *vm.Call) {
		in := data.Arg(c, 0)
		c.ChargeObject(3 * len(in))
		c.SetStr(escape(c.Heed, in, "", false))
	})
	Module.Native("tidy", func(c *vm.Call) {
		in, allowed := data.Arg(c, 0), c.Str(1)
		c.ChargeObject(3 * len(in))
		c.SetStr(escape(c.Heed, in, allowed, true))
	})
	Module.Native("unescape", func(c *vm.Call) {
		in := data.Arg(c, 0)
		c.ChargeObject(len(in))
		text, at := unescape(c.Str(0))
		if at >= 0 {
			c.Throw(vm.ErrValue, "url: %q at byte %d is not an escape", in[at:min(at+3, len(in))], at)
		}
		setText(c, text)
	})
}

func setText(c *vm.Call, text string) {
	if !utf8.ValidString(text) {
		c.Throw(vm.ErrValue, "url: %.60q is not UTF-8", text)
	}
	c.SetStr(text)
}

// parse reads an argument. Parsing takes a few copies of it.
func parse(c *vm.Call, i int) *url.URL {
	text := string(data.Arg(c, i))
	c.ChargeObject(4 * len(text))
	u, err := url.Parse(text)
	var ue *url.Error
	if errors.As(err, &ue) {
		err = ue.Err
	}
	if err == nil && u.Port() != "" {
		if _, bad := strconv.ParseUint(u.Port(), 10, 16); bad != nil {
			err = errors.New("the port is greater than 65535")
		}
	}
	if err != nil {
		c.Throw(vm.ErrValue, "url: %s: %v", vm.Quote(text), err)
	}
	return u
}

// takeApart gives scheme, user, password, host, port, path, query, fragment.
func takeApart(c *vm.Call) {
	u := parse(c, 0)
	parts := c.NewStruct(c.Ref().Result)
	c.Pin(parts.Object())
	text := func(i int, s string) {
		if !utf8.ValidString(s) {
			c.Throw(vm.ErrValue, "url: %.60q is not UTF-8", s)
		}
		parts.Set(i, c.NewStr(s).Value())
	}
	path := u.EscapedPath()
	if u.Opaque != "" {
		path = u.Opaque
	}
	text(0, u.Scheme)
	if u.User != nil {
		text(1, u.User.Username())
		if password, ok := u.User.Password(); ok {
			text(2, password)
		}
	}
	text(3, u.Hostname())
	if port, err := strconv.Atoi(u.Port()); err == nil {
		parts.Set(4, c.Some(parts.Fields()[4].Type, vm.IntValue(int64(port))))
	}
	text(5, path)
	text(6, u.RawQuery)
	text(7, u.EscapedFragment())
	c.SetValue(parts.Value())
}

const hexDigits = "0123456789ABCDEF"

// escape replaces every byte that is neither unreserved nor allowed by %XX. With
// keep, escapes that are there stay. heed is called now and then.
func escape(heed func(), in []byte, allowed string, keep bool) string {
	out := make([]byte, 0, len(in))
	for i, b := range in {
		if i&0xffff == 0xffff {
			heed()
		}
		switch {
		case unreserved(b), strings.IndexByte(allowed, b) >= 0, keep && isEscape(in[i:]):
			out = append(out, b)
		default:
			out = append(out, '%', hexDigits[b>>4], hexDigits[b&15])
		}
	}
	return string(out)
}

func unreserved(b byte) bool {
	return b-'0' < 10 || b|0x20 >= 'a' && b|0x20 <= 'z' || strings.IndexByte("-._~", b) >= 0
}

func isEscape(s []byte) bool { return len(s) >= 3 && s[0] == '%' && isHex(s[1]) && isHex(s[2]) }

func isHex(b byte) bool { return b-'0' < 10 || b|0x20 >= 'a' && b|0x20 <= 'f' }

// unescape returns the text, or where an escape is wrong.
func unescape(text string) (plain string, wrong int) {
	plain, err := url.PathUnescape(text)
	if err == nil {
		return plain, -1
	}
	for at := range len(text) {
		if text[at] == '%' && !isEscape([]byte(text[at:min(at+3, len(text))])) {
			return "", at
		}
	}
	return "", 0
}
