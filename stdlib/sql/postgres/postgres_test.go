package postgres_test

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"

	"github.com/runnel-lang/runnel"
	"github.com/runnel-lang/runnel/runneltest"
	"github.com/runnel-lang/runnel/stdlib/sql"
	"github.com/runnel-lang/runnel/stdlib/sql/postgres"
)

// server speaks as much of the protocol as the driver needs: there is no
// PostgreSQL where the tests run.
type server struct {
	t  *testing.T
	mu sync.Mutex
	// What it has been told.
	startup  map[string]string
	password string
	texts    []string
	params   [][]byte
}

var columns = []struct {
	name  string
	oid   uint32
	value any
}{
	{"id", pgtype.Int4OID, int32(7)},
	{"name", pgtype.TextOID, "pén"},
	{"price", pgtype.NumericOID, "12345678901234567890.5"},
	{"at", pgtype.TimestamptzOID, time.Date(2024, 3, 5, 17, 30, 0, 0, time.UTC)},
	{"ok", pgtype.BoolOID, true},
	{"raw", pgtype.ByteaOID, []byte{0, 255}},
	{"doc", pgtype.JSONBOID, `{"a": 1}`},
	{"missing", pgtype.TextOID, nil},
}

func (s *server) dial(context.Context, string, string) (net.Conn, error) {
	client, own := net.Pipe()
	go s.serve(own)
	return client, nil
}

func (s *server) serve(conn net.Conn) {
	defer conn.Close()
	b := pgproto3.NewBackend(conn, conn)
	first, err := b.ReceiveStartupMessage()
	if err != nil {
		return
	}
	b.Send(&pgproto3.AuthenticationCleartextPassword{})
	b.Flush()
	b.SetAuthType(pgproto3.AuthTypeCleartextPassword)
	answer, err := b.Receive()
	if err != nil {
		return
	}
	s.mu.Lock()
	s.startup, s.password = first.(*pgproto3.StartupMessage).Parameters, answer.(*pgproto3.PasswordMessage).Password
	s.mu.Unlock()
	b.Send(&pgproto3.AuthenticationOk{})
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	text, status := "", byte('I')
	for b.Flush() == nil {
		m, err := b.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *pgproto3.Query:
			if m.String != "-- ping" {
				s.note(m.String)
			}
			switch word, _, _ := strings.Cut(m.String, " "); word {
			case "begin":
				status = 'T'
			case "commit", "rollback":
				status = 'I'
			}
			b.Send(&pgproto3.CommandComplete{CommandTag: []byte(strings.ToUpper(m.String))})
			b.Send(&pgproto3.ReadyForQuery{TxStatus: status})
		case *pgproto3.Parse:
			text = m.Query
			b.Send(&pgproto3.ParseComplete{})
		case *pgproto3.Describe:
			s.describe(b, text)
		case *pgproto3.Bind:
			s.note(text)
			s.mu.Lock()
			s.params = append([][]byte(nil), m.Parameters...)
			s.mu.Unlock()
			b.Send(&pgproto3.BindComplete{})
			s.execute(b, text, m.ResultFormatCodes)
		case *pgproto3.Close:
			b.Send(&pgproto3.CloseComplete{})
		case *pgproto3.Sync:
			b.Send(&pgproto3.ReadyForQuery{TxStatus: status})
		}
	}
}

func (s *server) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = append(s.texts, text)
}

func (s *server) describe(b *pgproto3.Backend, text string) {
	var oids []uint32
	if strings.Contains(text, "$1") {
		oids = []uint32{pgtype.Int4OID}
	}
	b.Send(&pgproto3.ParameterDescription{ParameterOIDs: oids})
	if !strings.HasPrefix(text, "SELECT") {
		b.Send(&pgproto3.NoData{})
		return
	}
	var fields []pgproto3.FieldDescription
	for _, c := range columns {
		fields = append(fields, pgproto3.FieldDescription{Name: []byte(c.name), DataTypeOID: c.oid})
	}
	b.Send(&pgproto3.RowDescription{Fields: fields})
}

func (s *server) execute(b *pgproto3.Backend, text string, formats []int16) {
	if strings.HasPrefix(text, "INSERT") {
		b.Send(&pgproto3.ErrorResponse{Severity: "ERROR", Code: "23505", Message: "duplicate key value"})
		return
	}
	if !strings.HasPrefix(text, "SELECT") {
		b.Send(&pgproto3.CommandComplete{CommandTag: []byte("UPDATE 3")})
		return
	}
	types := pgtype.NewMap()
	var row [][]byte
	for i, c := range columns {
		var cell []byte
		if c.value != nil {
			var err error
			cell, err = types.Encode(c.oid, formats[min(i, len(formats)-1)], c.value, []byte{})
			if err != nil {
				s.t.Error(err)
			}
		}
		row = append(row, cell)
	}
	b.Send(&pgproto3.DataRow{Values: row})
	b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
}

func run(t *testing.T, src string, grants ...any) (string, error) {
	t.Helper()
	o := runneltest.Runner{Name: "test.rnl", Modules: []*runnel.Module{sql.Module}, Host: runnel.Host{Grants: grants}}.Run(t, src)
	return strings.TrimSpace(o.Printed), o.Err
}

func TestStatementsReachTheServer(t *testing.T) {
	for name, value := range map[string]string{
		"PGPASSWORD": "of-the-host", "PGUSER": "host", "PGSSLROOTCERT": "/etc/passwd", "PGOPTIONS": "-c x=y", "PGAPPNAME": "host", "PGTZ": "UTC",
	} {
		t.Setenv(name, value)
	}
	s := &server{t: t}
	got, err := run(t, `
import sql
import time
struct Row { id: int, name: str, price: float, at: time.Time, ok: bool, raw: bytes, doc: str, missing: str? }
let db = sql.open("postgres://a%27da:s%40cr%5Cat@db.example.com/shop?sslmode=disable&search_path=mine", connections: 1)
let row = db.first<Row>("SELECT * FROM t WHERE id = $1", [7])!
print(row.id, row.name, row.price, row.at.iso(), row.ok, row.raw, row.doc, row.missing)
print(db.query("SELECT * FROM t")[0]["price"])
print(db.transaction(|tx| tx.exec("UPDATE t SET x = $1", [1])))
try { db.exec("INSERT INTO t VALUES ($1)", [1]) } catch e: sql.SqlError { print(e.problem, e.code, e.text) }
let find = db.prepare("SELECT * FROM t WHERE id = $1")
print(find.query_as<Row>([1]).len(), find.query([2]).len())
db.close()
`, postgres.Source{Dial: s.dial})
	require.NoError(t, err)
	require.Equal(t, `7 pén 1.2345678901234567e19 2024-03-05T17:30:00Z true b"\x00\xff" {"a": 1} none
12345678901234567890.5
Done(rows: 3, last_id: none)
Unique 23505 duplicate key value
1 1`, got)
	require.Equal(t, map[string]string{"user": "a'da", "database": "shop", "search_path": "mine"}, s.startup)
	require.Equal(t, `s@cr\at`, s.password)
	require.Equal(t, []string{
		"SELECT * FROM t WHERE id = $1", "SELECT * FROM t", "begin", "UPDATE t SET x = $1", "commit", "INSERT INTO t VALUES ($1)",
		"SELECT * FROM t WHERE id = $1", "SELECT * FROM t WHERE id = $1",
	}, s.texts)
	require.Equal(t, [][]byte{{0, 0, 0, 2}}, s.params)
}

func TestSecretsOfTheHostStayThere(t *testing.T) {
	t.Setenv("PGPASSWORD", "of-the-host")
	s := &server{t: t}
	_, err := run(t, `import sql; sql.open("postgres://ada@db.example.com?sslmode=disable")`, postgres.Source{Dial: s.dial})
	require.NoError(t, err)
	require.Empty(t, s.password)
	require.Equal(t, "ada", s.startup["database"])
}

// A server that does not answer keeps only those waiting who want to.
func TestConnectingCanBeCancelled(t *testing.T) {
	silent := func(context.Context, string, string) (net.Conn, error) {
		client, _ := net.Pipe()
		return client, nil
	}
	got, err := run(t, `
import sql
print(try { timeout(20ms, || sql.open("postgres://ada@h?sslmode=disable")); "" } catch e: Timeout { "late" })
`, postgres.Source{Dial: silent})
	require.NoError(t, err)
	require.Equal(t, "late", got)
}
