package http

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/runnel-lang/runnel/vm"
)

const (
	bytesPerStep = 16
	maxParts     = 1000 // of a multipart form
)

// part is a field of a multipart form, or a file.
type part struct {
	field, file, contentType, data string
}

// parseForm sets the result to the fields and files of a posted form.
func parseForm(c *vm.Call) {
	contentType, data := c.Str(0), c.Str(1)
	c.Steps(1 + len(data)/bytesPerStep)
	c.Charge(2 * len(data))
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		c.Throw(vm.ErrValue, "http: the request has no form, but %s", vm.QuoteName(contentType))
	}
	var values []pair
	var files []part
	switch kind {
	case "application/x-www-form-urlencoded":
		values = queryPairs(data)
	case "multipart/form-data":
		if values, files, err = multipartForm(data, params["boundary"]); err != nil {
			c.Throw(vm.ErrValue, "http: the form cannot be read: %v", err)
		}
	default:
		c.Throw(vm.ErrValue, "http: the request has no form, but %s", vm.QuoteName(contentType))
	}
	result := c.NewStruct(c.Ref().Result)
	fields := result.Fields()
	c.Pin(result.Object())
	result.Set(0, newPairs(c, fields[0].Type, values).Value())
	list := c.NewList(fields[1].Type, len(files))
	result.Set(1, list.Value())
	tuple := c.Type(fields[1].Type).Elem
	for _, f := range files {
		t := newTexts(c, tuple, f.field, f.file, f.contentType)
		c.Pin(t.Object())
		t.Set(3, c.NewBytes(f.data).Value())
		list.Push(t.Value())
	}
	c.SetValue(result.Value())
}

// multipartForm reads the fields and files of a form; none of its parts is larger
// than the form.
func multipartForm(data, boundary string) (values []pair, files []part, err error) {
	parts := multipart.NewReader(strings.NewReader(data), boundary)
	for range maxParts {
		p, err := parts.NextPart()
		if err == io.EOF {
			return values, files, nil
		}
		if err != nil {
			return nil, nil, err
		}
		var content bytes.Buffer
		if _, err := content.ReadFrom(p); err != nil {
			return nil, nil, err
		}
		if name := p.FileName(); name != "" {
			files = append(files, part{p.FormName(), name, p.Header.Get("Content-Type"), content.String()})
		} else {
			values = append(values, pair{p.FormName(), content.String()})
		}
	}
	return nil, nil, multipart.ErrMessageTooLarge
}

// encodeForm sets the result to the text of a form's fields.
func encodeForm(c *vm.Call) {
	var b strings.Builder
	for i, p := range pairsArg(c, 0) {
		c.Steps(1 + (len(p.name)+len(p.value))/bytesPerStep)
		c.Charge(3*(len(p.name)+len(p.value)) + 2)
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(p.name))
		b.WriteByte('=')
		b.WriteString(url.QueryEscape(p.value))
	}
	c.SetStr(b.String())
}

var sameSites = map[string]http.SameSite{
	"lax": http.SameSiteLaxMode, "strict": http.SameSiteStrictMode, "none": http.SameSiteNoneMode, "": http.SameSiteDefaultMode,
}

// formatCookie sets the result to the value of a Set-Cookie header.
func formatCookie(c *vm.Call) {
	cookie := http.Cookie{Name: c.Str(0), Value: c.Str(1), Path: c.Str(3), Domain: c.Str(4), Secure: c.Bool(5), HttpOnly: c.Bool(6)}
	if age := c.Value(2); !age.IsNone() {
		cookie.MaxAge = int(time.Duration(age.Int()) / time.Second)
		if cookie.MaxAge <= 0 {
			cookie.MaxAge = -1 // which is 0 in the header
		}
	}
	site, ok := sameSites[c.Str(7)]
	if !ok {
		c.Throw(vm.ErrValue, `http: same_site of a cookie is "lax", "strict", "none" or "", not %s`, vm.Quote(c.Str(7)))
	}
	cookie.SameSite = site
	if err := cookie.Valid(); err != nil {
		c.Throw(vm.ErrValue, "http: %s", strings.TrimPrefix(err.Error(), "http: "))
	}
	c.SetStr(cookie.String())
}

// cleanPath sets the result to the path below a directory that a client asks
// for, or to none.
func cleanPath(c *vm.Call) {
	p := c.Str(0)
	c.Steps(1 + len(p)/bytesPerStep)
	cleaned, ok := cleanedPath(p)
	setOptional(c, cleaned, ok)
}

// cleanedPath refuses a path that leads out of the directory on some system, or
// names what is hidden.
func cleanedPath(p string) (string, bool) {
	cleaned := strings.TrimPrefix(path.Clean("/"+p), "/")
	for element := range strings.SplitSeq(cleaned, "/") {
		if strings.HasPrefix(element, ".") || strings.ContainsAny(element, "\\\x00:") {
			return "", false
		}
	}
	if strings.HasSuffix(p, "/") && cleaned != "" {
		cleaned += "/"
	}
	return cleaned, true
}
