package main

import (
	"log"
	"strings"
)

// raceVariant is the loop that tells the race detector what it reads and writes.
var raceVariant = variant{
	name: "runRace",
	doc: `// runRace is run with each access of what tasks may share told to the race
// detector before it is made.
`,
	races: true,
}

// raceText tells what an instruction is about to read or write.
func (o op) raceText() string {
	text := ""
	switch {
	case o.race != "":
		text = o.race + "(t)"
	case o.reads != "":
		text = accessText(o, o.reads, "false")
	case o.writes != "":
		text = accessText(o, o.writes, "true")
	default:
		return ""
	}
	for _, m := range macros {
		text = m.re.ReplaceAllString(text, m.new)
	}
	return save + "; " + text + "\n"
}

// accessText calls the method of Task that tells of an access.
func accessText(o op, what, write string) string {
	object := func(name string) string { return "P" + strings.ToUpper(name) }
	switch {
	case what == "cell":
		return "t.raceField(*(*unsafe.Pointer)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(base, -16)), B)), 8, " + write + ")"
	case what == "global":
		return "t.raceGlobal(K, " + write + ")"
	case what == "init":
		return "t.raceInit(K, " + write + ")"
	case len(what) == 1:
		return "t.raceWhole(" + object(what) + ", " + write + ")"
	}
	name, part := what[:1], strings.Trim(what[1:], ".[]")
	if what[1] == '.' {
		offset := strings.ToUpper(part)
		if part == "aux" {
			offset = "uintptr(AUX)*8"
		}
		return "t.raceField(" + object(name) + ", " + offset + ", " + write + ")"
	}
	index := ""
	switch part {
	case "b", "c":
		index = "U" + strings.ToUpper(part)
	case "k":
		index = "uint64(C)"
	case "next":
		// Operand a is scaled to the number word of a, or to its first word.
		index = "*(*uint64)(unsafe.Add(base, A&^15+24))"
	default:
		log.Fatalf("%s: no such access: %s", o.name, what)
	}
	return "t.raceElem(" + object(name) + ", " + index + ", " + write + ")"
}
