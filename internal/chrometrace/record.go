package chrometrace

import (
	"encoding/json"
	"strconv"

	"github.com/runnel-lang/runnel/vm"
)

// A record is one line of the file. It is put together in Writer.line by calls
// that follow each other: begin, what belongs to its kind, args, end.

// begin starts a record of a track; those of tasks have no tid.
func (w *Writer) begin(phase byte, name, category string, group, tid int) {
	w.line = append(w.line[:0], `{"ph":"`...)
	w.line = append(w.line, phase, '"')
	w.inArgs = false
	w.text("name", name).text("cat", category)
	w.key("ts")
	w.timestamp()
	w.track(group, tid)
}

func (w *Writer) track(group, tid int) {
	w.number("pid", uint64(group))
	if tid > 0 {
		w.number("tid", uint64(tid))
	}
}

// timestamp writes the time in microseconds.
func (w *Writer) timestamp() {
	w.line = strconv.AppendInt(w.line, int64(w.now/1000), 10)
	ns := int(w.now % 1000)
	w.line = append(w.line, '.', byte('0'+ns/100), byte('0'+ns/10%10), byte('0'+ns%10))
}

// onTrack starts a record of a task's track.
func (w *Writer) onTrack(phase byte, name string, task uint64) {
	w.begin(phase, name, "task", tasks, 0)
	w.line = append(w.line, `,"id2":{"local":"0x`...)
	w.line = strconv.AppendUint(w.line, task, 16)
	w.line = append(w.line, `"}`...)
}

// args starts the members that the viewer shows for a slice.
func (w *Writer) args() *Writer {
	w.line = append(w.line, `,"args":{`...)
	w.inArgs = true
	return w
}

func (w *Writer) key(name string) {
	if last := w.line[len(w.line)-1]; last != '{' {
		w.line = append(w.line, ',')
	}
	w.line = append(w.line, '"')
	w.line = append(w.line, name...)
	w.line = append(w.line, `":`...)
}

func (w *Writer) number(key string, n uint64) *Writer {
	w.key(key)
	w.line = strconv.AppendUint(w.line, n, 10)
	return w
}

func (w *Writer) text(key, value string) *Writer {
	w.key(key)
	w.quote(value)
	return w
}

// place tells where in the program something happened.
func (w *Writer) place(e *vm.Event) *Writer {
	if e.File == "" {
		return w
	}
	return w.text("at", e.File+":"+decimal(e.Line))
}

// quote writes a JSON string. Names and paths seldom need escapes.
func (w *Writer) quote(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			text, _ := json.Marshal(s) // a string can always be encoded
			w.line = append(w.line, text...)
			return
		}
	}
	w.line = append(w.line, '"')
	w.line = append(w.line, s...)
	w.line = append(w.line, '"')
}

// end writes the record out, closing its args.
func (w *Writer) end() {
	if w.inArgs {
		w.line = append(w.line, '}')
	}
	w.line = append(w.line, '}')
	if w.written {
		w.raw(",\n")
	}
	w.written = true
	if w.err == nil {
		_, w.err = w.out.Write(w.line)
	}
}

func (w *Writer) raw(s string) {
	if w.err == nil {
		_, w.err = w.out.WriteString(s)
	}
}

// flow begins ('s') or ends ('f') an arrow at the open slice of a worker or job.
func (w *Writer) flow(phase byte, a arrow, group, n int) {
	w.begin(phase, a.kind.String(), "arrow", group, n+1)
	w.number("id", a.id())
	if phase == 'f' {
		w.text("bp", "e") // to the slice that is open, not to the next one
	}
	w.end()
}

func (w *Writer) metadata(group, tid int, kind, name string) {
	w.meta(group, tid, kind)
	w.text("name", name).end()
}

func (w *Writer) sortIndex(group, tid int, kind string, n int) {
	w.meta(group, tid, kind)
	w.number("sort_index", uint64(n)).end()
}

func (w *Writer) meta(group, tid int, kind string) {
	w.line = append(w.line[:0], `{"ph":"M"`...)
	w.text("name", kind)
	w.track(group, tid)
	w.args()
}

func decimal(n int) string { return strconv.Itoa(n) }
