package fasttrack

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func BenchmarkSameEpoch(b *testing.B) {
	_, main, obj, _ := scene()
	for b.Loop() {
		main.Read(obj, 1, 1)
		main.Write(obj, 1, 2)
	}
}

func BenchmarkManyObjects(b *testing.B) {
	_, main, _, _ := scene()
	objs := make([]int64, 4096)
	for i := 0; b.Loop(); i++ {
		main.Write(ptr(&objs[i%len(objs)]), 1, 2)
	}
}

func BenchmarkLock(b *testing.B) {
	_, main, obj, _ := scene()
	other := main.Spawn(Origin{})
	var m Sync
	for b.Loop() {
		for _, t := range []*Thread{main, other} {
			m.Acquire(t)
			t.Write(obj, 0, 1)
			m.Release(t)
		}
	}
}

func BenchmarkSpawnAndJoin(b *testing.B) {
	_, main, obj, _ := scene()
	for b.Loop() {
		child := main.Spawn(Origin{})
		child.Write(obj, 0, 1)
		main.Acquire(child.End())
	}
}

func BenchmarkChannel(b *testing.B) {
	_, main, _, _ := scene()
	child := main.Spawn(Origin{})
	c := NewChannel(16)
	for b.Loop() {
		c.Send(main)
		c.Receive(child)
	}
}

// million runs threads that are alive at once, twice, and gives the time that
// each round took for a thread.
func million(n int, work func(t *Thread)) (perThread [2]time.Duration, d *Detector) {
	d, main, list, _ := scene()
	live, ends := make([]*Thread, n), make([]Clock, n)
	for round := range perThread {
		start := time.Now()
		for i := range live {
			live[i] = main.Spawn(Origin{ID: uint64(i)})
			main.Write(list, i, 1)
		}
		for i, t := range live {
			work(t)
			ends[i] = t.End()
		}
		for _, c := range ends {
			main.Acquire(c)
		}
		perThread[round] = time.Since(start) / time.Duration(n)
	}
	return perThread, d
}

func BenchmarkMillion(b *testing.B) {
	var m Sync
	shared := ptr(new(int64))
	for name, work := range map[string]func(t *Thread){
		"idle":   func(*Thread) {},
		"own":    func(t *Thread) { t.Write(ptr(new(int64)), 0, 1) },
		"shared": func(t *Thread) { t.Read(shared, 0, 1) },
		"locked": func(t *Thread) { m.Acquire(t); t.Write(shared, 0, 1); m.Release(t) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m = Sync{}
				per, d := million(1_000_000, work)
				b.ReportMetric(float64(per[0]), "ns/first")
				b.ReportMetric(float64(per[1]), "ns/again")
				require.Len(b, d.slots, 1_000_001)
			}
		})
	}
}

// A tree of threads, each of which waits for ten others.
func BenchmarkTree(b *testing.B) {
	for b.Loop() {
		_, main, _, _ := scene()
		tree(main, 6)
	}
}

func tree(t *Thread, depth int) {
	if depth == 0 {
		return
	}
	var kids [10]*Thread
	for i := range kids {
		kids[i] = t.Spawn(Origin{})
	}
	for _, k := range kids {
		tree(k, depth-1)
	}
	for _, k := range kids {
		t.Acquire(k.End())
	}
}
