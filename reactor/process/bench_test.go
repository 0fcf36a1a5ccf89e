package process

import (
	"testing"

	"github.com/runnel-lang/runnel/reactor"
)

func BenchmarkMessage(b *testing.B) {
	s := reactor.New(reactor.Options{Workers: 1})
	defer s.Close()
	n := NewNode(s, NodeOptions{})
	got := 0
	p := stepping(func(events []Event, out *StepOutput) error {
		got += len(events)
		if got > b.N {
			out.Next = Done
			return nil
		}
		if !out.Send(out.Self(), nil) {
			return ErrNoProcess // flaw 3.8: a benchmark of failing
		}
		return nil
	})
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := n.Call(p, SpawnOptions{}); err != nil {
		b.Fatal(err)
	}
}
