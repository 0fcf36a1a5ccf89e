// Package vm runs bytecode: tasks on workers of a reactor, under limits.
//
//	bytecode.Program ──Link──▶ Program ──NewInstance──▶ Instance ──Run, Invoke──▶ Task, on a Worker
//
// The files in groups:
//
//	the loop          run_gen.go and its kin, exec.go, frames.go, worker.go, bytecode/opcodes.txt
//	values, objects   value.go, str.go, list.go, map.go, equal.go, hash.go, display.go, format.go, sorting.go
//	tasks, waiting    task.go, future.go, scope.go, wait.go, chan.go, select.go, mutex.go, promise.go, job.go
//	ends, failures    fault.go, unhandled.go, grace.go, spare.go, deadlock.go, whole.go
//	actors            mailbox.go, named.go, liveness.go, look.go, reaper.go, dropped.go
//	limits            alloc.go, memory.go, trace_heap.go, instance.go
//	races             race.go, race_access.go, race_natives.go, race_report.go
//	natives           native.go, module.go, native_objects.go, natives_*.go
//	the border to Go  invoke.go, call.go, hostside.go, outside.go, abroad.go, guard.go, telling.go, detach.go
//	grants            granted.go, io_error.go, resource.go, package host
//	observing         observe.go, observing.go, tasks.go, origin.go
//
// A Program is immutable and shared; an Instance is used by any number of goroutines. What
// hosts may rely on is what package runnel shows of it; the rest may change.
package vm
