// Command goja runs a JavaScript file on goja: goja FILE ARG... The script has
// console.log and finds its arguments where Node puts them.
package main

import (
	"fmt"
	"os"

	"github.com/dop251/goja"
)

func main() {
	source, err := os.ReadFile(os.Args[1])
	if err == nil {
		runtime := goja.New()
		runtime.Set("process", map[string]any{"argv": append([]string{"goja"}, os.Args[1:]...)})
		runtime.Set("console", map[string]any{"log": func(value goja.Value) { fmt.Println(value) }})
		_, err = runtime.RunScript(os.Args[1], string(source))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
