module github.com/runnel-lang/runnel/bench/peers

go 1.26.0

require (
	github.com/arnodel/golua v0.1.0
	github.com/d5/tengo/v2 v2.17.0
	github.com/dop251/goja v0.0.0-20260917113740-793a2a65c13b
	github.com/expr-lang/expr v1.17.8
	github.com/mattn/anko v0.1.10
	github.com/risor-io/risor v1.8.1
	github.com/runnel-lang/runnel v0.0.0
	github.com/traefik/yaegi v0.16.1
	github.com/yuin/gopher-lua v1.1.2
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
)

require (
	github.com/alecthomas/participle/v2 v2.1.4 // indirect
	github.com/arnodel/strftime v0.1.6 // indirect
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.41.0 // indirect
)

replace github.com/runnel-lang/runnel => ../..
