package http

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/runnel-lang/runnel/vm"
	"github.com/runnel-lang/runnel/vm/host"
)

func registerResponse() {
	Module.Native("add_header", func(c *vm.Call) {
		q, name, value := requestArg(c), c.Str(1), c.Str(2)
		c.Charge(len(name) + len(value) + 64)
		q.locked(c, func() { q.w.Header().Add(strings.Clone(name), strings.Clone(value)) })
	})
	Module.Native("serve_file", func(c *vm.Call) {
		q, path, files := requestArg(c), strings.Clone(c.Str(1)), c.FS()
		q.locked(c, func() { q.file, q.files, q.live = path, files, true })
	})
	Module.Native("start_stream", startStream)
	Module.Blocking("Writer.write", writeStream)
	Module.Blocking("Writer.write_bytes", writeStream)
	Module.Blocking("Writer.flush", func(c *vm.Call) {
		writerArg(c).await(c, "", func(w *writer) error { return http.NewResponseController(w.q.w).Flush() })
	})
}

// holdFrom is the size of a response from which on it counts as in use while a slow
// client takes it.
const holdFrom = 8 << 10

// answer sends what the handler has given. The request has ended for scripts.
func (q *request) answer(v vm.Value) {
	response, fields := v.Object(), q.s.fields
	contentType := text(vm.Field(response, &fields[typeField]))
	if q.file != "" {
		q.answerFile(contentType)
		return
	}
	if q.live {
		return
	}
	status := vm.Field(response, &fields[statusField]).Int()
	if status < 200 || status > 999 {
		q.failed(errors.New("a response cannot have the status " + strconv.FormatInt(status, 10)))
		return
	}
	body, header := text(vm.Field(response, &fields[bodyField])), q.w.Header()
	if contentType != "" {
		header["Content-Type"] = headerValue(contentType)
	}
	if len(body) > 2000 { // else net/http does it
		header["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	if len(body) > holdFrom {
		defer q.s.inst.NewHandle(response).Release()
	}
	q.mayWrite(int64(len(body)))
	if status != http.StatusOK {
		q.w.WriteHeader(int(status))
	}
	if body != "" {
		io.WriteString(q.w, body)
	}
}

// text of a field that is a str, or an any that holds str or bytes.
func text(v vm.Value) string {
	text, _ := v.Text()
	return text
}

// failed answers a request whose handler has ended with an error.
func (q *request) failed(err error) {
	status := http.StatusInternalServerError
	var e *vm.Error
	fault := q.clientFault()
	switch errors.As(err, &e); {
	case q.tooLong:
		status = http.StatusRequestEntityTooLarge
	case fault != nil && (errors.Is(err, fault) || q.r.Context().Err() != nil):
		status = fault.status
	case q.r.Context().Err() != nil: // the client is gone, or must go
	case errors.Is(err, vm.ErrInstanceClosed), e != nil && (e.Kind == "Cancelled" || e.Limit == vm.ErrDeadline): // the program ends
		status = http.StatusServiceUnavailable
	default:
		q.s.report(q.r, err)
	}
	if q.out != nil {
		panic(http.ErrAbortHandler) // so that the client sees that something is missing
	}
	q.refuse(status)
}

// refuse answers with a status, unless the handler has begun to.
func (q *request) refuse(status int) {
	if q.live {
		return
	}
	clear(q.w.Header())
	if q.mayClose(); status == http.StatusRequestEntityTooLarge || status == http.StatusRequestTimeout {
		q.w.Header()["Connection"] = closeValue
	}
	q.mayWrite(0)
	http.Error(q.w, http.StatusText(status), status)
}

// end makes what scripts still have of the request of no use, also to those who
// are reading or writing: net/http's goroutine has it for itself then.
func (q *request) end() {
	q.mu.Lock()
	q.over = true
	for q.reading > 0 {
		q.setReadDeadline(longAgo)
		q.mu.Unlock()
		time.Sleep(time.Millisecond)
		q.mu.Lock()
	}
	k := q.socket
	q.mu.Unlock()
	for !q.using.TryLock() {
		q.setWriteDeadline(longAgo)
		time.Sleep(time.Millisecond)
	}
	q.using.Unlock()
	if k != nil {
		k.Close()
		q.s.forget(k)
	}
}

// ---- files ----

// answerFile sends a file, or the index of a directory.
func (q *request) answerFile(contentType string) {
	f, info, err := openFile(q.files, q.file)
	if err == nil && !info.IsDir() && strings.HasSuffix(q.file, "/") {
		f.Close()
		err = fs.ErrNotExist
	}
	if err == nil && info.IsDir() {
		f.Close()
		if !strings.HasSuffix(q.r.URL.Path, "/") {
			http.Redirect(q.w, q.r, path.Base(q.r.URL.Path)+"/", http.StatusMovedPermanently)
			return
		}
		f, info, err = openFile(q.files, strings.TrimSuffix(q.file, "/")+"/index.html")
	}
	if err != nil {
		q.live = false
		switch {
		case notThere(err):
			q.refuse(http.StatusNotFound)
		case errors.Is(err, fs.ErrPermission):
			q.refuse(http.StatusForbidden)
		default:
			q.s.report(q.r, err)
			q.refuse(http.StatusInternalServerError)
		}
		return
	}
	defer f.Close()
	if contentType == "" {
		contentType = mime.TypeByExtension(path.Ext(info.Name()))
	}
	if contentType != "" {
		q.w.Header()["Content-Type"] = []string{contentType}
	}
	q.mayWrite(info.Size())
	http.ServeContent(q.w, q.r, info.Name(), info.ModTime(), seekable(f, info.Size()))
}

// notThere tells of names that no file has, or can have.
func notThere(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG) ||
		errors.Is(err, syscall.ELOOP) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.EINVAL)
}

func openFile(files host.FileSystem, name string) (host.File, fs.FileInfo, error) {
	f, err := vm.Opening(func() (host.File, error) { return files.OpenFile(name, os.O_RDONLY, 0) })
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = fs.ErrPermission
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// seekable returns a file as one whose parts can be asked for.
func seekable(f host.File, size int64) io.ReadSeeker {
	if s, ok := f.(io.ReadSeeker); ok {
		return s
	}
	data, err := io.ReadAll(io.LimitReader(f, size))
	if err != nil {
		data = nil
	}
	return bytes.NewReader(data)
}

// ---- streams ----

// writer collects what a script writes, and sends it when there is much or when
// it is asked to.
type writer struct {
	q   *request
	buf []byte // guarded by q.mu
}

const (
	writerSize = 128 + sendAt
	sendAt     = 16 << 10 // bytes
)

func writerArg(c *vm.Call) *writer { return vm.NativeArg[*writer](c, 0) }

func startStream(c *vm.Call) {
	q, status, contentType := requestArg(c), c.Int(1), strings.Clone(c.Str(2))
	if status < 200 || status > 999 {
		c.Throw(vm.ErrValue, "http: a response cannot have the status %d", status)
	}
	out := &writer{q: q}
	q.locked(c, func() {
		if q.live {
			c.ThrowIOKind(vm.IOClosed, "the request has been answered")
		}
		q.live, q.out = true, out
		if contentType != "" {
			q.w.Header()["Content-Type"] = []string{contentType}
		}
		q.mayClose()
		q.w.WriteHeader(int(status))
	})
	c.SetObject(c.NewNative(c.Ref().Result, out, writerSize))
}

// writeStream adds a text to the buffer, or sends it with what is there.
func writeStream(c *vm.Call) {
	w, text := writerArg(c), c.Str(1)
	c.Steps(1 + len(text)/1024)
	w.q.mu.Lock()
	over, room := w.q.over, len(w.buf)+len(text) < sendAt
	if !over && room {
		w.buf = append(w.buf, text...)
	}
	w.q.mu.Unlock()
	switch {
	case over:
		c.ThrowIOKind(vm.IOClosed, "the response has ended")
	case !room:
		w.await(c, text, func(*writer) error { return nil })
	}
}

// await has the buffer and more text sent, and then something done.
func (w *writer) await(c *vm.Call, text string, then func(*writer) error) {
	c.Await(vm.Blocking{
		Name:  "write the response",
		Parks: true,
		Work: func(ctx context.Context) (any, error) {
			return nil, w.q.use(ctx, func() error { return w.send(ctx, text, then) })
		},
		Finish: func(c *vm.Call, _ any, err error) {
			if err != nil {
				c.ThrowIO("cannot write the response", err)
			}
		},
	})
}

func (w *writer) send(ctx context.Context, text string, then func(*writer) error) error {
	w.q.mu.Lock()
	buf := w.buf
	w.buf = nil
	w.q.mu.Unlock()
	w.q.mayWrite(int64(len(buf) + len(text)))
	defer w.q.interrupt(ctx, w.q.setWriteDeadline)()
	if _, err := w.q.w.Write(buf); err != nil {
		return err
	}
	if _, err := io.WriteString(w.q.w, text); err != nil {
		return err
	}
	return then(w)
}
