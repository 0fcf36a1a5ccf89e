package reactor

import "time"

// WorkerInfo describes a worker at a moment.
type WorkerInfo struct {
	Waiting int   // in its ring
	Stolen  int64 // from other workers' rings
	Rests   int64 // how often it had nothing to do
	Slices  int64 // that it has given, as of its last look at the clock
}

// Info describes the worker; any goroutine may call it.
func (w *Worker) Info() WorkerInfo {
	return WorkerInfo{Waiting: w.queue.Load().len(), Stolen: w.stolen.Load(), Rests: w.rests.Load(), Slices: w.slices.Load()}
}

// Load is how busy a scheduler is at a moment.
type Load struct {
	Workers int   // that may run processes at the same time
	Running int   // of them that do, or look for something to run
	Ready   int   // processes that wait for a worker, without those in next slots
	Lane    int   // of them in the lane: woken from outside
	Lanes   int64 // how many processes of the lane have run
	Stolen  int64 // processes that a worker has taken from another
	Rests   int64 // how often a worker has found nothing to do
	Slices  int64 // that processes have had; those that hand over to each other share one

	Pending int           // workers that wait for a slot of the reactor
	Time    time.Duration // that workers have had slots
}

// Load describes the scheduler; any goroutine may call it.
func (s *Sched) Load() Load {
	l := Load{Workers: len(s.workers), Lane: int(s.laneLen.Load()), Lanes: s.lanes.Load()}
	for _, w := range s.workers {
		info := w.Info()
		l.Stolen += info.Stolen
		l.Rests += info.Rests
		l.Slices += info.Slices
	}
	l.Running, l.Ready = s.Active()
	if s.r != nil {
		l.Pending, l.Time = s.r.shareOf(s)
		l.Running -= l.Pending
	}
	return l
}
