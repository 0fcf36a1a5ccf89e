// Package log holds module log, which is written in Runnel.
package log

import (
	_ "embed"

	"github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/stdlib/sync"
	"github.com/runnel-lang/runnel/stdlib/time"
	"github.com/runnel-lang/runnel/vm"
)

//go:embed log.rnl
var source string

// Module is what the import of log gives.
var Module = vm.NewModule("log", source, io.Module, json.Module, sync.Module, time.Module)
