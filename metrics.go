package runnel

import (
	"bytes"
	"fmt"
	"io"

	"github.com/runnel-lang/runnel/vm"
)

// Metrics is what the open instances of a Runtime are doing at a moment, and the sums of what they
// have done; what closed instances did is not in it. Reading it stops no task.
type Metrics struct {
	Instances int
	Tasks     int     // alive, without those in scopes
	Workers   int     // that may run tasks at the same time, of all instances
	Running   int     // of them that do
	Ready     int     // tasks that wait for a worker
	Lane      int     // of them that a timer, finished IO or the host has woken
	LaneRuns  int64   // tasks of the lane that have run
	Time      float64 // seconds that workers have spent with the instances, without short calls
	Pending   int     // workers that wait until the reactor has room for them
	Slices    int64   // that tasks have had; those that hand over to each other share one
	Stolen    int64   // tasks that a worker has taken from another
	Rests     int64   // times a worker found nothing to do

	IOThreads   int     // goroutines of the IO pools
	IORunning   int     // jobs that they do
	IOStuck     int     // of them that have held a thread for a second
	IOQueued    int     // jobs that wait for one of them
	IOCompleted uint64  // jobs that are done
	IOFailed    uint64  // of them with an error
	IOWaited    float64 // seconds that jobs have waited, in all
	Blocked     int     // Blocking functions that wait for others to end: see Limits
}

// Metrics returns what the open instances are doing.
func (rt *Runtime) Metrics() Metrics {
	var m Metrics
	for _, in := range rt.instances.all() {
		m.add(in.Load())
	}
	return m
}

func (m *Metrics) add(l vm.Load) {
	m.Instances++
	m.Tasks += l.Tasks
	m.Workers += l.Sched.Workers
	m.Running += l.Sched.Running
	m.Ready += l.Sched.Ready
	m.Lane += l.Sched.Lane
	m.LaneRuns += l.Sched.Lanes
	m.Time += l.Sched.Time.Seconds()
	m.Pending += l.Sched.Pending
	m.Slices += l.Sched.Slices
	m.Stolen += l.Sched.Stolen
	m.Rests += l.Sched.Rests
	m.IOThreads += l.IO.Workers
	m.IORunning += l.IO.Running
	m.IOStuck += l.IO.Stuck
	m.IOQueued += l.IO.Queued
	m.IOCompleted += l.IO.Completed
	m.IOFailed += l.IO.Failed
	m.IOWaited += l.IO.Waited.Seconds()
	m.Blocked += l.Waiting
}

// metric is a line of the text: its name without the prefix, whether it only grows, and what it means.
type metric struct {
	name  string
	total bool
	help  string
	value any
}

func (m Metrics) list() []metric {
	return []metric{
		{"instances", false, "Open instances.", m.Instances},
		{"tasks", false, "Tasks that are alive, without those in scopes.", m.Tasks},
		{"workers", false, "Workers that may run tasks at the same time.", m.Workers},
		{"workers_running", false, "Workers that run tasks.", m.Running},
		{"tasks_ready", false, "Tasks that wait for a worker.", m.Ready},
		{"tasks_lane", false, "Tasks that wait after a timer, finished IO or the host has woken them.", m.Lane},
		{"lane_runs", true, "Tasks of the lane that have run.", m.LaneRuns},
		{"worker_seconds", true, "Time that workers have spent with the instances, without short calls.", m.Time},
		{"workers_pending", false, "Workers that wait until the reactor has room for them.", m.Pending},
		{"slices", true, "Slices of time that tasks have had; tasks that hand over to each other share one.", m.Slices},
		{"steals", true, "Tasks that a worker has taken from another.", m.Stolen},
		{"rests", true, "Times a worker found nothing to do.", m.Rests},
		{"io_threads", false, "Goroutines of the IO pools.", m.IOThreads},
		{"io_running", false, "IO jobs under way.", m.IORunning},
		{"io_stuck", false, "IO jobs that have held a thread for a second.", m.IOStuck},
		{"io_queued", false, "IO jobs that wait.", m.IOQueued},
		{"io_jobs", true, "IO jobs that are done.", m.IOCompleted},
		{"io_failures", true, "IO jobs that have failed.", m.IOFailed},
		{"io_wait_seconds", true, "Time that IO jobs have waited.", m.IOWaited},
		{"blocked", false, "Blocking functions of the host that wait for others to end.", m.Blocked},
	}
}

// WriteTo writes the metrics in the text format of OpenMetrics, as Prometheus and others
// read it: each name begins with "runnel_".
func (m Metrics) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	for _, x := range m.list() {
		name, kind, suffix := "runnel_"+x.name, "gauge", ""
		if x.total {
			kind, suffix = "counter", "_total"
		}
		fmt.Fprintf(&b, "# TYPE %s %s\n# HELP %s %s\n%s%s %v\n", name, kind, name, x.help, name, suffix, x.value)
	}
	b.WriteString("# EOF\n")
	return b.WriteTo(w)
}
