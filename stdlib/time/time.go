// Package time holds the native functions of module time.
package time

import (
	_ "embed"
	"math"
	"time"

	"github.com/runnel-lang/runnel/vm"
)

//go:embed time.rnl
var source string

// Module is what the import of time gives.
var Module = vm.NewModule("time", source)

// The fields of the Runnel struct Time, in order.
const (
	fieldNS = iota
	fieldOffset
)

func init() {
	Module.Native("now", func(c *vm.Call) {
		now := c.Host().Now
		if now == nil {
			c.NotGranted("the clock")
		}
		var t time.Time
		c.Foreign(func() { t = now() })
		c.SetObject(newTime(c, c.Ref().Result, t.UTC()))
	})
	Module.Native("mono", func(c *vm.Call) {
		mono := c.Host().Mono
		if mono == nil {
			c.NotGranted("the clock")
		}
		var d time.Duration
		c.Foreign(func() { d = mono() })
		c.SetInt(int64(d))
	})
	Module.Native("elapsed", func(c *vm.Call) { c.SetInt(int64(c.Elapsed())) })
	Module.Native("date", func(c *vm.Call) {
		var part [7]int
		for i := range part {
			part[i] = int(min(max(c.Int(i), math.MinInt32), math.MaxInt32))
		}
		offset := c.Int(7) / int64(time.Second)
		t, err := date(part[0], part[1], part[2], part[3], part[4], part[5], part[6], int(min(max(offset, -1e6), 1e6)))
		setTime(c, t, err)
	})
	Module.Native("parse", func(c *vm.Call) {
		text, format := c.Str(0), c.Str(1)
		c.Steps(len(text) + len(format))
		t, err := parse(text, format)
		setTime(c, t, err)
	})
	Module.Text("Time", []string{"int", "int"}, show)
	Module.Native("Time.format", func(c *vm.Call) {
		format := c.Str(1)
		c.Steps(1 + len(format))
		out, err := appendFormat(nil, timeArg(c, 0), format)
		if err != nil {
			c.Throw(vm.ErrValue, "time: %v", err)
		}
		c.SetStr(string(out))
	})
	Module.Native("Time.local", func(c *vm.Call) {
		loc := c.Host().Location
		if loc == nil {
			loc = time.UTC
		}
		c.SetObject(newTime(c, c.Ref().Result, timeArg(c, 0).In(loc)))
	})
	Module.Native("Time.add_months", func(c *vm.Call) {
		t := timeArg(c, 0)
		months := int(min(max(c.Int(1), -20000), 20000))
		first := time.Date(t.Year(), t.Month()+time.Month(months), 1, 0, 0, 0, 0, time.UTC)
		last := first.AddDate(0, 1, -1).Day()
		_, offset := t.Zone()
		out, err := date(first.Year(), int(first.Month()), min(t.Day(), last), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), offset)
		setTime(c, out, err)
	})
	for name, part := range map[string]func(time.Time) int{
		"year": time.Time.Year, "month": func(t time.Time) int { return int(t.Month()) }, "day": time.Time.Day,
		"hour": time.Time.Hour, "minute": time.Time.Minute, "second": time.Time.Second,
		"nanosecond": time.Time.Nanosecond, "year_day": time.Time.YearDay,
		"weekday": func(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 },
	} {
		Module.Native("Time."+name, func(c *vm.Call) { c.SetInt(int64(part(timeArg(c, 0)))) })
	}
}

// timeArg reads an argument.
func timeArg(c *vm.Call, i int) time.Time {
	obj := c.Object(i)
	fields := c.TypeOf(obj).Fields
	ns := vm.Field(obj, &fields[fieldNS]).Int()
	offset := vm.Field(obj, &fields[fieldOffset]).Int()
	return pointIn(ns, offset)
}

// show writes a time wherever it is shown, as its iso does.
func show(f vm.Fields) (string, bool) {
	offset := f.Int(fieldOffset)
	format := "%FT%T%.f%:z"
	if offset == 0 {
		format = "%FT%T%.fZ"
	}
	out, err := appendFormat(nil, pointIn(f.Int(fieldNS), offset), format)
	return string(out), err == nil
}

// pointIn is a point in time with an offset, which a script may have made of any number.
func pointIn(ns, offset int64) time.Time {
	return time.Unix(0, ns).In(zone(int(min(max(offset, -86399), 86399))))
}

func setTime(c *vm.Call, t time.Time, err error) {
	if err != nil {
		c.Throw(vm.ErrValue, "time: %v", err)
	}
	c.SetObject(newTime(c, c.Ref().Result, t))
}

func newTime(c *vm.Call, id uint32, t time.Time) vm.Object {
	obj := c.NewStruct(id)
	_, offset := t.Zone()
	obj.Set(fieldNS, vm.IntValue(t.UnixNano()))
	obj.Set(fieldOffset, vm.IntValue(int64(offset)))
	return obj.Object()
}
