package sql

import (
	"context"
	"database/sql"
	"sync"

	"github.com/runnel-lang/runnel/vm"
)

// cursor is the Go value of a sql.Cursor: where a statement stands that gives
// rows. They are read in batches; the first one when the statement is run, so
// that a small result takes one turn of the IO pool.
type cursor struct {
	db      *db
	columns []string

	mu     sync.Mutex
	rows   *sql.Rows // nil when all are read
	give   func()    // the connection back
	cancel context.CancelFunc
	limit  int     // rows of a batch
	batch  [][]any // that was read and not fetched
	err    error   // that ended the reading, to be told after the batch
}

const (
	cursorSize = 4 << 10
	batchBytes = 256 << 10 // a batch is full when it holds as much
)

func openCursor(c *vm.Call, s *statement, limit int) {
	var cur *cursor
	c.Await(vm.Blocking{
		Name:   "run a query",
		Parks:  true,
		Charge: batchBytes,
		Work: func(ctx context.Context) (_ any, err error) {
			cur, err = s.open(ctx, limit)
			return nil, err
		},
		Finish: func(c *vm.Call, _ any, err error) {
			answer := newAnswer(c)
			if !answer.failed(s.db.pool, "cannot run the query", err) {
				answer.resource(0, "result of a query", cur, cursorSize)
			}
		},
		Drop: func() {
			if cur != nil {
				cur.Close()
			}
		},
	})
}

func (s *statement) open(ctx context.Context, limit int) (*cursor, error) {
	give, err := s.db.acquire(ctx)
	if err != nil {
		return nil, err
	}
	// The rows outlive the context of the work that asks for them.
	own, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, cancel)
	defer stop()
	cur := &cursor{db: s.db, give: give, cancel: cancel, limit: max(1, limit)}
	cur.rows, err = s.query(own)
	if err == nil {
		cur.columns, err = cur.rows.Columns()
	}
	if err == nil {
		cur.read()
		err, cur.err = cur.err, nil
	}
	if err != nil {
		cur.Close()
		return nil, err
	}
	return cur, nil
}

// read reads a batch. After the last row the connection is given back.
func (cur *cursor) read() {
	cells := make([]any, len(cur.columns))
	into := make([]any, len(cells))
	for i := range into {
		into[i] = &cells[i]
	}
	for size := 0; len(cur.batch) < cur.limit && size < batchBytes; {
		if !cur.rows.Next() {
			cur.err = cur.rows.Err()
			cur.end()
			return
		}
		if cur.err = cur.rows.Scan(into...); cur.err != nil {
			cur.end()
			return
		}
		row := make([]any, len(cells))
		copy(row, cells)
		cur.batch = append(cur.batch, row)
		size += 24
		for _, v := range row {
			size += 16 + sizeOf(v)
		}
	}
}

func sizeOf(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	}
	return 8
}

func (cur *cursor) end() {
	if cur.rows != nil {
		cur.rows.Close()
		cur.rows = nil
	}
	cur.cancel()
	cur.give()
}

// Close ends the query where it stands. A reading that goes on is cancelled.
func (cur *cursor) Close() error {
	if !cur.mu.TryLock() {
		cur.cancel()
		cur.mu.Lock()
	}
	defer cur.mu.Unlock()
	cur.end()
	return nil
}

// next returns the rows that come next, none at the end.
func (cur *cursor) next(ctx context.Context) ([][]any, error) {
	stop := context.AfterFunc(ctx, cur.cancel)
	defer stop()
	cur.mu.Lock()
	defer cur.mu.Unlock()
	if cur.batch == nil && cur.err == nil && cur.rows != nil {
		cur.read()
	}
	batch, err := cur.batch, cur.err
	cur.batch = nil
	if len(batch) > 0 {
		return batch, nil // an error comes after the rows before it
	}
	cur.err = nil
	return nil, err
}

// ready returns rows that need not be waited for.
func (cur *cursor) ready() (batch [][]any, ok bool) {
	if !cur.mu.TryLock() { // another task reads
		return nil, false
	}
	defer cur.mu.Unlock()
	if cur.batch == nil && (cur.rows != nil || cur.err != nil) {
		return nil, false
	}
	batch, cur.batch = cur.batch, nil
	return batch, true
}

// fetch gives the rows of a batch as values of the wanted type.
func fetch(c *vm.Call, timeID uint32) {
	cur := vm.ResourceArg[*cursor](c, 0)
	if rows, ok := cur.ready(); ok {
		setRows(c, newAnswer(c), cur, rows, timeID)
		return
	}
	c.Await(vm.Blocking{
		Name:   "read rows",
		Parks:  true,
		Charge: batchBytes,
		Work:   func(ctx context.Context) (any, error) { return cur.next(ctx) },
		Finish: func(c *vm.Call, value any, err error) {
			answer := newAnswer(c)
			if answer.failed(cur.db.pool, "cannot read the rows", err) {
				value = [][]any(nil)
			}
			setRows(c, answer, cur, value.([][]any), timeID)
		},
	})
}

func setRows(c *vm.Call, a answer, cur *cursor, rows [][]any, timeID uint32) {
	args := c.Ref().TypeArgs
	list := c.NewList(c.Type(c.Ref().Result).Fields[0].Type, len(rows))
	a.set(0, list.Value())
	d := newDecoder(c, cur.columns, args[1], timeID)
	for _, row := range rows {
		c.Steps(1 + len(row))
		list.Push(d.row(args[0], row))
	}
}
