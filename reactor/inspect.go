package reactor

// WorkerInfo describes a worker at a moment.
type WorkerInfo struct {
	Waiting int   // in its ring
	Stolen  int64 // from other workers' rings
	Rests   int64 // how often it had nothing to do
}

// Info describes the worker; any goroutine may call it.
func (w *Worker) Info() WorkerInfo {
	return WorkerInfo{Waiting: w.queue.Load().len(), Stolen: w.stolen.Load(), Rests: w.rests.Load()}
}
