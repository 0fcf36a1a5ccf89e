// Package postgres opens PostgreSQL databases for module sql.
package postgres

import (
	"context"
	database "database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/runnel-lang/runnel/stdlib/sql"
	"github.com/runnel-lang/runnel/vm"
)

// Source is the capability to connect to PostgreSQL servers.
type Source struct {
	// Dial connects, and refuses what is not granted with an error that wraps
	// host.ErrNotGranted: the method Dial of a net.Network of stdlib/net does. With
	// nil every server that the process reaches is granted.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Takes reports whether an address begins with postgres:// or postgresql://.
func (s Source) Takes(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Open prepares connections to the server that an address names.
func (s Source) Open(address string) (*sql.Database, error) {
	config, err := parse(address)
	if err != nil {
		return nil, &vm.IOError{Kind: vm.IOInvalid, Err: err}
	}
	// Names are looked up by who dials, so that it sees them.
	config.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	config.DialFunc = s.Dial
	if s.Dial == nil {
		config.DialFunc = new(net.Dialer).DialContext
	}
	return &sql.Database{DB: database.OpenDB(guarded(*config)), Explain: explain}, nil
}

// options that an address may hold. The driver knows others, some of which read
// files.
var options = map[string]bool{"sslmode": true, "connect_timeout": true, "application_name": true, "search_path": true}

// parse reads an address. The driver would take what is missing in it from the
// environment, from files, and thus give secrets of the host to a server that the
// script has chosen: so nothing is left out.
func parse(address string) (*pgx.ConnConfig, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address cannot be read") // it holds a password
	}
	if u.Hostname() == "" || u.User.Username() == "" {
		return nil, errors.New("an address has a user and a host: postgres://USER:PASSWORD@HOST:PORT/DATABASE")
	}
	password, _ := u.User.Password()
	settings := map[string]string{
		"host": u.Hostname(), "port": u.Port(), "user": u.User.Username(), "password": password,
		"dbname": strings.TrimPrefix(u.Path, "/"), "sslmode": "prefer", "connect_timeout": "0", "target_session_attrs": "any",
		"passfile": "", "sslcert": "", "sslkey": "", "sslpassword": "", "sslrootcert": "", "sslcertmode": "disable", "sslnegotiation": "",
	}
	if settings["port"] == "" {
		settings["port"] = "5432"
	}
	if settings["dbname"] == "" {
		settings["dbname"] = settings["user"]
	}
	params := map[string]string{}
	for name, values := range u.Query() {
		if !options[name] || len(values) != 1 {
			return nil, fmt.Errorf("%.40q is no option: there are sslmode, connect_timeout, application_name, search_path", name)
		}
		if name == "application_name" || name == "search_path" {
			params[name] = values[0]
		} else {
			settings[name] = values[0]
		}
	}
	config, err := pgx.ParseConfig(keywords(settings))
	if err != nil {
		var pe *pgconn.ParseConfigError
		if errors.As(err, &pe) && pe.Unwrap() != nil {
			err = pe.Unwrap()
		}
		return nil, err
	}
	config.RuntimeParams = params
	return config, nil
}

var quoted = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

func keywords(settings map[string]string) string {
	var b strings.Builder
	for name, value := range settings {
		fmt.Fprintf(&b, "%s='%s' ", name, quoted.Replace(value))
	}
	return b.String()
}

// kinds of errors by SQLSTATE.
var kinds = map[string]string{
	"23505": "unique", "23503": "foreign_key", "23502": "not_null", "23514": "check",
	"40001": "busy", "40P01": "busy", "55P03": "busy",
	"42501": "denied", "28000": "denied", "28P01": "denied", "25006": "denied",
}

// explain tells what an error of the server means.
func explain(err error) *sql.Problem {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return nil
	}
	return &sql.Problem{Text: e.Message, Code: e.Code, Kind: kinds[e.Code]}
}
