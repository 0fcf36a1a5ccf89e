// Command tengo runs a Tengo file: tengo FILE ARG... The script finds its
// arguments from os.args()[2] on.
package main

import (
	"fmt"
	"os"

	"github.com/d5/tengo/v2"
	"github.com/d5/tengo/v2/stdlib"
)

func main() {
	source, err := os.ReadFile(os.Args[1])
	if err == nil {
		script := tengo.NewScript(source)
		script.SetImports(stdlib.GetModuleMap(stdlib.AllModuleNames()...))
		_, err = script.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
