package hostile_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/runnel-lang/runnel"
)

// pureModules reach nothing outside of the instance.
var pureModules = []string{"op", "any", "buffer", "bytes", "chan", "core", "duration", "float", "int", "list", "map", "mutex", "set", "str", "task",
	"actor", "args", "base64", "big", "csv", "hash", "hex", "json", "math", "path", "re", "reactive", "sync", "template", "text", "toml", "url", "yaml"}

// pure natives of the other modules.
var pure = map[string]bool{
	"fs.matches": true,                                                             // a pattern against a name; without files there is none
	"io.ewrite":  true, "io.flush": true, "io.write": true, "io.write_bytes": true, // dropped, as there is nobody who takes it
	"io.host_stdin":        true, // reading it is what needs a grant
	"rand.Rng.exponential": true, "net.join_address": true, "net.split_address": true, "http.status_text": true,
	"rand.new": true, "rand.Rng.bits": true, "rand.Rng.float": true, "rand.Rng.int": true, "rand.Rng.normal": true,
	"rand.from_host": true, // without a grant of the host its seed is a constant
	"sys.cpus":       true, "time.local_zone": true,
	"sys.arch": true, "sys.os": true, "sys.host_args": true, // constants, and no arguments
	"time.Time.add_months": true, "time.Time.day": true, "time.Time.format": true, "time.Time.hour": true, "time.Time.minute": true,
	"time.Time.month": true, "time.Time.nanosecond": true, "time.Time.second": true, "time.Time.weekday": true, "time.Time.year": true,
	"time.Time.year_day": true, "time.date": true, "time.parse": true,
	"time.elapsed":          true, // the scheduler's clock, by which sleep waits
	"time.Time.local":       true, // the zone is UTC
	"crypto.check_password": true, "crypto.code_of": true, "crypto.derive_key": true, "crypto.open": true, "crypto.public_part": true,
	"crypto.same_data": true, "crypto.sign_data": true, "crypto.verify_data": true,
	"uuid.clock": true, "uuid.from_bytes": true, "uuid.is_valid": true, "uuid.parse": true, "uuid.to_bytes": true, "uuid.v5": true, "uuid.version": true,
}

func (u use) isPure() bool {
	for _, name := range u.names {
		if !isPure(name) {
			return false
		}
	}
	return true
}

func isPure(name string) bool {
	module, _, _ := strings.Cut(name, ".")
	for _, m := range pureModules {
		if m == module {
			return true
		}
	}
	return pure[name]
}

// Without a grant of the host a script reaches nothing: every native that is
// not known to be pure refuses.
func TestNothingIsReachedWithoutACapability(t *testing.T) {
	for _, u := range uses(t) {
		var p probe
		in, err := runUse(t, u, u.program("let _v = $\nprint(\"reached\")\n", "$\nprint(\"reached\")\n"), time.Minute,
			runnel.WithLimits(runnel.Limits{Memory: 256 << 20, Steps: 1e9}), runnel.WithModules(p.module()))
		if in != nil {
			in.Close()
		}
		if u.isPure() {
			assert.NoError(t, err, "%s: %s", u.name, u.expr)
			continue
		}
		var e *runnel.Error
		if !errors.As(err, &e) || e.Kind != "IoError" || !strings.Contains(e.Message, "does not grant") {
			t.Errorf("%s: %s: %v", u.name, u.expr, err)
		}
	}
}
