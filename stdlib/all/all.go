// Package all lists the modules of the standard library. A host that offers its
// scripts a few of them names those instead, and its binary holds no others.
package all

import (
	"github.com/runnel-lang/runnel/stdlib/actor"
	"github.com/runnel-lang/runnel/stdlib/args"
	"github.com/runnel-lang/runnel/stdlib/base64"
	"github.com/runnel-lang/runnel/stdlib/big"
	"github.com/runnel-lang/runnel/stdlib/crypto"
	"github.com/runnel-lang/runnel/stdlib/csv"
	"github.com/runnel-lang/runnel/stdlib/decimal"
	"github.com/runnel-lang/runnel/stdlib/fs"
	"github.com/runnel-lang/runnel/stdlib/hash"
	"github.com/runnel-lang/runnel/stdlib/hex"
	"github.com/runnel-lang/runnel/stdlib/http"
	"github.com/runnel-lang/runnel/stdlib/io"
	"github.com/runnel-lang/runnel/stdlib/iter"
	"github.com/runnel-lang/runnel/stdlib/journal"
	"github.com/runnel-lang/runnel/stdlib/json"
	"github.com/runnel-lang/runnel/stdlib/log"
	"github.com/runnel-lang/runnel/stdlib/math"
	"github.com/runnel-lang/runnel/stdlib/net"
	"github.com/runnel-lang/runnel/stdlib/path"
	"github.com/runnel-lang/runnel/stdlib/process"
	"github.com/runnel-lang/runnel/stdlib/rand"
	"github.com/runnel-lang/runnel/stdlib/re"
	"github.com/runnel-lang/runnel/stdlib/reactive"
	"github.com/runnel-lang/runnel/stdlib/sql"
	"github.com/runnel-lang/runnel/stdlib/sql/postgres"
	"github.com/runnel-lang/runnel/stdlib/sql/sqlite"
	"github.com/runnel-lang/runnel/stdlib/sync"
	"github.com/runnel-lang/runnel/stdlib/sys"
	"github.com/runnel-lang/runnel/stdlib/template"
	"github.com/runnel-lang/runnel/stdlib/testing"
	"github.com/runnel-lang/runnel/stdlib/text"
	"github.com/runnel-lang/runnel/stdlib/time"
	"github.com/runnel-lang/runnel/stdlib/toml"
	"github.com/runnel-lang/runnel/stdlib/url"
	"github.com/runnel-lang/runnel/stdlib/uuid"
	"github.com/runnel-lang/runnel/stdlib/yaml"
	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

// Modules in alphabetical order.
func Modules() []*vm.Module {
	return []*vm.Module{
		actor.Module,
		args.Module,
		base64.Module,
		big.Module,
		crypto.Module,
		csv.Module,
		decimal.Module,
		fs.Module,
		hash.Module,
		hex.Module,
		http.Module,
		io.Module,
		iter.Module,
		journal.Module,
		json.Module,
		log.Module,
		math.Module,
		net.Module,
		path.Module,
		process.Module,
		rand.Module,
		re.Module,
		reactive.Module,
		sql.Module,
		sync.Module,
		sys.Module,
		template.Module,
		testing.Module,
		text.Module,
		time.Module,
		toml.Module,
		url.Module,
		uuid.Module,
		yaml.Module,
	}
}

// Find returns a module by its name.
func Find(name string) (m *vm.Module, ok bool) {
	for _, m := range Modules() {
		if m.Name == name {
			return m, true
		}
	}
	return nil, false
}

// Host grants everything the process has, the modules' capabilities included.
func Host(args []string) host.Host {
	host := host.System(args)
	host.Grants = Grants()
	return host
}

// Grants are the capabilities of a process that the modules ask for, to be
// added to those of host.System.
func Grants() []any {
	return []any{crypto.SystemRandom{}, net.System{}, process.System{}, sys.System{}, sqlite.Source{Everywhere: true, MaxMemory: 256 << 20}, postgres.Source{}, time.SystemZones{}}
}
