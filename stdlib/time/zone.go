package time

import (
	"context"
	"time"

	"github.com/runnel-lang/runnel/vm"
)

// Zones is the capability to look time zones up by name. It is granted through
// host.Host.Grants.
type Zones interface {
	LoadLocation(name string) (*time.Location, error)
}

// SystemZones are those of the system's time zone database, or of the one that
// the host's binary embeds.
type SystemZones struct{}

// LoadLocation implements Zones.
func (SystemZones) LoadLocation(name string) (*time.Location, error) { return time.LoadLocation(name) }

// zoneSize is about what a location takes.
const zoneSize = 8 << 10

func init() {
	Module.Blocking("zone", func(c *vm.Call) {
		zones, name := vm.Granted[Zones](c, "time zones"), c.Str(0)
		what := "find the time zone " + vm.QuoteName(name)
		c.Block(what,
			func(context.Context) (any, error) { return zones.LoadLocation(name) },
			func(c *vm.Call, value any, err error) {
				if err != nil {
					c.ThrowIOKind(vm.IONotFound, "cannot %s: %v", what, err)
				}
				newZone(c, value.(*time.Location))
			})
	})
	Module.Native("local_zone", func(c *vm.Call) {
		loc := c.Host().Location
		if loc == nil {
			loc = time.UTC
		}
		newZone(c, loc)
	})
	Module.Native("Zone.name", func(c *vm.Call) { c.SetStr(vm.NativeArg[*time.Location](c, 0).String()) })
	Module.Native("Zone.at", func(c *vm.Call) {
		setTime(c, timeArg(c, 1).In(vm.NativeArg[*time.Location](c, 0)), nil)
	})
	Module.Native("Zone.abbreviation", func(c *vm.Call) {
		name, _ := timeArg(c, 1).In(vm.NativeArg[*time.Location](c, 0)).Zone()
		c.SetStr(name)
	})
	Module.Native("Zone.is_dst", func(c *vm.Call) {
		c.SetBool(timeArg(c, 1).In(vm.NativeArg[*time.Location](c, 0)).IsDST())
	})
	Module.Native("on_wall", func(c *vm.Call) {
		t := timeArg(c, 1)
		out, err := inRange(time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(),
			vm.NativeArg[*time.Location](c, 0)))
		setTime(c, out, err)
	})
}

func newZone(c *vm.Call, loc *time.Location) {
	c.SetObject(c.NewNative(c.Ref().Result, loc, zoneSize))
}
