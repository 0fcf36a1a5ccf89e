package sql

import "time"

// SetPatience shortens the wait for a connection.
func SetPatience(d time.Duration) { patience = d }
