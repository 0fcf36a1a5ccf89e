package fasttrack

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func ptr[T any](p *T) unsafe.Pointer { return unsafe.Pointer(p) }

// scene is a detector, a first thread and an object.
func scene() (d *Detector, main *Thread, obj unsafe.Pointer, found *[]Race) {
	found = new([]Race)
	d = New(func(r Race) { *found = append(*found, r) })
	return d, d.Start(Origin{ID: 1}), ptr(new(int64)), found
}

func TestReportsBothAccesses(t *testing.T) {
	_, main, obj, found := scene()
	child := main.Spawn(Origin{ID: 2, Func: 7, At: 70})
	main.Write(obj, 3, 10)
	child.Read(obj, 3, 20)
	require.Equal(t, []Race{{
		Object: obj, Index: 3,
		Before: Access{Thread: Origin{ID: 1}, Write: true, Place: 10},
		After:  Access{Thread: Origin{ID: 2, Func: 7, At: 70}, Place: 20},
	}}, *found)
}

func TestReportsAPairOfPlacesOnce(t *testing.T) {
	_, main, _, found := scene()
	child := main.Spawn(Origin{ID: 2})
	for range 10 {
		obj := ptr(new(int64))
		main.Write(obj, 0, 10)
		child.Write(obj, 0, 20)
	}
	obj := ptr(new(int64))
	child.Write(obj, 0, 20)
	main.Write(obj, 0, 10)
	require.Len(t, *found, 1)
}

func TestAWriteRacesWithAnyOfManyReaders(t *testing.T) {
	for _, last := range []int{0, 50, 99} {
		_, main, obj, found := scene()
		main.Write(obj, 0, 1)
		var ends []Clock
		for i := range 100 {
			child := main.Spawn(Origin{ID: uint64(i)})
			child.Read(obj, 0, 2)
			ends = append(ends, child.End())
		}
		for i, c := range ends {
			if i != last {
				main.Acquire(c)
			}
		}
		main.Write(obj, 0, 3)
		require.Len(t, *found, 1, "one reader has not been joined")
		require.Equal(t, uint64(last), (*found)[0].Before.Thread.ID)
		main.Acquire(ends[last])
		main.Write(obj, 0, 4)
		require.Len(t, *found, 1)
	}
}

func TestReadersThatAreOrderedAreForgotten(t *testing.T) {
	d, main, obj, found := scene()
	main.Spawn(Origin{}).Read(obj, 0, 1)
	for range 10_000 {
		child := main.Spawn(Origin{})
		child.Read(obj, 0, 2)
		main.Acquire(child.End())
	}
	sets := d.object(obj).more.sets
	require.Less(t, len(sets[0].readers), 100)
	require.Empty(t, *found)
}

func TestElementsOfALargeListAreLocations(t *testing.T) {
	_, main, obj, found := scene()
	child := main.Spawn(Origin{ID: 2})
	for i := range 10_000 {
		(map[bool]*Thread{true: main, false: child})[i%2 == 0].Write(obj, i, uint32(i%2))
	}
	require.Empty(t, *found)
	child.ReadRange(obj, 9_990, 10_000, 5)
	require.Len(t, *found, 1)
	require.Equal(t, 9_990, (*found)[0].Index)
}

func TestASendMakesRoomForAnother(t *testing.T) {
	for _, room := range []int{1, 2, 5000} {
		_, main, obj, found := scene()
		child := main.Spawn(Origin{ID: 2})
		c := NewChannel(room)
		for range room {
			c.Send(main)
		}
		child.Write(obj, 0, 1)
		c.Receive(child) // makes the place that the next send takes
		c.Send(main)
		main.Write(obj, 0, 2)
		require.Empty(t, *found, "room %d", room)
		for range room {
			c.Receive(child)
		}
		child.Write(obj, 0, 3)
		require.Len(t, *found, 1, "room %d: the last send was before the write", room)
	}
}

func TestCloseComesBeforeItIsSeen(t *testing.T) {
	_, main, obj, found := scene()
	child := main.Spawn(Origin{ID: 2})
	c := NewChannel(1)
	main.Write(obj, 0, 1)
	c.Close(main)
	c.Closed(child)
	child.Write(obj, 0, 2)
	require.Empty(t, *found)
}

func TestSlotsOfJoinedThreadsAreUsedAgain(t *testing.T) {
	d, main, obj, found := scene()
	for i := range 10_000 {
		child := main.Spawn(Origin{ID: uint64(i + 2)})
		child.Write(obj, 0, 1)
		main.Acquire(child.End())
	}
	require.Len(t, d.slots, 2)
	require.Empty(t, *found)
	main.Spawn(Origin{ID: 7}).Write(obj, 0, 1)
	main.Write(obj, 0, 2)
	require.Equal(t, uint64(7), (*found)[0].Before.Thread.ID)
}

// A task that ends after it has sent its result needs no await.
func TestSlotsOfThreadsKnownByTheirMessagesAreUsedAgain(t *testing.T) {
	d, main, _, _ := scene()
	c := NewChannel(1)
	for range 1000 {
		child := main.Spawn(Origin{})
		child.Write(ptr(new(int64)), 0, 1)
		c.Send(child)
		child.End()
		c.Receive(main)
	}
	require.Less(t, len(d.slots), 4)
}

func TestSlotsOfOthersAreNotTaken(t *testing.T) {
	d, main, obj, found := scene()
	for range 10 {
		child := main.Spawn(Origin{})
		child.Write(obj, 0, 1)
		child.End()
	}
	require.Len(t, d.slots, 11)
	require.Len(t, *found, 1)
}

func TestForgetsWhatNobodyReaches(t *testing.T) {
	d, main, obj, _ := scene()
	for range 100 {
		main.Write(ptr(new(int64)), 0, 1)
	}
	main.Write(obj, 0, 1)
	d.Forget(func(p unsafe.Pointer) bool { return p == obj })
	require.Equal(t, 1, d.Objects())
	main.Write(obj, 0, 1)
	require.Equal(t, 1, d.Objects())
}
