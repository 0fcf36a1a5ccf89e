package runnel_test

import (
	"flag"
	"testing"
)

// All tests of actors, with 200 schedules for each program:
//
//	go test . -run 'RK|RS|WP|Actor|Supervis|Routers' -schedules 200
var explored = flag.Int("schedules", 30, "how many schedules each program with tasks is run under, a tenth of them with -short")

// schedules is how many a program is run under.
func schedules() int {
	if testing.Short() {
		return *explored / 10
	}
	return *explored
}
