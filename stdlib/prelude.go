// Package stdlib is the standard library: sources in Runnel, embedded, and the
// Go functions under them.
package stdlib

import (
	_ "embed"

	"github.com/runnel-lang/runnel/lang/types"
)

// The files of the prelude, each a string and not in an embed.FS: nothing is
// copied when a program starts.
var (
	//go:embed prelude/any.rnl
	anyText string
	//go:embed prelude/bool.rnl
	boolText string
	//go:embed prelude/buffer.rnl
	bufferText string
	//go:embed prelude/bytes.rnl
	bytesText string
	//go:embed prelude/chan.rnl
	chanText string
	//go:embed prelude/core.rnl
	coreText string
	//go:embed prelude/duration.rnl
	durationText string
	//go:embed prelude/float.rnl
	floatText string
	//go:embed prelude/int.rnl
	intText string
	//go:embed prelude/iterator.rnl
	iteratorText string
	//go:embed prelude/list.rnl
	listText string
	//go:embed prelude/map.rnl
	mapText string
	//go:embed prelude/mutex.rnl
	mutexText string
	//go:embed prelude/optional.rnl
	optionalText string
	//go:embed prelude/range.rnl
	rangeText string
	//go:embed prelude/set.rnl
	setText string
	//go:embed prelude/str.rnl
	strText string
	//go:embed prelude/task.rnl
	taskText string
)

// Prelude returns the sources that every module sees without an import: the
// error types, a few functions, and the methods of the built-in types, a file
// for each. A `native fn push` that extends lists is the native "list.push", a
// function `native fn sleep` the native "core.sleep".
func Prelude() []types.Source { return prelude }

var prelude = []types.Source{
	source("any", anyText),
	source("bool", boolText),
	source("buffer", bufferText),
	source("bytes", bytesText),
	source("chan", chanText),
	source("core", coreText),
	source("duration", durationText),
	source("float", floatText),
	source("int", intText),
	source("iterator", iteratorText),
	source("list", listText),
	source("map", mapText),
	source("mutex", mutexText),
	source("optional", optionalText),
	source("range", rangeText),
	source("set", setText),
	source("str", strText),
	source("task", taskText),
}

func source(name, text string) types.Source {
	return types.Source{Key: "prelude/" + name, Name: "prelude/" + name + ".rnl", Text: text, Std: true}
}
