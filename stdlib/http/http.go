// Package http holds the native functions of module http, on Go's net/http and
// coder/websocket. Connections are made and waited for through net.Network, the
// host's grant, alone.
//
//	server: net/http's goroutine of a request ── handler, a task of the instance ── response
//	client: task ── await ─┄┄ net/http's transport ┄┄─ Reply
package http

import (
	_ "embed"
	"net/http"

	"github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed http.rnl
var source string

// Module is what the import of http gives.
var Module = vm.NewModule("http", source, io.Module, json.Module)

func init() {
	Module.Native("status_text", func(c *vm.Call) { c.SetStr(http.StatusText(int(c.Int(0)))) })
	Module.Native("clean_path", cleanPath)
	Module.Native("parse_form", parseForm)
	Module.Native("encode_form", encodeForm)
	Module.Native("format_cookie", formatCookie)
	registerRequest()
	registerResponse()
	registerMux()
	registerServer()
	registerClient()
	registerSocket()
}
